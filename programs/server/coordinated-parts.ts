import type { Logger } from 'pino'
import { mostFailures } from '../../src/folding/fleet/client-facts.ts'
import { ownNamesIn, type OwnNames } from '../../src/folding/fleet/tags.ts'
import type { SilentInput } from '../../src/folding/schedule/conditions.ts'
import { donorConfigOf } from '../../src/folding/account/donor.ts'
import { userToSend } from '../../src/folding/shared/validation.ts'
import { accountApi, type AccountConnection } from './account/account.ts'
import { startAlerts, type Alerts } from './alerts/alerts.ts'
import { isSetToFold, lastKeysOf, watchedClients } from './alerts/fleet-clients.ts'
import type { Identity } from './access/access.ts'
import type { Coordination, CoordinationParts } from './cluster/coordination.ts'
import { SCHEDULES, type Commands } from './commands.ts'
import type { Config } from './config/schema.ts'
import { inOwnTurn } from './event-loop.ts'
import type { Fleet } from './fleet.ts'
import type { ControlRequest } from './gateway/page-command.ts'
import type { ServerNews } from './news.ts'
import type { Metrics } from './http/metrics.ts'
import type { LabelledClient } from './place.ts'
import { countedOnce, type Places } from './places.ts'
import { createPower, type Power } from './power/power.ts'
import { partChoice } from '../../src/folding/schedule/parts.ts'
import { isPart } from '../../src/folding/schedule/schedule.ts'
import { createProcessors, type Processors } from './processors/processors.ts'
import type { PushKeys } from './push/push-keys.ts'
import { createScheduling, type Scheduling } from './schedules/scheduling.ts'
import { followCredits } from './store/credits.ts'
import { followStandings } from './store/standings.ts'
import type { ServerStore } from './store/store.ts'

