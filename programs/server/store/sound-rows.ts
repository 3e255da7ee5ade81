/*
 * Rows that this program never writes: a restored backup, or a hand, may have made them. They are set aside at the start,
 * so that whatever is read later can be believed.
 */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import { MOST_PRICE } from '../../../src/folding/power/power.ts'
import { partsOf, reportRowSetAside } from './rows.ts'
import type { Tables } from './schema.ts'

type Bounds = readonly [least: number, most: number]
/** With a question mark: or null. */
type Kind = 'text' | 'text?' | Bounds | readonly [...Bounds, '?']

const TIME: Bounds = [0, 8.64e15]
const COUNT: Bounds = [0, Number.MAX_SAFE_INTEGER]
const AMOUNT: Bounds = [0, 1e15]
const NUMBER: Bounds = [-1e15, 1e15]
function orNull([least, most]: Bounds): Kind {
  return [least, most, '?']
}
function texts<Name extends string>(...names: readonly Name[]): Record<Name, Kind> {
  return Object.fromEntries(names.map(name => [name, 'text'])) as Record<Name, Kind>
}

type Soundness = { readonly [Table in keyof Tables]?: { readonly [Column in keyof Tables[Table]]-?: Kind } }

/** Samples and their sums are too many: bad ones are left out where they are read, and set aside later (points-store.ts). */
const SOUND: Soundness = {
  machines: { ...texts('id', 'name', 'address', 'os', 'version'), first_seen: TIME, last_seen: TIME },
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
  },
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
  prices: { input: 'text', at: TIME, until: TIME, price: [-MOST_PRICE, MOST_PRICE] },
  counters: { ...texts('meter', 'source'), at: TIME, watt_hours: AMOUNT, peak: AMOUNT },
  inputs: { name: 'text', value: [-1e12, 1e12], at: TIME },
  standings: { ...texts('kind', 'name'), at: TIME, score: AMOUNT, wus: AMOUNT },
  shared: { ...texts('name', 'content'), revision: COUNT },
  progress: { name: 'text', at: TIME },
  actions: { ...texts('who', 'machine', 'command', 'reason'), id: COUNT, at: TIME, outcome: 'text?' },
  schedules: { ...texts('id', 'content'), position: COUNT },
  schedule_states: texts('key', 'content'),
  account_machines: { ...texts('id', 'name'), position: COUNT, listed: COUNT },
  push_subscriptions: { ...texts('endpoint', 'person', 'p256dh', 'auth'), created: TIME },
  memories: texts('machine', 'value'),
  incidents: {
    ...texts('id', 'key', 'machine', 'kind', 'gravity', 'state', 'occurrence', 'value'),
    since: TIME,
    ended: orNull(TIME),
  },
  alerts: {
    ...texts('key', 'occurrence', 'incident', 'rule', 'channel', 'phase', 'state', 'value'),
    at: TIME,
    due: TIME,
    delivery: 'text?',
  },
  deliveries: {
    ...texts('id', 'rule', 'channel', 'state'),
    due: TIME,
    failures: COUNT,
    error: 'text?',
    created: TIME,
    settled: orNull(TIME),
    attempted: orNull(TIME),
  },
}

/** SQLite keeps a value of any type in any column: a number is less than each text, a blob more. */
function isSound(column: string, kind: Kind): RawBuilder<SqlBool> {
  const value = sql.ref(column)
  if (kind === 'text') return sql`CAST(${value} AS text) = ${value}`
  if (kind === 'text?') return sql`(${value} IS NULL OR CAST(${value} AS text) = ${value})`
  const [least, most, mayBeNull] = kind
  const within = sql`${value} BETWEEN ${sql.lit(least)} AND ${sql.lit(most)}`
  return mayBeNull === undefined ? sql`${within}` : sql`(${value} IS NULL OR ${within})`
}

/** Moves rows that cannot be read to the table `set_aside`, and reports them once. */
export async function setUnsoundAside(db: Kysely<Tables>): Promise<void> {
  for (const [table, columns] of Object.entries(SOUND) as [keyof Tables, Record<string, Kind>][]) {
    const isBad = sql`NOT COALESCE(${sql.join(
      Object.entries(columns).map(([column, kind]) => isSound(column, kind)),
      sql` AND `,
    )}, false)`
    const from = sql.table(table)
    const { rows } = await sql`SELECT 1 FROM ${from} WHERE ${isBad} LIMIT 1`.execute(db)
    if (rows.length === 0) continue
    await db.transaction().execute(change => setAside(change, table, isBad, db))
  }
}

/** Moves rows to the table `set_aside` within a transaction, and reports them once. `owner`: whose `onRowsSetAside` hears of it. */
export async function setAside(
  change: Kysely<Tables>,
  table: keyof Tables,
  isBad: RawBuilder<unknown>,
  owner: object = change,
): Promise<void> {
  const from = sql.table(table)
  const { rows } = await sql`SELECT * FROM ${from} WHERE ${isBad}`.execute(change)
  if (rows.length === 0) return
  const contents = rows.map(row => ({ from_table: table, content: JSON.stringify(row) }))
  for (const part of partsOf(contents)) await change.insertInto('set_aside').values(part).execute()
  await sql`DELETE FROM ${from} WHERE ${isBad}`.execute(change)
  const [{ content } = { content: '' }] = contents
  reportRowSetAside(owner, table, new Error(`What is stored cannot be read: ${content.slice(0, 300)}`), rows.length)
}
