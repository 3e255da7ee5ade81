/*
 * What a person's folding came to, and when, from the stored history of ended units alone: the first unit, the hundredth,
 * a million points, a year. A history may begin late, so all counts are those since `since`.
 */
import type { ArchivedUnit, History } from '../unit/history.ts'
import {
  addWork,
  BEGINNING,
  endedWorkOf,
  noWork,
  projectWorkOf,
  type EndedWork,
  type ProjectWork,
  type Work,
} from './project-work.ts'

export type LogEntry = {
  /** Epoch milliseconds. */
  readonly at: number
  /** A number of units, points, or years since the first unit. */
  readonly kind: 'units' | 'points' | 'years'
  readonly count: number
  /** The unit that ended then; undefined for years. */
  readonly archived: ArchivedUnit | undefined
}

export type LogBook = Work & {
  /** When the first unit ended; undefined without one. */
  readonly since: number | undefined
  /** Newest first. */
  readonly entries: readonly LogEntry[]
  /** The project with most units; of several, that with most points. */
  readonly mostFolded: ProjectWork | undefined
}

const UNIT_COUNTS: ReadonlySet<number> = new Set([1, 10, 100, 500, 1000, 5000, 10_000, 25_000, 50_000])
const POINT_COUNTS = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11] as const

type Dated = EndedWork & { readonly end: number }

/**
 * Only completed units count. One whose end is not known, or is later than `until` (epoch milliseconds), is counted but
 * makes no entry.
 */
export function logBookOf(units: History['units'], until: number): LogBook {
  const work = noWork()
  const dated: Dated[] = []
  const isDated = (one: EndedWork): one is Dated => one.end !== undefined && one.end >= BEGINNING && one.end <= until
  for (const archived of units.values()) {
    const one = endedWorkOf(archived)
    if (!one.isCredited) continue
    addWork(work, one)
    if (isDated(one)) dated.push(one)
  }
  dated.sort((a, b) => a.end - b.end || (a.archived.key < b.archived.key ? -1 : 1))
  return {
    ...work,
    since: dated[0]?.end,
    entries: [...countsOf(dated), ...yearsOf(dated)].sort((a, b) => a.at - b.at).reverse(),
    mostFolded: mostFolded(projectWorkOf(units)),
  }
}

function countsOf(dated: readonly Dated[]): readonly LogEntry[] {
  const entries: LogEntry[] = []
  const left: number[] = [...POINT_COUNTS]
  let points = 0
  dated.forEach(({ end, archived, points: more = 0 }, index) => {
    if (UNIT_COUNTS.has(index + 1)) entries.push({ at: end, kind: 'units', count: index + 1, archived })
    points += more
    for (let [count] = left; count !== undefined && points >= count; [count] = left) {
      entries.push({ at: end, kind: 'points', count, archived })
      left.shift()
    }
  })
  return entries
}

function yearsOf(dated: readonly Dated[]): readonly LogEntry[] {
  const [first, last] = [dated[0]?.end, dated.at(-1)?.end]
  if (first === undefined || last === undefined) return []
  const entries: LogEntry[] = []
  for (let count = 1; ; count++) {
    const day = new Date(first)
    const at = day.setUTCFullYear(day.getUTCFullYear() + count)
    if (at > last) return entries
    entries.push({ at, kind: 'years', count, archived: undefined })
  }
}

function mostFolded(works: ReadonlyMap<number, ProjectWork>): ProjectWork | undefined {
  let most: ProjectWork | undefined
  for (const work of works.values()) {
    if (work.units === 0) continue
    if (most === undefined || work.units > most.units || (work.units === most.units && work.points > most.points))
      most = work
  }
  return most
}
