/*
 * What a person's clients did for each project, from the stored history of ended units. Points are those that the API
 * logged, else the clients' own estimates (`ppd-history.ts`).
 */
import { positive } from '../shared/read.ts'
import { endOf, type ArchivedUnit, type History } from '../unit/history.ts'
import { assignedAt, loggedCredit, projectOf } from '../unit/unit-progress.ts'
import { LONGEST_RUN, spanOfKept } from './ppd-history.ts'

/** Completed units, added up. */
export type Work = {
  readonly units: number
  /** Of the units whose points are known. */
  readonly points: number
  /** Units whose points are not known. */
  readonly withoutPoints: number
  /** Units whose points are those that the API logged. */
  readonly logged: number
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

/** What counts of a unit. Instants are epoch milliseconds. */
export type EndedWork = {
  readonly archived: ArchivedUnit
  readonly project: number | undefined
  readonly assigned: number | undefined
  readonly end: number | undefined
  readonly isCredited: boolean
  readonly points: number | undefined
  readonly isLogged: boolean
  readonly seconds: number
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

export function noWork(): Writable<Work> {
  return { units: 0, points: 0, withoutPoints: 0, logged: 0, seconds: 0 }
}

/** Adds a credited unit. */
export function addWork(work: Writable<Work>, { points, isLogged, seconds }: EndedWork): void {
  work.units += 1
  work.points += points ?? 0
  if (points === undefined) work.withoutPoints += 1
  if (isLogged) work.logged += 1
  work.seconds += seconds
}

const ended = new WeakMap<ArchivedUnit, EndedWork>()

/** Read once for each unit: a history has 50,000, and is added up again whenever a unit ends. */
export function endedWorkOf(archived: ArchivedUnit): EndedWork {
  const cached = ended.get(archived)
  if (cached !== undefined) return cached
  const ran = positive(archived.unit.run_time) ?? 0
  const work: EndedWork = {
    archived,
    project: projectOf(archived.unit),
    assigned: assignedAt(archived.unit),
    end: endOf(archived.unit),
    isCredited: archived.unit.result === 'credited',
    points: spanOfKept(archived)?.points,
    isLogged: loggedCredit(archived.unit) !== undefined,
    seconds: ran * 1000 <= LONGEST_RUN ? ran : 0,
  }
  ended.set(archived, work)
  return work
}

/** When Folding@home began: a client whose clock is not set reports earlier times. Epoch milliseconds. */
export const BEGINNING = Date.UTC(2000, 9, 1)

const works = new WeakMap<History['units'], ReadonlyMap<number, ProjectWork>>()

/** By number of the project, those whose last unit ended last first. Memoized: the same for the same units. */
export function projectWorkOf(units: History['units']): ReadonlyMap<number, ProjectWork> {
  const cached = works.get(units)
  if (cached !== undefined) return cached
  const found = new Map<number, Writable<ProjectWork>>()
  for (const archived of units.values()) {
    const one = endedWorkOf(archived)
    const { project, end } = one
    if (project === undefined) continue
    let work = found.get(project)
    if (work === undefined) found.set(project, (work = { ...noWork(), project, since: undefined, until: undefined }))
    work.since = earlierOf(work.since, one.assigned ?? end)
    if (end !== undefined && end > (work.until ?? -Infinity)) work.until = end
    if (one.isCredited) addWork(work, one)
  }
  const sorted = new Map([...found].sort(([a, { until: aEnd = 0 }], [b, { until: bEnd = 0 }]) => bEnd - aEnd || b - a))
  works.set(units, sorted)
  return sorted
}

/** The earlier of two instants, as far as they are known and can be right. */
export function earlierOf(a: number | undefined, b: number | undefined): number | undefined {
  return b === undefined || b < BEGINNING || (a !== undefined && a <= b) ? a : b
}
