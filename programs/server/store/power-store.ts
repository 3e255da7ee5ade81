import { sql, type Kysely } from 'kysely'
import { plus, type Segment, type Used } from '../../../src/folding/power/energy.ts'
import { ORIGINS } from '../../../src/folding/power/power.ts'
import { pricesInOrder, type PriceInterval, type PriceList } from '../../../src/folding/power/price.ts'
import { inputName } from '../../../src/folding/schedule/schedule.ts'
import { daysFrom } from '../../../src/folding/schedule/spans.ts'
import * as v from 'valibot'
import type { KeptCounter } from '../power/meters.ts'
import type { Write } from './write.ts'
import { createPauses, pauseForMessages } from '../event-loop.ts'
import { partsOf, replaceRows, writeRows } from './rows.ts'
import type { EnergyTable, Tables } from './schema.ts'

/** The energy of a client in some time, by the client's key. */
export type StoredSegment = Segment & { readonly machine: string }

export type EnergyFilter = {
  /** Epoch milliseconds: ended after, and begun before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly machine?: string | undefined
}

/** Price lists, and energy over time. Every write is one transaction. */
export type PowerStore = {
  readonly prices: () => Promise<Readonly<Record<string, PriceList>>>
  /** Replaces what the list has of the range. */
  readonly savePrices: (input: string, list: PriceList, from: number, to: number) => Promise<void>
  readonly removePrices: (input: string) => Promise<void>
  /** `counters`: up to where meters are counted in it. */
  readonly addEnergy: (segments: readonly StoredSegment[], counters?: readonly KeptCounter[]) => Promise<void>
  readonly forgetCounter: (meter: string) => Promise<void>
  readonly counters: () => Promise<readonly KeptCounter[]>
  /** In order of time; the newest `limit`. */
  readonly energy: (filter: EnergyFilter, limit: number) => Promise<readonly StoredSegment[]>
  /** What began in a range, as one segment for each client. */
  readonly energySum: (from: number, to: number, machine?: string) => Promise<readonly StoredSegment[]>
  /** What each client used since a time, by its key. */
  readonly usedSince: (from: number) => Promise<ReadonlyMap<string, Used>>
  /** Makes one segment of a day that ended before a time. Resolves with whether there was one. */
  readonly compactEnergy: (before: number, timeZone: string) => Promise<boolean>
}

/** Programs that send lists under ever new names must not fill the disk. */
export const MOST_LISTS = 20
const ROWS_AT_ONCE = 2000
const COMPACTED = 'energy'

function rowOf({ machine: client, from, until, ...used }: StoredSegment): EnergyTable {
  return {
    machine: client,
    at: from,
    until,
    seconds: used.seconds,
    watt_hours: used.wattHours,
    points: used.points,
    cost: used.cost,
    priced_watt_hours: used.pricedWattHours,
    grams: used.grams,
    graded_watt_hours: used.gradedWattHours,
    origin: used.origin ?? '',
  }
}

function segmentOf(row: EnergyTable): StoredSegment {
  return {
    machine: row.machine,
    from: row.at,
    until: row.until,
    seconds: row.seconds,
    wattHours: row.watt_hours,
    points: row.points,
    cost: row.cost,
    pricedWattHours: row.priced_watt_hours,
    grams: row.grams,
    gradedWattHours: row.graded_watt_hours,
    origin: ORIGINS.find(origin => origin === row.origin) ?? null,
  }
}

const AMOUNTS = ['seconds', 'watt_hours', 'points', 'cost', 'priced_watt_hours', 'grams', 'graded_watt_hours'] as const

export function powerStoreOf(db: Kysely<Tables>, write: Write): PowerStore {
  /** Days before are one record for each client. */
  const compactedUntil = async (): Promise<number> =>
    (await db.selectFrom('progress').select('at').where('name', '=', COMPACTED).executeTakeFirst())?.at ?? 0
  return {
    prices: async () => {
      const rows = await db.selectFrom('prices').selectAll().orderBy('at').execute()
      const lists = new Map<string, PriceInterval[]>()
      for (const { input, at: begin, until: end, price } of rows) {
        const list = lists.get(input) ?? []
        list.push({ begin, end, price })
        lists.set(input, list)
      }
      return Object.fromEntries(
        [...lists].filter(([name]) => v.is(inputName, name)).map(([name, list]) => [name, pricesInOrder(list)]),
      )
    },
    savePrices: async (input, list, from, to) => {
      const rows = list
        .filter(({ begin, end }) => begin < to && end > from)
        .map(({ begin, end, price }) => ({ input, at: begin, until: end, price }))
      await write(async change => {
        const deletion = change.deleteFrom('prices').where('input', '=', input)
        await deletion.where('at', '<', to).where('until', '>', from).execute()
        await deletion.where('at', '<', list[0]?.begin ?? 0).execute()
        const pause = createPauses()
        for (const part of partsOf(rows)) {
          await pause()
          await replaceRows(change, 'prices', ['input', 'at'], part)
        }
      })
    },
    removePrices: async input => {
      await write(change => change.deleteFrom('prices').where('input', '=', input).execute())
    },
    addEnergy: async (segments, counters = []) => {
      if (segments.length === 0 && counters.length === 0) return
      await write(async change => {
        const pause = createPauses()
        for (const part of partsOf(segments.map(rowOf))) {
          await pause()
          await writeRows(change, 'energy', part, async rows => {
            await replaceRows(change, 'energy', ['machine', 'at'], rows)
            return rows
          })
        }
        const rows = counters.map(({ name, source, at, wattHours, peak }) => ({
          meter: name,
          source,
          at,
          watt_hours: wattHours,
          peak,
        }))
        for (const part of partsOf(rows)) await replaceRows(change, 'counters', ['meter'], part)
      })
    },
    forgetCounter: async meter => {
      await write(change => change.deleteFrom('counters').where('meter', '=', meter).execute())
    },
    counters: async () => {
      const rows = await db.selectFrom('counters').selectAll().execute()
      return rows.map(({ meter, source, at, watt_hours, peak }) => ({
        name: meter,
        source,
        at,
        wattHours: watt_hours,
        peak,
      }))
    },
    energy: async ({ from, to, machine: client }, limit) => {
      const found: StoredSegment[] = []
      for (let isMore = true; isMore && found.length < limit;) {
        const most = Math.min(limit - found.length, ROWS_AT_ONCE)
        let query = db.selectFrom('energy').selectAll().orderBy('at', 'desc').orderBy('machine').limit(most)
        if (from !== undefined) query = query.where('until', '>', from)
        if (to !== undefined) query = query.where('at', '<', to)
        if (client !== undefined) query = query.where('machine', '=', client)
        const last = found.at(-1)
        if (last !== undefined)
          query = query.where(eb =>
            eb.or([eb('at', '<', last.from), eb.and([eb('at', '=', last.from), eb('machine', '>', last.machine)])]),
          )
        await pauseForMessages()
        const rows = await query.execute()
        found.push(...rows.map(segmentOf))
        isMore = rows.length === most
      }
      return found.reverse()
    },
    energySum: async (from, to, client) => {
      for (let at = await compactedUntil(); ;) {
        const sums = await summed(db, from, to, client)
        const now = await compactedUntil()
        // Meanwhile a day was made one record, which may have been missed.
        if (now === at) return [...sums.values()]
        at = now
      }
    },
    usedSince: from => summed(db, from, Infinity),
    compactEnergy: async (before, timeZone) => {
      const first = await db
        .selectFrom('energy')
        .select('at')
        .where('at', '>=', await compactedUntil())
        .orderBy('at')
        .limit(1)
        .executeTakeFirst()
      const [day] = first === undefined ? [] : daysFrom(first.at, timeZone, 1)
      if (day === undefined || day.end > before) return false
      await write(async change => {
        const sums = await summed(change, day.begin, day.end)
        for await (const { after, until } of timesOf(change, day.begin, day.end))
          await change.deleteFrom('energy').where('at', '>', after).where('at', '<=', until).execute()
        for (const part of partsOf([...sums.values()].map(rowOf))) {
          await pauseForMessages()
          await replaceRows(change, 'energy', ['machine', 'at'], part)
        }
        await replaceRows(change, 'progress', ['name'], [{ name: COMPACTED, at: day.end }])
      })
      return true
    },
  }
}

/** The origins from the best to the worst, in the order of text. */
const RANKS = ORIGINS.map((origin, rank) => sql`WHEN ${sql.lit(origin)} THEN ${sql.lit(String(rank))}`)

/** Records that are added up, or deleted, at once. */
const ADDED_AT_ONCE = 5000
const LAST_TIME = 8.64e15

/** Parts of a time, in order, with about so many records; messages are handled between them. */
async function* timesOf(
  db: Kysely<Tables>,
  from: number,
  to: number,
  client?: string,
): AsyncIterable<{ readonly after: number; readonly until: number }> {
  const last = Math.min(to, LAST_TIME) - 1
  for (let after = from - 1; ;) {
    let query = db.selectFrom('energy').select('at').where('at', '>', after).where('at', '<=', last)
    if (client !== undefined) query = query.where('machine', '=', client)
    const until = (await query.orderBy('at').offset(ADDED_AT_ONCE).limit(1).executeTakeFirst())?.at ?? last
    yield { after, until }
    if (until >= last) return
    await pauseForMessages()
    after = until
  }
}

/** What began in a range, as one segment for each client, by its key. */
async function summed(
  db: Kysely<Tables>,
  from: number,
  to: number,
  client?: string,
): Promise<ReadonlyMap<string, StoredSegment>> {
  const sums = new Map<string, StoredSegment>()
  for await (const { after, until } of timesOf(db, from, to, client)) {
    let query = db
      .selectFrom('energy')
      .select(({ fn }) => [
        'machine',
        fn.min('at').as('at'),
        fn.max('until').as('until'),
        ...AMOUNTS.map(name => fn.sum<number>(name).as(name)),
        sql<string | null>`max(CASE origin ${sql.join(RANKS, sql` `)} END)`.as('rank'),
      ])
      .where('at', '>', after)
      .where('at', '<=', until)
      .groupBy('machine')
    if (client !== undefined) query = query.where('machine', '=', client)
    for (const { rank, ...row } of await query.execute()) {
      const part = segmentOf({ ...row, origin: rank === null ? '' : (ORIGINS[Number(rank)] ?? '') })
      const sum = sums.get(row.machine)
      const whole = sum && { ...part, ...plus(sum, part), from: sum.from, until: Math.max(sum.until, part.until) }
      sums.set(row.machine, whole ?? part)
    }
  }
  return sums
}
