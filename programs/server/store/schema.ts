import type { Generated } from 'kysely'

/** Clients that were ever seen, by their own ids. */
export type MachineTable = {
  id: string
  name: string
  /** Canonical host:port of the last connection. */
  address: string
  os: string
  version: string
  first_seen: number
  last_seen: number
}

/** Work units that ended. */
export type UnitTable = {
  /** Of the client and the unit: a unit is reported again on each connection (docs/protocol.md §7). */
  key: string
  machine: string
  unit: string
  number: number | null
  group_name: string
  resource: string
  project: number | null
  run: number | null
  clone: number | null
  gen: number | null
  core: string | null
  result: string
  /** Points that the assignment promised at least; the final credit is known to the statistics only. */
  credit: number | null
  ppd: number | null
  /** Seconds. */
  run_time: number | null
  assigned: number | null
  ended: number
  /** Seconds per frame, and the share of the work, 0 to 1. Absent in rows of earlier versions. */
  tpf?: number | null | undefined
  progress?: number | null | undefined
}

/**
 * Points per day, by client, group, project and resource. Times without a row count as 0: nothing was folded, or no
 * server recorded it.
 */
export type SampleTable = {
  /** When the span began: epoch milliseconds. */
  at: number
  /** Seconds: the time between two samples, an hour or a day. */
  span: number
  machine: string
  group_name: string
  project: number
  resource: string
  /** Mean over the span. */
  ppd: number
}

/** Commands that people and programs sent through the server. */
export type ActionTable = {
  id: Generated<number>
  at: number
  who: string
  machine: string
  command: string
  /** What the sender gave as reason; for pages, that it was a page. */
  reason: string
  /** Null until known. */
  outcome: string | null
}

export type SessionTable = { hash: string; user: string; expires: number; made_with: string }

export type IncidentTable = {
  /** The key; of one that is over, key and end. */
  id: string
  /** Client, kind and subject: one at a time has not ended. */
  key: string
  machine: string
  kind: string
  gravity: string
  state: string
  since: number
  ended: number | null
  /** Since when it asks for attention, as text: told once to each person by each channel. */
  occurrence: string
  /** The whole incident as JSON. */
  value: string
}

/** What the rules of incidents keep about a client, as JSON. */
export type MemoryTable = { machine: string; value: string }

/** One incident for one person by one channel. */
export type AlertTable = {
  /** The event, person and channel: nothing is told twice. */
  key: string
  occurrence: string
  /** Key of the incident. */
  incident: string
  rule: string
  channel: string
  phase: string
  at: number
  due: number
  /** planned, taken by a delivery, or dropped since it was no news any more. */
  state: string
  delivery: string | null
  /** The incident as JSON, as it was when the alert was planned. */
  value: string
}

/** One message with alerts. */
export type DeliveryTable = {
  id: string
  rule: string
  channel: string
  state: string
  /** When its next step is due. */
  due: number
  failures: number
  error: string | null
  created: number
  settled: number | null
  /** When the last attempt began. */
  attempted: number | null
}
/** Schedules, in order, as JSON. */
export type ScheduleTable = { id: string; position: number; content: string }

/** The last value of each input. */
export type InputTable = { name: string; value: number; at: number }

/** What a client or group is kept in, as JSON, by its key; of all together under ''. */
export type ScheduleStateTable = { key: string; content: string }

/** Servers of one database, each by its current lease. */
export type ServerTable = {
  /** Another one for each lease, so that nothing can be written by an earlier one. */
  id: string
  /** Where the other servers reach it; empty when it lets none in. */
  url: string
  /** Which clients its settings have, as a hash: all servers must have the same. */
  settings: string
  /** Epoch milliseconds of the database's clock. */
  expires: number
}

/** Which server holds what: a client by its address, or the coordination. */
export type HoldingTable = { resource: string; server: string }

/** Clients of the enrolled account, in the order in which they were first listed. `listed`: 1 or 0. */
export type AccountMachineTable = { id: string; name: string; position: number; listed: number }

/** Sums of samples over whole hours or days, of everything that has the same name in a dimension. */
export type TotalTable = {
  /** Seconds: an hour or a day. */
  span: number
  dimension: string
  /** When it began: epoch milliseconds. */
  at: number
  name: string
  /** Mean over the span. */
  ppd: number
}

/** How far something has come that is done step by step: epoch milliseconds. */
export type ProgressTable = { name: string; at: number }

/** Browsers that show messages. */
export type PushTable = { endpoint: string; person: string; p256dh: string; auth: string; created: number }

/** Points and work units of a donor or team, once an hour. */
export type StandingTable = { kind: 'donor' | 'team'; name: string; at: number; score: number; wus: number }

/** Tags, saved views and settings of power of all pages, as JSON. */
export type SharedTable = { name: 'tags' | 'views' | 'power' | 'processors'; revision: number; content: string }

/** Prices by the input that they came by. Epoch milliseconds. */
export type PriceTable = { input: string; at: number; until: number; price: number }

/** What a client used in some time: a quarter of an hour, and later a day. */
export type EnergyTable = {
  machine: string
  /** Epoch milliseconds. */
  at: number
  until: number
  /** Of that time, what is known. */
  seconds: number
  watt_hours: number
  points: number
  /** Of `priced_watt_hours`. */
  cost: number
  priced_watt_hours: number
  /** Of CO₂, of `graded_watt_hours`. */
  grams: number
  graded_watt_hours: number
  origin: string
}

/** Up to where the counter of a meter is counted. */
export type CounterTable = {
  meter: string
  source: string
  /** Epoch milliseconds. */
  at: number
  watt_hours: number
  /** Watts. */
  peak: number
}

/** Rows of any table that could not be read. */
export type SetAsideTable = { from_table: string; content: string }

export type Tables = {
  set_aside: SetAsideTable
  counters: CounterTable
  prices: PriceTable
  energy: EnergyTable
  shared: SharedTable
  standings: StandingTable
  push_subscriptions: PushTable
  totals: TotalTable
  progress: ProgressTable
  servers: ServerTable
  holdings: HoldingTable
  account_machines: AccountMachineTable
  incidents: IncidentTable
  memories: MemoryTable
  alerts: AlertTable
  deliveries: DeliveryTable
  machines: MachineTable
  units: UnitTable
  samples: SampleTable
  actions: ActionTable
  sessions: SessionTable
  schedules: ScheduleTable
  inputs: InputTable
  schedule_states: ScheduleStateTable
}
