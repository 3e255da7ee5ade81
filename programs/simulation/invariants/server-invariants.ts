import { keepsHistory } from '../../../src/protocol/client/client-abilities.ts'
import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { isJsonObject } from '../../../src/protocol/json.ts'
import { isScheduled } from '../server-settings.ts'
import type { Servers } from '../servers.ts'
import { MINUTE } from '../time/durations.ts'
import type { World } from '../world.ts'
import type { Invariant, Checked } from './invariant.ts'
import { wantedAt, type AskedServer } from './server-books.ts'

type Look = Checked & { readonly servers: Servers; readonly now: number }

/** An invariant of worlds with servers. */
function ofServers(name: string, reason: string, check: (look: Look) => string | undefined): Invariant {
  return {
    name,
    reason,
    check: checked => {
      const { servers, scheduler } = checked.world
      return servers === undefined ? undefined : check({ ...checked, servers, now: scheduler.now() })
    },
  }
}

/** What an invariant keeps of a world between two looks. */
function memoryOf<Memory>(create: () => Memory): (world: World) => Memory {
  const memories = new WeakMap<World, Memory>()
  return world => {
    const memory = memories.get(world) ?? create()
    memories.set(world, memory)
    return memory
  }
}

/** Whether nothing has been wrong, and all servers have run, for so long. */
function isSettled({ calmSince, servers, now }: Look, ms: number): boolean {
  return (
    calmSince !== undefined &&
    now - calmSince > ms &&
    servers.processes.every(({ readySince }) => now - (readySince() ?? now) > ms)
  )
}

function clientsOf({ world }: Look) {
  return world.network.clients()
}

function nameOf(one: ReturnType<typeof clientsOf>[number]): string {
  return `${one.client.name()} (${one.slot + 1})`
}

const noComplaints = ofServers(
  'no server complains of nothing',
  'A warning that nothing has caused hides those that matter, and an error is a mistake of the program.',
  ({ servers, calmSince }) => {
    if (calmSince === undefined) return undefined
    const found = servers.complaints.find(({ at }) => at > calmSince + 3 * MINUTE)
    return found === undefined ? undefined : `server ${found.server}: ${found.text}`
  },
)

function isPartOf(asked: FoldingState, state: unknown): boolean {
  return state === asked || (asked === 'finish' && state === 'fold')
}

/** Milliseconds for which a command may be on its way. */
const ON_ITS_WAY = 10 * MINUTE

const matched = memoryOf(() => ({ next: 0, orders: new Map<AskedServer, unknown[]>() }))

/** What is wrong with a command that a machine of no schedule received. */
function wrongWith(look: Look, { at, machine, command }: World['serverCommands'][number]): string | undefined {
  const { orders } = matched(look.world)
  const state = isJsonObject(command) ? command['state'] : undefined
  const meant = look.servers.books.asked.filter(
    asked => asked.machine === machine && isPartOf(asked.state, state) && asked.at <= at && at - asked.at < ON_ITS_WAY,
  )
  const unmet = meant.filter(each => orders.get(each)?.includes(state) !== true)
  // What is to finish may be told to fold first, so another click may have been meant.
  const asked = unmet.find(each => each.state === state) ?? unmet[0]
  if (asked === undefined) return meant.length === 0 ? 'which nobody asked for' : 'twice'
  orders.set(asked, [...(orders.get(asked) ?? []), state])
  return undefined
}

const commandsOnce = ofServers(
  'a server sends what was asked, once, to the machine that it was for',
  'What is done twice may undo what was done in between; a click concerns one machine.',
  look => {
    const memory = matched(look.world)
    const { serverCommands } = look.world
    while (memory.next < serverCommands.length) {
      const received = serverCommands[memory.next++]
      if (received === undefined || !isJsonObject(received.command) || received.command['cmd'] !== 'state') continue
      if (isScheduled(received.machine)) continue
      const wrong = wrongWith(look, received)
      if (wrong !== undefined)
        return `machine ${received.machine + 1} received ${JSON.stringify(received.command)} at ${new Date(received.at).toISOString()}, ${wrong}`
    }
    const lost = look.servers.books.asked.find(
      asked => asked.outcome === 'confirmed' && !asked.wasSet && !memory.orders.has(asked),
    )
    return lost === undefined
      ? undefined
      : `${lost.state} for machine ${lost.machine + 1} was confirmed, and never arrived`
  },
)

