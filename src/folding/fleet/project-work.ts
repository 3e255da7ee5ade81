/*
 * What a person's clients did for each project, from the stored history of ended units. Points are the clients' own
 * estimates (`ppd-history.ts`).
 */
import { positive } from '../shared/read.ts'
import { endOf, type ArchivedUnit, type History } from '../unit/history.ts'
import { assignedAt, projectOf } from '../unit/unit-progress.ts'
import { LONGEST_RUN, spanOfKept } from './ppd-history.ts'

/** Completed units, added up. */
export type Work = {
  readonly units: number
  /** Of the units whose points are known. */
  readonly points: number
  /** Units whose points are not known. */
  readonly withoutPoints: number
  /** Time of computing, as far as it was reported. */
  readonly seconds: number
}

export type ProjectWork = Work & {
  readonly project: number
  /** When its first unit of the history was assigned, also of those that failed; epoch milliseconds. */
  readonly since: number | undefined
  /** When its last unit ended. */
  readonly until: number | undefined
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

export const noWork = (): Writable<Work> => ({ units: 0, points: 0, withoutPoints: 0, seconds: 0 })

/** Whether the unit was completed and credited. */
export const isCredited = ({ unit }: ArchivedUnit): boolean => unit.result === 'credited'

/** Adds a credited unit. */
export const addWork = (work: Writable<Work>, kept: ArchivedUnit): void => {
  const points = spanOfKept(kept)?.points
  work.units += 1
  work.points += points ?? 0
  if (points === undefined) work.withoutPoints += 1
  const ran = positive(kept.unit.run_time) ?? 0
  if (ran * 1000 <= LONGEST_RUN) work.seconds += ran
}

/** When Folding@home began: a client whose clock is not set reports earlier times. Epoch milliseconds. */
export const BEGINNING = Date.UTC(2000, 9, 1)

const known = new WeakMap<History['units'], ReadonlyMap<number, ProjectWork>>()

/** By number of the project, those whose last unit ended last first. Memoized: the same for the same units. */
export const projectWorkOf = (units: History['units']): ReadonlyMap<number, ProjectWork> => {
  const before = known.get(units)
  if (before !== undefined) return before
  const works = new Map<number, Writable<ProjectWork>>()
  for (const kept of units.values()) {
    const project = projectOf(kept.unit)
    if (project === undefined) continue
    const work = works.get(project) ?? { ...noWork(), project, since: undefined, until: undefined }
    works.set(project, work)
    const end = endOf(kept.unit)
    work.since = earlierOf(work.since, assignedAt(kept.unit) ?? end)
    if (end !== undefined && end > (work.until ?? -Infinity)) work.until = end
    if (isCredited(kept)) addWork(work, kept)
  }
  const sorted = new Map([...works].sort(([a, { until: aEnd = 0 }], [b, { until: bEnd = 0 }]) => bEnd - aEnd || b - a))
  known.set(units, sorted)
  return sorted
}

/** The earlier of two instants, as far as they are known and can be right. */
export const earlierOf = (a: number | undefined, b: number | undefined): number | undefined =>
  b === undefined || b < BEGINNING || (a !== undefined && a <= b) ? a : b
