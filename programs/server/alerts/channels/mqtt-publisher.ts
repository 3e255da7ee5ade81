import { createHash } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import type { MqttSettings } from '../../config/mqtt-settings.ts'
import { createTurns } from '../../../../src/folding/shared/turns.ts'
import type { ClientPower } from '../../power/power.ts'
import { createPauses } from '../../event-loop.ts'
import { ATTEMPT_MS, type MqttPublisher } from './channel.ts'
import { failureOf } from './http-call.ts'
import type { MqttReader } from './mqtt-inputs.ts'

export type PublishedClient = {
  /** From 1, its place in the settings. */
  readonly number: number
  readonly address: string
  readonly name: string
  readonly isConnected: boolean
  readonly ppd: number
  readonly runningUnits: number
  readonly failedUnits: number
  /** Incidents that ask for attention, without notices. */
  readonly incidents: number
  /** Whether it folds as far as it is told to; undefined when that is unknown. */
  readonly isFolding: boolean | undefined
  readonly canAct: boolean
  readonly version: string | undefined
  /** What it draws and has used, as far as that is known. */
  readonly power?: ClientPower | undefined
}

export type MqttDeps = {
  readonly settings: Omit<MqttSettings, 'inputs'> & { readonly url: string }
  readonly readers: readonly MqttReader[]
  readonly machines: () => readonly PublishedClient[]
  /** A switch of Home Assistant was pressed. */
  readonly act: (number: number, state: 'fold' | 'pause') => void
  readonly version: string
  /** Of costs; undefined while no prices are chosen. */
  readonly currency?: () => string | undefined
  readonly onTrouble: (reason: string) => void
}

const RECONNECT_MS = 5000
const MOST_NAME = 100

/** Short and stable, as topics and ids of entities need it. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Null is 'unknown' to Home Assistant. A zero of a client that is away, or not yet connected, would enter its statistics. */
function knownIf(isKnown: boolean) {
  return (value: number): number | null => (isKnown ? value : null)
}

type Entity = {
  readonly component: 'sensor' | 'binary_sensor' | 'switch' | 'event'
  readonly object: string
  readonly config: Readonly<Record<string, unknown>>
}

/**
 * State of clients and totals on an MQTT broker, described for Home Assistant's discovery. Everything is retained, and
 * the broker reports `offline` when the server has gone.
 */