export type CoordinatedDeps = {
  readonly config: Config
  readonly store: ServerStore
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly version: string
  readonly places: Places
  readonly fleet: Pick<Fleet, 'snapshot'>
  readonly machines: () => readonly LabelledClient[]
  readonly commands: Commands
  readonly metrics: Pick<Metrics, 'countAlert'>
  readonly pushKeys: PushKeys | undefined
  readonly startAccount: () => Promise<AccountConnection | undefined>
  /** The parts that run now. */
  readonly coordination: () => Coordination
  /** Tells pages and programs of this server and of others. */
  readonly announce: (event: Extract<ServerNews, { readonly type: 'incidents' | 'schedules' | 'shared' }>) => void
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The sender of what GPUs and CPUs need that finish by themselves. */
const PROCESSORS: Identity = { name: 'processors', role: 'operator' }

/** The sender of commands that come from a broker: the settings of each client say which of them are sent. */
const MQTT_PROGRAM: Identity = { name: 'mqtt', role: 'operator' }

/** Starts what one server does for all. If a part cannot be started, none is. */
export async function startCoordinatedParts(deps: CoordinatedDeps): Promise<CoordinationParts> {
  let scheduling: Scheduling | undefined
  const power = await startPower(deps, () => inOwnTurn(() => scheduling?.observePower()))
  let alerts: Alerts | undefined
  let processors: Processors | undefined
  try {
    let ownNames = ownNamesIn((await deps.store.shared.load()).tags)
    const reloadNames = async (): Promise<void> => {
      ownNames = ownNamesIn((await deps.store.shared.load()).tags)
    }
    alerts = await startIncidents(deps, power, () => ownNames)
    processors = await startProcessors(deps)
    scheduling = await startScheduling(deps, power, processors)
    const account = await deps.startAccount()
    return { alerts, power, scheduling, processors, reloadNames, account, stopStandings: startStandings(deps) }
  } catch (error) {
    await alerts?.stop()
    await scheduling?.stop()
    await processors?.stop()
    await power.stop()
    throw error
  }
}

function startPower(deps: CoordinatedDeps, onChange: () => void): Promise<Power> {
  return createPower({
    store: deps.store.power,
    readSettings: async () => (await deps.store.shared.load()).power,
    meters: deps.config.meters,
    machines: () => countedOnce(deps.machines()),
    sampleSeconds: deps.config.store['sample-seconds'],
    keepSamplesDays: deps.config.store['keep-samples-days'],
    now: deps.now,
    onChange,
    onWatts: (name, value) => {
      if (deps.coordination().parts()?.scheduling.uses(name) === true) receiveInput(deps, name, value)
    },
    onError: error => deps.log.error({ err: error }, 'energy could not be stored'),
  })
}

function receiveInput({ coordination, log }: CoordinatedDeps, name: string, value: number): void {
  coordination()
    .parts()
    ?.scheduling.receiveInput(name, value)
    .catch((error: unknown) => {
      log.error({ err: error }, 'an input could not be stored')
    })
}

async function startIncidents(deps: CoordinatedDeps, power: Power, ownNames: () => OwnNames): Promise<Alerts> {
  const {
    config,
    store,
    log,
    version,
    places,
    fleet,
    machines: clients,
    commands,
    pushKeys,
    coordination,
    now,
    random,
  } = deps
  const lastKeys = lastKeysOf(await store.machines())
  return startAlerts({
    settings: config,
    store,
    log,
    version,
    now,
    random,
    readClients: () => {
      const snapshot = fleet.snapshot()
      if (snapshot === undefined) return []
      const parts = coordination().parts()
      const silentInputs = (address: string): readonly SilentInput[] => parts?.scheduling.silent(address) ?? []
      return watchedClients(snapshot, clients(), lastKeys, silentInputs, parts?.account?.isOpen() === true, ownNames())
    },
    listClients: () =>
      clients().map(({ id, number, address, name, isConnected, summary, data, commands: allowed }) => ({
        id,
        number,
        address,
        name,
        isConnected,
        ppd: summary.ppd,
        runningUnits: summary.running + summary.finishing,
        failedUnits: isConnected ? mostFailures(data) : 0,
        isFolding: isSetToFold(data),
        canAct: allowed.includes('state'),
        version: data?.info.version,
        power: power.of(id),
      })),
    act: (number, state) => {
      const place = places.numbered(number)
      if (place !== undefined) commands.post(place, { cmd: 'state', state }, MQTT_PROGRAM, 'MQTT')
    },
    inputs: {
      inputValue: name => coordination().parts()?.scheduling.input(name),
      receive: (name, value) => receiveInput(deps, name, value),
    },
    meters: {
      list: config.meters,
      receive: power.receiveReading,
      currency: () => power.settings().tariffs?.currency,
    },
    pushKeys,
    origin: config.listen.origins[0],
    onIncidents: incidents => deps.announce({ type: 'incidents', incidents }),
    onSettled: (channel, how) => deps.metrics.countAlert(channel, how),
  })
}

async function startScheduling(deps: CoordinatedDeps, power: Power, processors: Processors): Promise<Scheduling> {
  const { store, log, places, machines: clients, commands, now } = deps
  const stored = await store.schedules.load(now())
  await power.follow(stored.schedules)
  return createScheduling({
    store,
    kept: stored,
    power,
    machines: places.scheduled(),
    watched: clients,
    notes: processors.notes,
    send: async ({ machine: client, group }, state, who, reason) => {
      const place = places.at(client)
      if (place === undefined) return 'forbidden'
      const send = (request: ControlRequest) =>
        commands.send(place, request, SCHEDULES, who === SCHEDULES.name ? reason : `${reason}: ${who}`)
      if (!isPart(group)) return send({ cmd: 'state', state, ...(group === undefined ? {} : { group }) })
      const request = { which: partChoice(group), state, isPreview: false, by: who }
      const answer = await processors.command(request, place.number, send)
      if (answer.kind === 'impossible') return 'ignored'
      return answer.outcome === 'none' ? 'confirmed' : answer.outcome
    },
    now,
    onChange: () => deps.announce({ type: 'schedules' }),
    onError: error => log.error({ err: error }, 'schedules failed'),
  })
}

function startProcessors({
  store,
  log,
  places,
  machines: clients,
  commands,
  announce,
  now,
}: CoordinatedDeps): Promise<Processors> {
  return createProcessors({
    load: async () => (await store.shared.load()).processors,
    change: async change => {
      await store.shared.change(change)
      announce({ type: 'shared' })
    },
    // What was confirmed a moment ago is not yet in what is listed.
    machines: () =>
      countedOnce(clients()).map(client => ({
        ...client,
        data: places.numbered(client.number)?.exchange.data() ?? client.data,
      })),
    send: (number, request, reason) => {
      const place = places.numbered(number)
      if (place !== undefined) commands.post(place, request, PROCESSORS, reason)
    },
    now,
    onError: error => log.error({ err: error }, 'processors that finish could not be watched'),
  })
}

/** What is read of Folding@home for the donors of all clients: their points, and those of units. */
function startStandings({
  config,
  store,
  log,
  machines: clients,
  now,
  random,
}: CoordinatedDeps): (() => void) | undefined {
  if (!config.statistics.hourly) return undefined
  const api = accountApi(config.account['api-url'])
  const donors = () => clients().flatMap(({ data }) => (data === undefined ? [] : [donorConfigOf(data.config)]))
  const stopPoints = followStandings({
    store: store.standings,
    api,
    folders: () => donors().map(({ user, team, secrets }) => ({ user, team, passkey: secrets.passkey })),
    log,
    now,
    random,
  })
  const names = () => [...new Set(donors().map(({ user }) => userToSend(user)))]
  const stopCredits = followCredits({ store, api, donors: names, log, now })
  return () => {
    stopPoints()
    stopCredits()
  }
}