type Kept = { since: number; isKept: boolean; state: FoldingState; wrongSince: number | undefined }
const keptBoundaries = memoryOf(() => new Map<number, Kept>())

/** Milliseconds after a boundary, and after everything works again, within which a machine must have its state. */
const PUNCTUAL = 2 * MINUTE

function statesOf(look: Look, one: ReturnType<typeof clientsOf>[number]): readonly FoldingState[] {
  return Object.values(groupsOf(look.books.stateOf(one))).map(groupState)
}

/** A unit that was to be finished may be over, and its group paused. */
function hasState(states: readonly FoldingState[], wanted: FoldingState): boolean {
  return states.every(state => state === wanted || (wanted === 'finish' && state === 'pause'))
}

/** Whether a person has told the machine something else in another way. */
function wasTouched(look: Look, client: string, since: number): boolean {
  return look.books.received().some(each => each.client === client && each.at >= since - PUNCTUAL)
}

function isReported({ servers }: Look, since: number, machine: string): boolean {
  return servers
    .rows("SELECT machine, reason FROM actions WHERE outcome LIKE 'missed:%'")
    .some(
      row =>
        String(row['machine']) === machine && String(row['reason']).includes(`${new Date(since).toISOString()} to`),
    )
}

const schedulesKept = ofServers(
  'every boundary of a schedule is kept or reported',
  'A schedule that is not kept costs money or points, and nobody looks whether it was.',
  look => {
    const { now, servers, world } = look
    const holding = servers.books.holding()
    const boundaries = keptBoundaries(world)
    const schedule = holding?.schedule
    if (holding === undefined || schedule === undefined || servers.processes.some(({ ahead }) => ahead !== 0)) {
      boundaries.clear()
      return undefined
    }
    const { state, since } = wantedAt(schedule, now)
    for (const one of clientsOf(look)) {
      if (!isScheduled(one.slot)) continue
      const before = boundaries.get(one.slot)
      if (before !== undefined && before.since !== since) {
        if (!before.isKept && isSettled(look, PUNCTUAL) && world.isReachable(one.slot) && now - since > PUNCTUAL) {
          const address = `127.0.0.1:${8000 + one.slot}`
          if (!isReported(look, before.since, one.client.name()) && !isReported(look, before.since, address))
            return `${nameOf(one)} never had the state ${before.state} from ${new Date(before.since).toISOString()} on, and that is not reported`
        } else if (!before.isKept) continue
        boundaries.delete(one.slot)
      }
      const current = boundaries.get(one.slot) ?? { since, isKept: before === undefined, state, wrongSince: undefined }
      boundaries.set(one.slot, current)
      if (hasState(statesOf(look, one), state) || wasTouched(look, one.id, Math.max(since, holding.since))) {
        current.isKept = true
        current.wrongSince = undefined
      } else if (
        !isSettled(look, PUNCTUAL) ||
        !world.isReachable(one.slot) ||
        now - since < PUNCTUAL ||
        now - holding.since < PUNCTUAL
      )
        current.wrongSince = undefined
      else {
        current.wrongSince ??= now
        if (now - current.wrongSince > PUNCTUAL)
          return `${nameOf(one)} is to ${state} since ${new Date(since).toISOString()}, and is set to ${statesOf(look, one).join(', ')}`
      }
    }
    return undefined
  },
)

/** What does not come and go by itself: of others, one that returns is told again when its end was told. */
const STEADY: ReadonlySet<string> = new Set(['gpu-gone', 'too-old', 'outdated', 'shared', 'nonsense'])

const alertMemory = memoryOf(() => ({ next: 0, ids: new Map<string, string>() }))