export function createMqttPublisher({
  settings,
  readers,
  machines: clients,
  act,
  version,
  currency = () => undefined,
  onTrouble,
}: MqttDeps): MqttPublisher {
  const { url, user, password, topic, discovery, switches } = settings
  const node = `foldboard_${hashOf(topic)}`
  const status = `${topic}/status`
  const published = new Map<string, string>()
  /** What the entities of each owner were described from. */
  const described = new Map<string, string>()
  const ids = new Map<string, string>()
  const inTurn = createTurns()
  let isPublishing = false
  let listed: readonly PublishedClient[] = []
  const idOf = ({ address }: PublishedClient): string => {
    const id = ids.get(address) ?? hashOf(address)
    ids.set(address, id)
    return id
  }

  const client: MqttClient = connect(url, {
    clientId: `${node}_${hashOf(String(process.pid))}`,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: ATTEMPT_MS,
    // Everything is published again after a connection.
    queueQoSZero: false,
    will: { topic: status, payload: Buffer.from('offline'), qos: 1, retain: true },
  })
  client.on('error', error => onTrouble(failureOf(error)))

  const post = (to: string, text: string): void => {
    if (published.get(to) === text || !client.connected) return
    published.set(to, text)
    client.publish(to, text, { qos: 1, retain: true }, error => {
      if (error instanceof Error) published.delete(to)
    })
  }

  const deviceOf = (entry: PublishedClient | undefined): object =>
    entry === undefined
      ? { identifiers: [node], name: 'Foldboard', manufacturer: 'Foldboard', sw_version: version }
      : {
          identifiers: [`${node}_${idOf(entry)}`],
          name: entry.name.slice(0, MOST_NAME),
          manufacturer: 'Folding@home',
          model: 'Folding@home client',
          via_device: node,
          ...(entry.version === undefined ? {} : { sw_version: entry.version.slice(0, MOST_NAME) }),
        }

  const describe = (entry: PublishedClient | undefined): void => {
    if (discovery === '') return
    const base = entry === undefined ? `${topic}/total` : `${topic}/machines/${idOf(entry)}`
    const owner = entry === undefined ? 'total' : idOf(entry)
    const facts = JSON.stringify([entry?.name, entry?.version, entry?.canAct, currency()])
    if (described.get(owner) === facts || !client.connected) return
    described.set(owner, facts)
    const whenServer = [{ topic: status }]
    const whenConnected = [...whenServer, { topic: `${base}/availability` }]
    const canSwitch = entry?.canAct === true && switches
    const entities = [
      ...(entry === undefined ? totalEntities(base, `${topic}/alerts`) : clientEntities(base, canSwitch)),
      ...powerEntities(`${base}/state`, currency()),
    ]
    for (const { component, object, config } of entities)
      post(
        `${discovery}/${component}/${node}/${owner}_${object}/config`,
        JSON.stringify({
          unique_id: `${node}_${owner}_${object}`,
          object_id: `${entry === undefined ? 'foldboard' : slugOf(entry.name)}_${object}`,
          availability: entry === undefined || object === 'connected' ? whenServer : whenConnected,
          availability_mode: 'all',
          device: deviceOf(entry),
          origin: { name: 'Foldboard', sw_version: version },
          ...config,
        }),
      )
  }

  const publishClient = (entry: PublishedClient): void => {
    describe(entry)
    const base = `${topic}/machines/${idOf(entry)}`
    const ifConnected = knownIf(entry.isConnected)
    post(`${base}/availability`, entry.isConnected ? 'online' : 'offline')
    post(
      `${base}/state`,
      JSON.stringify({
        name: entry.name,
        connected: entry.isConnected,
        points_per_day: ifConnected(Math.round(entry.ppd)),
        running_units: ifConnected(entry.runningUnits),
        failed_units: ifConnected(entry.failedUnits),
        incidents: entry.incidents,
        folding: entry.isFolding ?? null,
        ...powerState([entry.power]),
      }),
    )
  }

  /** Thousands of clients a part at once: a first time is some ten messages of each. */
  const publishAll = async (): Promise<void> => {
    if (!client.connected) return
    listed = clients()
    post(status, 'online')
    const pause = createPauses()
    for (const entry of listed) {
      publishClient(entry)
      await pause()
    }
    describe(undefined)
    const connected = listed.filter(({ isConnected }) => isConnected).length
    const ifConnected = knownIf(connected > 0)
    const sum = (read: (entry: PublishedClient) => number): number =>
      listed.reduce((total, entry) => total + read(entry), 0)
    post(
      `${topic}/total/state`,
      JSON.stringify({
        points_per_day: ifConnected(Math.round(sum(({ ppd }) => ppd))),
        running_units: ifConnected(sum(({ runningUnits }) => runningUnits)),
        machines: listed.length,
        connected_machines: connected,
        incidents: sum(({ incidents }) => incidents),
        ...powerState(listed.map(({ power }) => power)),
      }),
    )
  }
  const publish = (): void => {
    for (const reader of readers) reader.flush()
    if (isPublishing) return
    isPublishing = true
    void inTurn(publishAll).finally(() => {
      isPublishing = false
    })
  }
  /** All of it, before entities of clients that the settings no longer name are looked for, to delete them. */
  const publishAgain = async (): Promise<void> => {
    published.clear()
    described.clear()
    await publishAll()
    if (discovery !== '') client.subscribe(`${discovery}/+/${node}/+/config`, { qos: 1 })
  }

  client.on('connect', () => {
    if (switches) client.subscribe(`${topic}/machines/+/set`, { qos: 1 })
    const topics = [...new Set(readers.flatMap(reader => reader.topics))]
    if (topics.length > 0) client.subscribe(topics, { qos: 1 })
    void inTurn(publishAgain)
  })
  client.on('message', (name, payload, { retain }) => {
    for (const reader of readers) reader.receive(name, payload, retain)
    if (name.startsWith(`${discovery}/`) && name.endsWith('/config')) {
      // Those of other programs are read too, and are theirs.
      if (name.split('/').at(-3) !== node) return
      if (retain && payload.length > 0 && !published.has(name)) client.publish(name, '', { qos: 1, retain: true })
      return
    }
    // A retained command is an old one: it would be repeated at every connection.
    if (retain || !switches || payload.length > 3) return
    if (!name.startsWith(`${topic}/machines/`)) return
    const entry = listed.find(each => name === `${topic}/machines/${idOf(each)}/set`)
    const word = payload.toString('utf8')
    if (entry?.canAct === true && (word === 'ON' || word === 'OFF')) act(entry.number, word === 'ON' ? 'fold' : 'pause')
  })

  return {
    publish,
    channel: name => ({
      isRepeatable: true,
      send: async ({ id, at, title, body, gravity, link, incidents }) => {
        if (!client.connected)
          return { kind: 'failed', reason: `${name} cannot be reached: the broker is not connected` }
        const text = JSON.stringify({
          event_type: gravity === undefined ? (incidents.length > 0 ? 'ended' : 'trial') : 'open',
          id,
          at: new Date(at).toISOString(),
          title,
          text: body,
          gravity: gravity ?? null,
          link: link ?? null,
          incidents,
        })
        const publishing = client.publishAsync(`${topic}/alerts`, text, { qos: 1 })
        const number = client.getLastMessageId()
        try {
          await withinTime(publishing)
          return { kind: 'sent' }
        } catch (error) {
          // Otherwise it would be sent again with each connection, also when it is no news any more.
          client.removeOutgoingMessage(number)
          publishing.catch(() => undefined)
          return { kind: 'unknown', reason: `${name} did not answer to the message: ${failureOf(error)}` }
        }
      },
    }),
    stop: async () => {
      if (client.connected)
        await withinTime(client.publishAsync(status, 'offline', { qos: 1, retain: true })).catch(() => undefined)
      await client.endAsync(true)
    },
  }
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' })), ATTEMPT_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, '_')
      .slice(0, MOST_NAME)
      .replaceAll(/^_|_$/g, '') || 'machine'
  )
}

