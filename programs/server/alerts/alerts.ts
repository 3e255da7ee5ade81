import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { assign, createActor, fromPromise } from 'xstate'
import type { WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import { isOpen } from '../../../src/folding/incidents/incident.ts'
import { SOURCE_LOCALE } from '../../../src/folding/text/locales.ts'
import { withJitter } from '../../../src/folding/shared/back-off.ts'
import type { IncidentsCommand } from '../../../src/machines/incidents/incidents/incidents.events.ts'
import type { IncidentsRef } from '../../../src/machines/incidents/incidents/incidents.machine.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import type { AlertSettings } from '../config/alert-settings.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import { every } from '../event-loop.ts'
import { inLanguage, loadLanguage } from '../locale.ts'
import { alertsMachine, type AlertsSnapshot } from '../machines/alerts/alerts.machine.ts'
import { countDeliveries } from '../machines/alerts/alerts.selectors.ts'
import type { Attempt, Examination, SettledState } from '../machines/delivery/delivery.events.ts'
import { attemptWait, deliveryMachine } from '../machines/delivery/delivery.machine.ts'
import { createMeterDiscovery, type FoundMeter } from '../power/meter-discovery.ts'
import type { Reading } from '../power/meter-payloads.ts'
import { createMqttMeters } from '../power/mqtt-meters.ts'
import type { PushKeys } from '../push/push-keys.ts'
import type { EndedUnit, ServerStore } from '../store/store.ts'
import { CHANNEL_KINDS } from './channels/channel-kinds.ts'
import { callHttp } from './channels/http-call.ts'
import type { MqttPublisher } from './channels/channel.ts'
import { createMqttPublisher, type MqttDeps } from './channels/mqtt-publisher.ts'
import { createMqttInputs, type MqttReader } from './channels/mqtt-inputs.ts'
import { createEarlierUnits } from './earlier-units.ts'
import { incidentActors } from './incident-actors.ts'
import { testMessage } from './message.ts'
import { createOutbox } from './outbox.ts'

export type AlertsDeps = {
  readonly settings: AlertSettings
  readonly store: ServerStore
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly version: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  readonly readClients: WatchDeps['readClients']
  /** For MQTT: clients without their incidents. */
  readonly listClients: () => readonly (Omit<ReturnType<MqttDeps['machines']>[number], 'incidents'> & {
    readonly id: string | undefined
  })[]
  readonly act: MqttDeps['act']
  /** The last value of an input of schedules, and a new one that came by MQTT. */
  readonly inputs: {
    readonly inputValue: (name: string) => number | undefined
    readonly receive: (name: string, value: number) => void
  }
  /** Meters that the settings name, and what they say by MQTT. */
  readonly meters: {
    readonly list: readonly MeterSettings[]
    readonly receive: (name: string, reading: Reading) => void
    readonly currency: () => string | undefined
  }
  /** Of this server at push services; undefined without a channel that needs them. */
  readonly pushKeys: PushKeys | undefined
  /** Under which address people open the server; undefined when it has none but loopback. */
  readonly origin: string | undefined
  readonly onIncidents: (incidents: readonly StoredIncident[]) => void
  readonly onSettled: (channel: string, how: SettledState) => void
}

export type Alerts = {
  /** The current incidents: those that last. */
  readonly incidents: () => readonly StoredIncident[]
  /** Acknowledges, snoozes or opens incidents. Returns how many of the keys there are. */
  readonly change: (command: Extract<IncidentsCommand, { readonly keys: readonly string[] }>) => number
  /** Sends a test by a channel; undefined when there is none of that name. */
  readonly test: (channel: string) => Promise<Attempt | undefined>
  /** How the last test of a channel since the start went. */
  readonly lastTest: (channel: string) => { readonly at: number; readonly result: Attempt } | undefined
  readonly counts: () => { readonly waiting: number; readonly failing: number; readonly isAliveFailing: boolean }
  /** Meters that devices have announced on the broker. */
  readonly foundMeters: () => readonly FoundMeter[]
  /** Units that ended, to compare with. */
  readonly addUnits: (units: readonly EndedUnit[]) => void
  readonly stop: () => Promise<void>
}

const MQTT_MS = 2000
/** Units of the history that incidents compare with. */
const MOST_UNITS = 50_000
const MINUTE_MS = 60_000

/** Connects incidents, deliveries and channels. Resolves when it runs. */
export async function startAlerts(deps: AlertsDeps): Promise<Alerts> {
  const { settings, store, log, now, random } = deps
  const link = deps.origin === undefined ? undefined : `${deps.origin}/attention`
  const onError = (error: unknown): void => log.error({ err: error }, 'incidents or alerts could not be stored')
  const earlier = createEarlierUnits()
  earlier.add(await store.lastUnits(MOST_UNITS))

  const incidentsRef = (): IncidentsRef | undefined => actor.system.get('incidents') as IncidentsRef | undefined
  const activeIncidents = (): readonly StoredIncident[] => [
    ...(incidentsRef()?.getSnapshot().context.incidents.active.values() ?? []),
  ]
  const discovery = settings.mqtt['find-meters'] ? createMeterDiscovery(settings.mqtt.discovery) : undefined
  const mqtt = startMqtt(deps, discovery, activeIncidents)
  const channelDeps = { now, subscriptions: store.push, pushKeys: deps.pushKeys, mqtt }
  const channels = new Map(
    settings.channels.map(entry => [entry.name, CHANNEL_KINDS[entry.kind].open(entry, channelDeps)]),
  )
  const ofChannel = (name: string): string =>
    settings.channels.find(entry => entry.name === name)?.language ?? SOURCE_LOCALE
  const languageOf = (rule: string, channel: string): string =>
    settings.alerts.find(({ name }) => name === rule)?.language ?? ofChannel(channel)
  for (const { language } of [...settings.channels, ...settings.alerts])
    if (language !== undefined) await loadLanguage(language)
  const outbox = createOutbox({
    store,
    channels,
    rules: settings.alerts,
    languageOf,
    now,
    newId: randomUUID,
    page: link,
    onPlanned: deliveries => actor.send({ type: 'alerts.planned', deliveries }),
    onSettled: (channel, how, error) => {
      if (how === 'delivered') log.info({ channel }, 'alert delivered')
      else log.warn({ channel, error }, how === 'unknown' ? 'it is unknown whether an alert arrived' : 'alert given up')
      deps.onSettled(channel, how)
    },
    onError,
  })

  const tests = new Map<string, { readonly at: number; readonly result: Attempt }>()
  const { url, minutes } = settings.alive
  const actor = createActor(
    alertsMachine.provide({
      actors: {
        incidents: incidentActors({
          readClients: deps.readClients,
          // The server signs in to no account, and does not look up the newest version.
          readSurroundings: () => ({ latestVersion: undefined, account: undefined }),
          earlierTpfs: earlier.tpfsOf,
          endsOf: earlier.endsOf,
          store: store.incidents,
          settings,
          now,
          newId: randomUUID,
          onSaved: (incidents, deliveries) => {
            deps.onIncidents(incidents)
            if (deliveries.length > 0)
              actor.send({ type: 'alerts.planned', deliveries: deliveries.map(outbox.inputOf) })
          },
          onError,
        }),
        delivery: deliveryMachine.provide({
          actors: {
            examine: fromPromise<Examination, { readonly id: string }>(({ input }) => outbox.examine(input.id)),
            attempt: fromPromise<Attempt, { readonly id: string }>(({ input }) => outbox.attempt(input.id)),
          },
          actions: {
            keep: (_, delivery) => outbox.keep(delivery),
            assignWait: assign(({ context }) => ({ wait: withJitter(attemptWait(context), random()) })),
          },
        }),
        restore: fromPromise(() => outbox.restore()),
        showAlive: fromPromise<undefined, undefined>(async () => {
          await store.check()
          const result = await callHttp('The address of [alive]', url ?? '', { method: 'GET' }, now)
          if (result.kind === 'sent') return undefined
          log.warn({ reason: result.reason }, 'the sign of life did not arrive')
          throw new Error(result.reason)
        }),
      },
    }),
    { input: { alivePeriod: url === undefined ? undefined : minutes * MINUTE_MS } },
  )
  actor.subscribe({ error: error => log.error({ err: error }, 'the statechart of alerts failed') })
  actor.start()
  const stopPublishing = mqtt === undefined ? undefined : every(MQTT_MS, mqtt.publish)

  return {
    incidents: activeIncidents,
    change: command => {
      const activeKeys = new Set(activeIncidents().map(({ key }) => key))
      const keys = command.keys.filter(key => activeKeys.has(key))
      incidentsRef()?.send({ ...command, keys })
      return keys.length
    },
    test: async name => {
      const result = await channels
        .get(name)
        ?.send(inLanguage(ofChannel(name), () => testMessage(randomUUID(), now(), link)))
      if (result !== undefined) tests.set(name, { at: now(), result })
      return result
    },
    lastTest: name => tests.get(name),
    counts: () => {
      const snapshot: AlertsSnapshot = actor.getSnapshot()
      return { ...countDeliveries(snapshot), isAliveFailing: snapshot.context.isAliveFailing }
    },
    foundMeters: () => discovery?.found() ?? [],
    addUnits: earlier.add,
    stop: async () => {
      stopPublishing?.()
      actor.stop()
      await outbox.settled()
      for (const channel of channels.values()) channel.stop?.()
      await mqtt?.stop()
    },
  }
}

function startMqtt(
  { settings, version, log, listClients, act, inputs, meters }: AlertsDeps,
  discovery: MqttReader | undefined,
  incidents: () => readonly StoredIncident[],
): MqttPublisher | undefined {
  const { url } = settings.mqtt
  if (url === undefined) return undefined
  return createMqttPublisher({
    settings: { ...settings.mqtt, url },
    readers: [
      createMqttInputs(settings.mqtt.inputs, inputs.inputValue, inputs.receive),
      createMqttMeters(meters.list, meters.receive),
      ...(discovery === undefined ? [] : [discovery]),
    ],
    currency: meters.currency,
    version,
    act,
    onTrouble: reason => log.warn({ reason }, 'the MQTT broker cannot be reached'),
    machines: () => {
      const counts = new Map<string, number>()
      for (const incident of incidents())
        if (isOpen(incident) && incident.gravity !== 'notice')
          counts.set(incident.machine, (counts.get(incident.machine) ?? 0) + 1)
      return listClients().map(({ id, ...client }) => ({
        ...client,
        incidents: id === undefined ? 0 : (counts.get(id) ?? 0),
      }))
    },
  })
}
