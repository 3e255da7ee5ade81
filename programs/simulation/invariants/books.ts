import type { SimulatedClient } from '../../network/clients/index.ts'
import type { FleetClient } from '../../network/index.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import { saidBy } from '../inhabitants/said.ts'
import type { OpenPage, World } from '../world.ts'
import { createCommandWatch, type CommandWatch } from './commands.ts'

/** A command that somebody gave. */
export type Asked = {
  readonly at: number
  readonly page: OpenPage
  readonly ref: ClientRef
  /** The id of the client that it is for. */
  readonly client: string
  readonly state: FoldingState
  /** Undefined for all of the machine. */
  readonly group: string | undefined
  /** False when the page decides whether the client is concerned, and which of its groups. */
  readonly isSure: boolean
  /** What the client has received of it: see `orderOf`. */
  readonly orders: string[]
}

/** What else is said of a command: see `Asked`. */
export type AskedHow = { readonly group?: string; readonly isSure?: boolean }

export type Received = {
  readonly at: number
  readonly client: string
  readonly command: JsonObject
  readonly asked: Asked | undefined
}

/** Settings of a group. */
type Settings = Readonly<Record<string, unknown>>

/** What really happened, independently of what any page believes. */
export type Books = {
  readonly asked: (page: OpenPage, ref: ClientRef, state: FoldingState, how?: AskedHow) => void
  /** Somebody is about to save these settings of a group. */
  readonly changed: (ref: ClientRef, group: string, settings: Settings) => void
  /** Somebody does what may change anything of a group; of all groups without one. */
  readonly mayChange: (ref: ClientRef, group?: string) => void
  /** What commands changed of settings without being asked to, in words. */
  readonly unasked: () => readonly string[]
  readonly commands: () => readonly Asked[]
  /** What pages want of their clients, and what became of it. */
  readonly watch: CommandWatch
  readonly received: () => readonly Received[]
  /** What the client would tell a new reader now. */
  readonly stateOf: (client: FleetClient) => ClientData | undefined
  /** Ids of the units that ended on a client, as far as it has read its own history. */
  readonly endedOn: (client: FleetClient) => readonly string[]
  readonly clients: () => readonly FleetClient[]
  /** Ids of clients whose clock was ever wrong. */
  readonly wrongClocks: Set<string>
}

function endedOn({ client }: FleetClient): readonly string[] {
  const stored = client.snapshotForStore()
  const rows = isJsonObject(stored) && Array.isArray(stored['history']) ? stored['history'] : []
  return rows.flatMap((row: Json) => (isJsonObject(row) && typeof row['id'] === 'string' ? [row['id']] : []))
}

/** Between a group and its key: names of groups may have anything else. */
const OF = '\n'

/** Settings as text, by group and key. */
function settingsOf(client: SimulatedClient): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(saidBy(client)?.groups ?? {}).flatMap(([group, { config = {} }]) => [
      [group, 'is there'],
      ...Object.entries(config).map(([key, value]): [string, string] => [`${group}${OF}${key}`, JSON.stringify(value)]),
    ]),
  )
}

/**
 * A command to a whole machine names no group, unless the page decides what is done; one that is to finish what it has
 * paused is told to fold first.
 */
export function isPartOf(asked: Pick<Asked, 'state' | 'group' | 'isSure'>, { state, group }: JsonObject): boolean {
  return (
    (state === asked.state && (!asked.isSure || group === asked.group)) ||
    (asked.state === 'finish' && state === 'fold')
  )
}

/**
 * A state and a group. Folding undoes 'finish', so a page that folds what was paused after a broadcast of 'finish' must
 * say it once more: that is an order of its own.
 */
function orderOf({ orders }: Pick<Asked, 'orders'>, { state, group }: JsonObject, lastState: Json | undefined): string {
  const order = `${JSON.stringify(state)} ${typeof group === 'string' ? group : ''}`
  const isAgain = state === 'finish' && orders.includes(order) && lastState === 'fold'
  return isAgain ? `${order} after folding` : order
}

/** Books hold this many entries of each kind: what is older has been checked. */
const KEPT = 200

function keepLast(list: unknown[]): void {
  if (list.length > 2 * KEPT) list.splice(0, list.length - KEPT)
}

