/*
 * Points that units were credited with, as the API logs them. Clients are not told. They are asked for one after another and kept in
 * the history, in fields that no client has.
 */
import type { Unit } from '../../protocol/client/client-data.ts'
import type { Credit } from '../../protocol/api/api.ts'
import { finite, ownValue, positive } from '../shared/read.ts'
import type { UnitName } from '../shared/resource-keys.ts'
import { isAnonymous } from '../shared/validation.ts'
import { MINUTE, parseTime } from '../text/times.ts'
import { endOf, type ArchivedUnit, type Excerpt, type History } from './history.ts'
import { assignedAt, leftOutReason, loggedCredit, unitNameOf } from './unit-progress.ts'
import type { UnitRow } from './unit-rows.ts'

/** Milliseconds. Later gaps are as long as the time since the unit ended. */
const SHORTEST_GAP = 3_600_000
/** Of pages, while a screen shows credits, and of servers: milliseconds between two requests, and after one that failed. */
export const CREDIT_PACE = { request: 2000, failure: 300_000 } as const
/** Requests until a screen is opened again; of servers, in an hour. */
export const MOST_CREDIT_REQUESTS = 1000

/** What is asked about one unit. `assigned`: epoch milliseconds. */
export type CreditQuestion = {
  readonly key: string
  readonly name: UnitName
  readonly assigned: number | undefined
}

/** `at`: when it was asked, epoch milliseconds. Without points when the API has none for this donor, or not yet. */
export type CreditAnswer = { readonly key: string; readonly at: number; readonly points: number | undefined }

type CreditRow = Pick<UnitRow, 'key' | 'unit' | 'credited' | 'ended' | 'assigned'>

export function creditRow({ key, unit }: ArchivedUnit): CreditRow {
  return { key, unit, credited: loggedCredit(unit), ended: endOf(unit), assigned: assignedAt(unit) }
}

/** The first of the rows, newest first, whose credit is to be asked for. `answered`: keys of units that are left out. */
export function nextQuestion(
  rows: readonly CreditRow[],
  answered: ReadonlySet<string>,
  now: number,
): CreditQuestion | undefined {
  for (const { key, unit, credited, ended, assigned } of rows) {
    if (unit.result !== 'credited' || credited !== undefined || ended === undefined || answered.has(key)) continue
    const asked = finite(ownValue(unit, 'credit_asked'))
    if (asked !== undefined && now < asked + Math.max(SHORTEST_GAP, asked - ended)) continue
    const name = unitNameOf(unit)
    if (name !== undefined) return { key, name, assigned }
  }
  return undefined
}

/**
 * The points of these donors among the credits of a unit, which may also be those of others. A name that everyone uses, or several
 * credits, are told apart by the time of the assignment; undefined where that decides nothing.
 */
export function creditOf(
  credits: readonly Credit[],
  donors: readonly string[],
  assigned: number | undefined,
): number | undefined {
  const known = credits.filter(({ user }) => user !== undefined && donors.includes(user))
  const [only, ...others] = known
  const isSure = only !== undefined && others.length === 0 && !isAnonymous(only.user ?? '')
  return positive((isSure ? only : creditOfAssignment(known, assigned))?.credit)
}

/** The credit for what was assigned at that time. */
export function creditOfAssignment(credits: readonly Credit[], assigned: number | undefined): Credit | undefined {
  return credits.find(
    ({ assign_time }) => Math.abs((parseTime(assign_time) ?? NaN) - (assigned ?? NaN)) < MINUTE * 1000,
  )
}

/** The units of a history with what was answered. */
export function creditedExcerpt({ units }: History, answers: readonly CreditAnswer[]): Excerpt {
  return {
    machines: [],
    units: answers.flatMap(({ key, at, points }): readonly ArchivedUnit[] => {
      const known = units.get(key)
      return known === undefined ? [] : [withCredit(known, at, points)]
    }),
  }
}

function withCredit(archived: ArchivedUnit, asked: number, points: number | undefined): ArchivedUnit {
  return {
    ...archived,
    unit: {
      ...archived.unit,
      ...({ credit_asked: asked, ...(points === undefined ? {} : { logged_credit: points }) } satisfies Record<
        string,
        number
      >),
    },
  }
}

/** A unit with what this browser alone knows of it: its credit, and why it is left out of benchmarks. */
export function withNotesOf(archived: ArchivedUnit, other: ArchivedUnit | undefined): ArchivedUnit {
  const reason = other === undefined ? undefined : leftOutReason(other.unit)
  return withCreditOf(reason === undefined ? archived : withReason(archived, reason), other)
}

export const LONGEST_REASON = 100

function withReason({ unit, ...archived }: ArchivedUnit, reason: string | undefined): ArchivedUnit {
  const { left_out: _, ...others } = unit as Unit & { readonly left_out?: string }
  return { ...archived, unit: reason === undefined ? others : { ...others, left_out: reason } }
}

/** A unit of a history that is left out of benchmarks, or with undefined no longer. */
export function leftOutExcerpt({ units }: History, key: string, reason: string | undefined): Excerpt {
  const known = units.get(key)
  return { machines: [], units: known === undefined ? [] : [withReason(known, reason?.slice(0, LONGEST_REASON))] }
}

/** Points that are known stay; else the one counts that was asked later. */
function withCreditOf(archived: ArchivedUnit, other: ArchivedUnit | undefined): ArchivedUnit {
  const asked = finite(ownValue(other?.unit, 'credit_asked'))
  if (other === undefined || asked === undefined || loggedCredit(archived.unit) !== undefined) return archived
  const points = loggedCredit(other.unit)
  const isLater = points === undefined && (finite(ownValue(archived.unit, 'credit_asked')) ?? 0) >= asked
  return isLater ? archived : withCredit(archived, asked, points)
}
