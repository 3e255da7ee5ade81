import type { Generated } from 'kysely'
import { MOST_PRICE } from '../../../src/folding/power/power.ts'

type Bounds = readonly [least: number, most: number]
/** What a column holds: text, or a number within bounds. With a question mark: or null. */
export type ColumnKind = 'text' | 'text?' | Bounds | readonly [...Bounds, '?']

/** Epoch milliseconds. */
const TIME = [0, 8.64e15] as const
const COUNT = [0, Number.MAX_SAFE_INTEGER] as const
export const AMOUNT = [0, 1e15] as const
const NUMBER = [-1e15, 1e15] as const
function orNull([least, most]: Bounds) {
  return [least, most, '?'] as const
}
function texts<Name extends string>(...names: readonly Name[]): Record<Name, 'text'> {
  return Object.fromEntries(names.map(name => [name, 'text'])) as Record<Name, 'text'>
}

/** Columns whose values are checked at the start (sound-rows.ts), by table. */
export const CHECKED_COLUMNS = {
  /** Clients that were ever seen, by their own ids. `address`: canonical host:port of the last connection. */
  machines: { ...texts('id', 'name', 'address', 'os', 'version'), first_seen: TIME, last_seen: TIME },
  /**
   * Work units that ended. `key`: of the client and the unit, since a unit is reported again on each connection (docs/protocol.md §7).
   * `credit`: points that the assignment promised at least; `logged_credit`: what the API of
   * Folding@home logged for it, and `credit_asked`: when that was asked last. `run_time` and `tpf`, the
   * time of a frame: seconds. `progress`: the share of the work, 0 to 1.
   */
  units: {
    ...texts('key', 'machine', 'unit', 'group_name', 'resource', 'result'),
    core: 'text?',
    number: orNull(NUMBER),
    project: orNull(NUMBER),
    run: orNull(NUMBER),
    clone: orNull(NUMBER),
    gen: orNull(NUMBER),
    credit: orNull(AMOUNT),
    ppd: orNull(NUMBER),
    run_time: orNull(NUMBER),
    tpf: orNull(NUMBER),
    progress: orNull(NUMBER),
    assigned: orNull(TIME),
    ended: TIME,
    logged_credit: orNull(AMOUNT),
    credit_asked: orNull(TIME),
  },
  /**
   * What a client used from `at` until `until`: a quarter of an hour, and later a day. `seconds`: of that time, what is known. `cost`: of
   * `priced_watt_hours`; `grams` of CO₂: of `graded_watt_hours`.
   */
  energy: {
    ...texts('machine', 'origin'),
    at: TIME,
    until: TIME,
    seconds: AMOUNT,
    watt_hours: AMOUNT,
    points: AMOUNT,
    cost: NUMBER,
    priced_watt_hours: AMOUNT,
    grams: NUMBER,
    graded_watt_hours: AMOUNT,
  },
  /** Prices by the input that they came by. */
  prices: { input: 'text', at: TIME, until: TIME, price: [-MOST_PRICE, MOST_PRICE] },
  /** Up to where the counter of a meter is counted. `peak`: watts. */
  counters: { ...texts('meter', 'source'), at: TIME, watt_hours: AMOUNT, peak: AMOUNT },
  /** The last value of each input. */
  inputs: { name: 'text', value: [-1e12, 1e12], at: TIME },
  /** Points and work units of a donor or team, once an hour. */
  standings: { ...texts('kind', 'name'), at: TIME, score: AMOUNT, wus: AMOUNT },
  /** Tags, saved views, settings of power and notes of processors of all pages, as JSON. */
  shared: { ...texts('name', 'content'), revision: COUNT },
  /** How far something has come that is done step by step. */
  progress: { name: 'text', at: TIME },
  /**
   * Commands that people and programs sent through the server. `reason`: what the sender gave; for pages, that it was a page. `outcome`:
   * null until known.
   */
  actions: { ...texts('who', 'machine', 'command', 'reason'), id: COUNT, at: TIME, outcome: 'text?' },
  /** Schedules, in order, as JSON. */
  schedules: { ...texts('id', 'content'), position: COUNT },
  /** What a client or group is kept in, as JSON, by its key; of all together under ''. */
  schedule_states: texts('key', 'content'),
  /** Clients of the enrolled account, in the order in which they were first listed. `listed`: 1 or 0. */
  account_machines: { ...texts('id', 'name'), position: COUNT, listed: COUNT },
  /** Browsers that show messages. */
  push_subscriptions: { ...texts('endpoint', 'person', 'p256dh', 'auth'), created: TIME },
  /** What the rules of incidents keep about a client, as JSON. */
  memories: texts('machine', 'value'),
  /**
   * `id`: the key; of one that is over, key and end. `key`: client, kind and subject: one at a time has not ended. `occurrence`: since
   * when it asks for attention, as text: told once to each person by each channel. `value`: the whole incident as JSON.
   */
  incidents: {
    ...texts('id', 'key', 'machine', 'kind', 'gravity', 'state', 'occurrence', 'value'),
    since: TIME,
    ended: orNull(TIME),
  },
  /**
   * One incident for one person by one channel. `key`: the event, person and channel: nothing is told twice. `incident`: its key. `state`:
   * planned, taken by a delivery, or dropped since it was no news any more. `value`: the incident as JSON, as it was when this was planned.
   */
  alerts: {
    ...texts('key', 'occurrence', 'incident', 'rule', 'channel', 'phase', 'state', 'value'),
    at: TIME,
    due: TIME,
    delivery: 'text?',
  },
  /** One message with alerts. `due`: when its next step is. `attempted`: when the last attempt began. */
  deliveries: {
    ...texts('id', 'rule', 'channel', 'state'),
    due: TIME,
    failures: COUNT,
    error: 'text?',
    created: TIME,
    settled: orNull(TIME),
    attempted: orNull(TIME),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnKind>>>>

type Value<Kind> = Kind extends 'text'
  ? string
  : Kind extends 'text?'
    ? string | null
    : Kind extends readonly [number, number]
      ? number
      : number | null
type Rows = {
  [Table in keyof typeof CHECKED_COLUMNS]: {
    -readonly [Column in keyof (typeof CHECKED_COLUMNS)[Table]]: Value<(typeof CHECKED_COLUMNS)[Table][Column]>
  }
}

/** Clients know no credits, and rows of earlier versions neither `tpf` nor `progress`. */
type Later = 'tpf' | 'progress' | 'logged_credit' | 'credit_asked'
export type UnitTable = Omit<Rows['units'], Later> & { [Column in Later]?: Rows['units'][Column] | undefined }
export type MachineTable = Rows['machines']
export type ActionTable = Omit<Rows['actions'], 'id'> & { id: Generated<number> }
export type IncidentTable = Rows['incidents']
export type AlertTable = Rows['alerts']
export type DeliveryTable = Rows['deliveries']
export type PushTable = Rows['push_subscriptions']
export type StandingTable = Omit<Rows['standings'], 'kind'> & { kind: 'donor' | 'team' }
export type SharedTable = Omit<Rows['shared'], 'name'> & { name: 'tags' | 'views' | 'power' | 'processors' }
export type EnergyTable = Rows['energy']

/**
 * Points per day, by client, group, project and resource. Times without a row count as 0: nothing was folded, or no
 * server recorded it. `span`: seconds from `at`: the time between two samples, an hour or a day; `ppd` is the mean over it.
 */
export type SampleTable = {
  at: number
  span: number
  machine: string
  group_name: string
  project: number
  resource: string
  ppd: number
}

type Overridden = 'units' | 'actions' | 'standings' | 'shared'
export type Tables = Omit<Rows, Overridden> & {
  units: UnitTable
  actions: ActionTable
  standings: StandingTable
  shared: SharedTable
  samples: SampleTable
  /** Sums of samples over whole hours or days, of everything that has the same name in a dimension. */
  totals: Pick<SampleTable, 'at' | 'span' | 'ppd'> & { dimension: string; name: string }
  sessions: { hash: string; user: string; expires: number; made_with: string }
  /**
   * Servers of one database, each by its current lease. `id`: another one for each lease, so that nothing can be written by an earlier
   * one. `url`: where the other servers reach it; empty when it lets none in. `settings`: which clients its settings have, as a hash: all
   * servers must have the same. `expires`: epoch milliseconds of the database's clock.
   */
  servers: { id: string; url: string; settings: string; expires: number }
  /** Which server holds what: a client by its address, or the coordination. */
  holdings: { resource: string; server: string }
  /** Rows of any table that could not be read. */
  set_aside: { from_table: string; content: string }
}