export function createBooks({ network, household, faultyChannels, scheduler: { now } }: World): Books {
  const commands: Asked[] = []
  const received: Received[] = []
  const watch = createCommandWatch(now)
  const clients = (): readonly FleetClient[] => [network.local, ...network.clients(), ...household.clients()]

  const idOf = (ref: ClientRef): string => (ref.id.startsWith('@') || ref.id === DIRECT_ID ? network.local.id : ref.id)

  /** When the last command to a client was sent, as it said: seconds as text. */
  const lastTimes = new Map<string, string>()

  const startedAt = new Map<string, number>()

  /**
   * A client drops what is not a second later than its last command. A broadcast cannot wait for one client, so the page
   * says it to that client again.
   */
  const isDropped = (client: string, time: Json | undefined): boolean =>
    typeof time === 'string' && time <= (lastTimes.get(client) ?? '')

  const note = (client: string, command: Json, how: 'alone' | 'broadcast'): void => {
    if (!isJsonObject(command) || command['cmd'] !== 'state') return
    const { time } = command
    // On its way to a client that is reached directly a message may have been repeated, which drops it by its time.
    const isRepeated = client === network.local.id && faultyChannels.get('direct') === 'duplicate'
    const isInVain = (how === 'broadcast' || isRepeated) && isDropped(client, time)
    if (typeof time === 'string' && !isDropped(client, time)) lastTimes.set(client, time)
    const all = commands.filter(one => one.client === client && isPartOf(one, command)).reverse()
    const meant = [...all.filter(({ isSure }) => isSure), ...all.filter(({ isSure }) => !isSure)]
    // The last click whose command has not come yet, or else the last one, which then has come twice.
    const lastState = received.findLast(one => one.client === client)?.command['state']
    const asked = meant.find(one => !one.orders.includes(orderOf(one, command, lastState))) ?? meant[0]
    if (!isInVain) asked?.orders.push(orderOf(asked, command, lastState))
    // A node tells it for minutes to each machine that connects, which may be a new one.
    const began = startedAt.get(client) ?? 0
    const before = how === 'broadcast' ? commands.findLast(one => one.at < began && isPartOf(one, command)) : undefined
    received.push({ at: now(), client, command, asked: asked ?? before })
    keepLast(received)
  }

  const states = new Map<FleetClient, { readonly at: number; readonly data: ClientData | undefined }>()
  /** Several invariants ask at the same moment. */
  const stateOf = (client: FleetClient): ClientData | undefined => {
    const cached = states.get(client)
    if (cached?.at === now()) return cached.data
    const data = saidBy(client.client)
    states.set(client, { at: now(), data })
    return data
  }

  const wanted = new Set<string>()
  const open = new Set<string>()
  const unasked: string[] = []

  const compare = (id: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void => {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [was = 'nothing', is = 'nothing'] = [before.get(key), after.get(key)]
      const [group = ''] = key.split(OF)
      if (open.has(id) || open.has(`${id} ${group}`)) continue
      if (was !== is && !wanted.has(`${id} ${key} ${is}`)) unasked.push(`${id}: ${key} was ${was}, and is ${is}`)
    }
  }

  const followClient = (id: string, client: SimulatedClient): void => {
    startedAt.set(id, now())
    const attach = client.attach.bind(client)
    const watched: typeof attach = send => {
      const connection = attach(send)
      return {
        ...connection,
        receive: command => {
          note(id, command, 'alone')
          if (!isJsonObject(command) || command['cmd'] !== 'config') return connection.receive(command)
          const before = settingsOf(client)
          const outcome = connection.receive(command)
          compare(id, before, settingsOf(client))
          return outcome
        },
      }
    }
    const receiveBroadcast = client.receiveBroadcast.bind(client)
    Object.assign(client, {
      attach: watched,
      receiveBroadcast: (payload: Json) => {
        note(id, payload, 'broadcast')
        receiveBroadcast(payload)
      },
    })
  }
  for (const { id, client } of clients()) followClient(id, client)
  household.whenStarted(followClient)

  return {
    watch,
    asked: (page, ref, state, { group, isSure = true } = {}) => {
      // Reported and recorded clients have no books.
      if (!household.ids().has(ref.id) && !clients().some(({ id }) => id === idOf(ref))) return
      watch.follow(ref)
      commands.push({ at: now(), page, ref, client: idOf(ref), state, group, isSure, orders: [] })
      keepLast(commands)
    },
    changed: (ref, group, settings) => {
      for (const [key, value] of Object.entries(settings))
        wanted.add(`${idOf(ref)} ${group}${OF}${key} ${JSON.stringify(value)}`)
    },
    mayChange: (ref, group) => void open.add(group === undefined ? idOf(ref) : `${idOf(ref)} ${group}`),
    unasked: () => unasked,
    commands: () => commands,
    received: () => received,
    stateOf,
    endedOn,
    clients,
    wrongClocks: new Set(),
  }
}