const alertsOnce = ofServers(
  'each alert once',
  'Who is told twice stops reading, and who is not told finds out from the points.',
  look => {
    const { servers, now, world } = look
    const memory = alertMemory(world)
    while (memory.next < servers.sentAlerts.length) {
      const alert = servers.sentAlerts[memory.next++]
      if (alert === undefined) continue
      const cause = alert.cause.replaceAll(/(WU\d+)|\d+/g, '$1')
      const about = [alert.machine, alert.kind, alert.since].join(' ')
      const key = `${alert.state} ${about} ${cause}`
      // The end may be told of another cause: what is known of a clock changes.
      const other = `${alert.state === 'open' ? 'ended' : 'open'} ${about} `
      if (!STEADY.has(alert.kind))
        for (const each of memory.ids.keys()) if (each.startsWith(other)) memory.ids.delete(each)
      const before = memory.ids.get(key)
      if (before !== undefined && before !== alert.id)
        return `${key} was told by the messages ${before} and ${alert.id}`
      memory.ids.set(key, alert.id)
    }
    if (!isSettled(look, 15 * MINUTE)) return undefined
    const ids = new Set(servers.sentAlerts.map(({ id }) => id))
    const [lost] = servers
      .rows(`SELECT id FROM deliveries WHERE state = 'delivered'`)
      .filter(({ id }) => !ids.has(String(id)))
    if (lost !== undefined) return `the message ${String(lost['id'])} is stored as delivered, and nobody got it`
    const [stuck] = servers.rows(
      `SELECT id, state, due FROM deliveries WHERE state NOT IN ('delivered', 'given-up', 'unknown', 'unneeded') AND due < ${now - 10 * MINUTE}`,
    )
    if (stuck !== undefined) return `a message is not sent: ${JSON.stringify(stuck)}`
    const [untold] =
      servers.rows(`SELECT key, occurrence FROM incidents WHERE ended IS NULL AND state = 'open' AND occurrence <> '' AND since < ${now - 15 * MINUTE}
      AND occurrence NOT IN (SELECT occurrence FROM alerts)`)
    return untold === undefined ? undefined : `nobody was told of ${JSON.stringify(untold)}`
  },
)

const LOOK_AT_HISTORY = 5 * MINUTE
const looked = memoryOf(() => ({ at: 0, missing: new Map<string, number>() }))

const serverHistory = ofServers(
  'the history of a server is complete and without doubles',
  'A client forgets its units: what no server has kept is lost, and what it has twice counts twice.',
  look => {
    const { servers, now, world } = look
    const memory = looked(world)
    if (now - memory.at < LOOK_AT_HISTORY) return undefined
    memory.at = now
    const rows = servers.rows('SELECT machine, unit, count(*) AS times FROM units GROUP BY machine, unit')
    const twice = rows.find(({ times, unit }) => Number(times) > 1 && unit !== '')
    if (twice !== undefined) return `a unit is stored twice: ${JSON.stringify(twice)}`
    const stored = new Set(rows.map(({ machine, unit }) => `${String(machine)} ${String(unit)}`))
    for (const one of clientsOf(look))
      for (const id of look.books.endedOn(one)) {
        const name = `${one.id} ${id}`
        if (
          stored.has(name) ||
          !keepsHistory(one.client.profile.version) ||
          !isSettled(look, 2 * MINUTE) ||
          !world.isReachable(one.slot)
        )
          memory.missing.delete(name)
        else {
          const since = memory.missing.get(name) ?? now
          memory.missing.set(name, since)
          if (now - since > LOOK_AT_HISTORY) return `the unit ${id} of ${nameOf(one)} is not stored`
        }
      }
    return undefined
  },
)

const RULE = ['kind', 'days', 'from', 'until', 'state']

/** The last ones: a look at all that were ever stored would take longer with each. */
const LOOKED_AT_VALUES = 5

const acknowledgedStored = ofServers(
  'what a server has acknowledged is stored',
  'The next server knows what is stored and nothing else: what was answered as done would be lost with the one that answered.',
  ({ servers }) => {
    for (const { sql, text } of servers.books.values.slice(-LOOKED_AT_VALUES)) {
      const stored = String(servers.rows(sql)[0]?.['stored'])
      if (!stored.includes(text)) return `${text} was acknowledged, and ${stored} is stored`
    }
    const schedule = servers.books.acknowledged()
    if (schedule === undefined) return undefined
    const content = servers.rows('SELECT content FROM schedules')[0]?.['content']
    const stored: unknown = typeof content === 'string' ? JSON.parse(content) : null
    const textOf = (value: unknown): string => JSON.stringify(value, ['timeZone', 'rules', 'otherwise', ...RULE])
    return textOf(stored) === textOf(schedule)
      ? undefined
      : `${textOf(schedule)} was saved, and ${textOf(stored)} is stored`
  },
)