function measured(object: string, name: string, unit: string, icon: string, state: string): Entity {
  return {
    component: 'sensor',
    object,
    config: {
      name,
      state_topic: state,
      value_template: `{{ value_json.${object} }}`,
      unit_of_measurement: unit,
      state_class: 'measurement',
      icon,
    },
  }
}

function isTrue(object: string, name: string, kind: string, test: string, state: string): Entity {
  return {
    component: 'binary_sensor',
    object,
    config: { name, state_topic: state, value_template: `{{ 'ON' if ${test} else 'OFF' }}`, device_class: kind },
  }
}

function clientEntities(base: string, canSwitch: boolean): readonly Entity[] {
  const state = `${base}/state`
  return [
    measured('points_per_day', 'Points per day', 'points/d', 'mdi:chart-line', state),
    measured('running_units', 'Running work units', 'units', 'mdi:molecule', state),
    measured('failed_units', 'Failed work units in a row', 'units', 'mdi:alert-circle-outline', state),
    isTrue('connected', 'Connected', 'connectivity', 'value_json.connected', state),
    isTrue('problem', 'Needs attention', 'problem', 'value_json.incidents > 0', state),
    ...(canSwitch
      ? [
          {
            component: 'switch' as const,
            object: 'folding',
            config: {
              name: 'Folding',
              state_topic: state,
              value_template: `{{ 'ON' if value_json.folding else 'OFF' }}`,
              command_topic: `${base}/set`,
              icon: 'mdi:molecule',
            },
          },
        ]
      : []),
  ]
}

/** What Home Assistant's energy board takes: power, a counter of energy, and its cost. */
function powerEntities(state: string, currency: string | undefined): readonly Entity[] {
  const entity = (object: string, name: string, unit: string, kind: string, stateClass: string): Entity => ({
    component: 'sensor',
    object,
    config: {
      name,
      state_topic: state,
      value_template: `{{ value_json.${object} }}`,
      unit_of_measurement: unit,
      device_class: kind,
      state_class: stateClass,
    },
  })
  return [
    entity('power', 'Power', 'W', 'power', 'measurement'),
    entity('energy', 'Energy', 'kWh', 'energy', 'total_increasing'),
    ...(currency === undefined ? [] : [entity('energy_cost', 'Energy cost', currency, 'monetary', 'total')]),
  ]
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** A sum with a part that is not known is not known either. */
function powerState(all: readonly (ClientPower | undefined)[]) {
  const knownPowers = all.filter(power => power !== undefined)
  const watts = knownPowers.length === all.length ? knownPowers.map(power => power.watts) : [undefined]
  const sum = (read: (power: ClientPower) => number): number =>
    knownPowers.reduce((total, power) => total + read(power), 0)
  const isKnown = knownPowers.length > 0
  return {
    power:
      isKnown && watts.every(value => value !== undefined)
        ? rounded(
            sum(power => power.watts ?? 0),
            1,
          )
        : null,
    energy: isKnown ? rounded(sum(({ total }) => total.wattHours) / 1000, 3) : null,
    energy_cost: isKnown
      ? rounded(
          sum(({ total }) => total.cost),
          4,
        )
      : null,
  }
}

function totalEntities(base: string, alerts: string): readonly Entity[] {
  const state = `${base}/state`
  return [
    measured('points_per_day', 'Points per day', 'points/d', 'mdi:chart-line', state),
    measured('running_units', 'Running work units', 'units', 'mdi:molecule', state),
    measured('connected_machines', 'Connected machines', 'machines', 'mdi:server-network', state),
    measured('incidents', 'Incidents', 'incidents', 'mdi:alert', state),
    {
      component: 'event',
      object: 'alerts',
      config: { name: 'Alerts', state_topic: alerts, event_types: ['open', 'ended', 'trial'], icon: 'mdi:bell' },
    },
  ]
}
