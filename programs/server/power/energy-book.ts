/*
 * What clients use, by their keys: the segments that are stored, and sums of months and of all time. Times are epoch
 * milliseconds.
 */
import {
  isOfSlot,
  NOTHING_USED,
  plus,
  SLOT,
  withSample,
  type Rates,
  type Sample,
  type Segment,
  type Used,
} from '../../../src/folding/power/energy.ts'
import { monthOf } from '../../../src/folding/schedule/spans.ts'
import type { PowerStore, StoredSegment } from '../store/power-store.ts'
import { createPauses } from '../event-loop.ts'
import type { Metered } from './meter.ts'
import type { KeptCounter } from './meters.ts'

export type EnergyBookDeps = {
  readonly store: Pick<PowerStore, 'addEnergy' | 'energy' | 'usedSince' | 'compactEnergy'>
  readonly ratesIn: (from: number, until: number) => Rates
  readonly keepSamplesDays: number
  /** Of days that become one segment. */
  readonly timeZone: () => string
  readonly now: () => number
}

export type EnergyBook = {
  /** What is recorded of that time already is not counted again. */
  readonly add: (client: string, sample: Sample) => void
  /** As `add`; all of the energy is counted, in the time that is not recorded yet. */
  readonly addMetered: (client: string, metered: Metered, ppd: number) => void
  readonly total: (client: string) => Used | undefined
  /** What clients have used in the month that an instant is in; undefined before `follow`, and of a month that is over. */
  readonly inMonth: (timeZone: string, at: number) => ReadonlyMap<string, Used> | undefined
  /**
   * Loads the month that is under way in these zones, once what was added is stored. Not while `write` runs, whose part would be counted
   * twice, or not at all. `counters`: as for `write`.
   */
  readonly follow: (timeZones: readonly string[], counters?: readonly KeptCounter[]) => Promise<void>
  /** Stores what was added. `counters`: up to where meters are counted in it. */
  readonly write: (counters?: readonly KeptCounter[]) => Promise<void>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What waits for a database that takes no writes. */
const MOST_WAITING = 200_000

/** `isLoaded`: before, it has only what was added since `follow`. */
type Month = { readonly since: number; readonly used: Map<string, Used>; isLoaded: boolean }

function addAllTo(sums: Map<string, Used>, parts: ReadonlyMap<string, Used>): void {
  for (const [client, part] of parts) addTo(sums, client, part)
}

function addTo(sums: Map<string, Used>, client: string, part: Used): void {
  sums.set(client, plus(sums.get(client) ?? NOTHING_USED, part))
}

export async function createEnergyBook(deps: EnergyBookDeps): Promise<EnergyBook> {
  const { store, ratesIn, now } = deps
  const totals = new Map<string, Used>()
  addAllTo(totals, await store.usedSince(0))
  const months = new Map<string, Month>()
  /** The segment that grows, by clients. */
  const open = new Map<string, Segment>()
  for (const { machine: client, ...segment } of await store.energy({ from: now() - SLOT }, MOST_WAITING))
    open.set(client, segment)
  const waiting = new Map<string, StoredSegment>()
  let compactedAt = 0

  const monthAt = (timeZone: string, at: number): Month | undefined => {
    const month = months.get(timeZone)
    const { begin } = monthOf(at, timeZone)
    if (month === undefined || month.since > begin) return undefined
    if (month.since === begin) return month
    const next = { since: begin, used: new Map<string, Used>(), isLoaded: true }
    months.set(timeZone, next)
    return next
  }

  const inMonth = (timeZone: string, at: number): Map<string, Used> | undefined => {
    const month = monthAt(timeZone, at)
    return month?.isLoaded === true ? month.used : undefined
  }

  const addPart = (client: string, part: Segment): void => {
    const last = open.get(client)
    const segment =
      last !== undefined && isOfSlot(last, part.from)
        ? { ...plus(last, part), from: last.from, until: part.until }
        : part
    open.set(client, segment)
    waiting.set(`${client} ${segment.from}`, { ...segment, machine: client })
    addTo(totals, client, part)
    for (const timeZone of months.keys()) {
      const month = monthAt(timeZone, part.from)
      if (month !== undefined) addTo(month.used, client, part)
    }
  }

  const beginOf = (client: string, from: number): number => Math.max(from, open.get(client)?.until ?? from)

  const add = (client: string, sample: Sample): void => {
    const from = beginOf(client, sample.from)
    if (from >= sample.until) return
    for (const part of withSample([], { ...sample, from }, ratesIn(from, sample.until))) addPart(client, part)
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(oldest)
    }
  }

  const storeWaiting = async (counters?: readonly KeptCounter[]): Promise<void> => {
    const written = [...waiting]
    await store.addEnergy(
      written.map(([, segment]) => segment),
      counters,
    )
    for (const [key, segment] of written) if (waiting.get(key) === segment) waiting.delete(key)
  }

  return {
    add,
    addMetered: (client, { from: first, until, wattHours }, ppd) => {
      const from = beginOf(client, first)
      if (from < until)
        add(client, { from, until, watts: (wattHours * HOUR_MS) / (until - from), ppd, origin: 'measured' })
    },
    total: client => totals.get(client),
    inMonth,
    follow: async (timeZones, counters) => {
      const at = now()
      const unknown = timeZones.filter(timeZone => inMonth(timeZone, at) === undefined)
      const begun = unknown.map((timeZone): Month => {
        const month = { since: monthOf(at, timeZone).begin, used: new Map<string, Used>(), isLoaded: false }
        months.set(timeZone, month)
        return month
      })
      // What is added from now on is added to these months too.
      if (begun.length > 0 && waiting.size > 0) await storeWaiting(counters)
      const pause = createPauses()
      for (const month of begun) {
        addAllTo(month.used, await store.usedSince(month.since))
        month.isLoaded = true
        await pause()
      }
    },
    write: async counters => {
      await storeWaiting(counters)
      const at = now()
      if (at - compactedAt < HOUR_MS) return
      compactedAt = at
      while (await store.compactEnergy(at - deps.keepSamplesDays * DAY_MS, deps.timeZone()));
    },
  }
}