const serverSecret = ofServers(
  'a server tells no secret',
  'Logs and databases are copied, and answers of the API are for viewers: secrets of the settings belong into none of them.',
  ({ servers }) => servers.leakedSecrets[0],
)

type Seen = { at: number; connected: ReadonlyMap<number, boolean> }
const polled = memoryOf(() => ({ at: 0, seen: new Map<number, Seen>(), wrongSince: new Map<string, number>() }))
const POLL = MINUTE
/** Longer than the wait between two attempts of a server to reach a machine. */
const AGREEMENT = 3 * MINUTE

const serverAgreement = ofServers(
  'servers agree with the machines after the faults',
  'Nothing that went wrong may leave a server wrong once everything works.',
  look => {
    const { servers, now, world } = look
    const memory = polled(world)
    if (now - memory.at >= POLL) {
      memory.at = now
      for (const { number } of servers.processes)
        servers.call(number, 'GET', '/api/server/machines').then(
          ({ status, json }) => {
            if (status !== 200) return
            const { machines } = json as {
              readonly machines: readonly { readonly number: number; readonly connected: boolean }[]
            }
            const connected = new Map(machines.map(each => [each.number - 1, each.connected]))
            memory.seen.set(number, { at: world.scheduler.now(), connected })
          },
          () => undefined,
        )
    }
    for (const { number } of servers.processes)
      for (const one of clientsOf(look)) {
        const name = `${number} ${one.slot}`
        const seen = memory.seen.get(number)
        const isRight = seen?.connected.get(one.slot) === world.isReachable(one.slot)
        if (isRight || !isSettled(look, AGREEMENT)) memory.wrongSince.delete(name)
        else {
          const since = memory.wrongSince.get(name) ?? now
          memory.wrongSince.set(name, since)
          if (now - since > AGREEMENT)
            return `server ${number} says of ${nameOf(one)}: ${seen?.connected.get(one.slot) === true ? 'connected' : 'not connected'}`
        }
      }
    return undefined
  },
)

type AccountMachine = { readonly id?: string; readonly connected: boolean }
type SeenOfAccount = {
  at: number
  machines: ReadonlyMap<string, boolean>
  readonly wrongSince: Map<string, number>
}
const seenOfAccount = memoryOf((): SeenOfAccount => ({ at: 0, machines: new Map(), wrongSince: new Map() }))

const accountAtServer = ofServers(
  'a server knows the machines of its account',
  'Nobody else looks after machines that are reached by their account alone.',
  look => {
    const { servers, now, world } = look
    const since = servers.books.enrolledSince()
    if (since === undefined) return undefined
    const memory = seenOfAccount(world)
    if (now - memory.at >= POLL) {
      memory.at = now
      servers.call(1, 'GET', '/api/server/machines').then(
        ({ status, json }) => {
          if (status !== 200) return
          const { machines } = json as { readonly machines: readonly AccountMachine[] }
          memory.machines = new Map(
            machines.flatMap(({ id, connected }) => (id === undefined ? [] : [[id, connected]])),
          )
        },
        () => undefined,
      )
    }
    for (const one of world.household.clients()) {
      const reported = memory.machines.get(one.id)
      // One that was removed from the account, or never belonged to it, is none of its machines.
      const isRight = reported === one.isOnline() || (reported === undefined && !one.isOnline())
      if (isRight || !isSettled(look, AGREEMENT) || now - since < AGREEMENT) memory.wrongSince.delete(one.id)
      else {
        const wrongSince = memory.wrongSince.get(one.id) ?? now
        memory.wrongSince.set(one.id, wrongSince)
        if (now - wrongSince > AGREEMENT)
          return `the server says of ${one.client.name()}: ${reported === undefined ? 'unknown' : reported ? 'connected' : 'not connected'}`
      }
    }
    return undefined
  },
)

/** What must hold in worlds with servers, each with its reason. */
export const serverInvariants: readonly Invariant[] = [
  noComplaints,
  commandsOnce,
  schedulesKept,
  alertsOnce,
  serverHistory,
  acknowledgedStored,
  serverSecret,
  serverAgreement,
  accountAtServer,
]
