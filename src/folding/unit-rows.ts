/*
 * Ended and running units as flat rows, for the Work Units view: one row is made once for a unit and then filtered,
 * sorted and counted by the thousand.
 */
import type { Unit } from '../protocol/client-data.ts'
import { osName } from './client.ts'
import { compareTexts } from './format.ts'
import { isGroupFinishing } from './group.ts'
import { endOf, historyKey } from './history.ts'
import { unitResources } from './resources.ts'
import { DAY } from './times.ts'
import type { UnitContext } from './unit-column.ts'
import { statusLook, unitStatus } from './unit-status.ts'
import { assignedAt, coreOf, ppdOf, projectOf, tpfSeconds, workShare } from './unit-work.ts'

export type UnitRow = {
  /** Stable across reports: the client and the unit. */
  readonly key: string
  readonly clientId: string
  readonly unit: Unit
  readonly machine: string
  readonly project: number | undefined
  readonly core: string | undefined
  readonly os: string | undefined
  /** The word of the state that is shown. */
  readonly state: string
  readonly resources: string | undefined
  /** Share of the work, 0..1. */
  readonly progress: number | undefined
  /** Seconds. */
  readonly tpf: number | undefined
  readonly ppd: number | undefined
  /** Epoch milliseconds. */
  readonly assigned: number | undefined
  readonly ended: number | undefined
}

/** One unit of one client as a row. */
export const unitRow = (clientId: string, unit: Unit, context: UnitContext): UnitRow => ({
  key: `${clientId} ${historyKey(unit)}`,
  clientId,
  unit,
  machine: context.machine,
  project: projectOf(unit),
  core: coreOf(unit),
  os: osName(context.data?.info),
  state: statusLook(unitStatus(unit, isGroupFinishing(context.data, unit), context.now)).word,
  resources: unitResources(unit, context.data?.info, context.locale),
  progress: workShare(unit),
  tpf: tpfSeconds(unit, context.now),
  ppd: ppdOf(unit),
  assigned: assignedAt(unit),
  ended: endOf(unit),
})

/** The fields with a dropdown of 'Any' and the values found. */
export const FILTER_FIELDS = ['machine', 'project', 'os', 'state', 'resources', 'core'] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

/** What is chosen: values as texts, as they stand in a URL. A field that is absent lets everything through. */
export type UnitFilter = { readonly [F in FilterField]?: string } & {
  /** Only units assigned within this number of days. */
  readonly days?: number
  /** Only units whose work is done: progress equals 1. */
  readonly isComplete?: boolean
}

/** Lets every unit through. */
export const ANY_UNIT: UnitFilter = Object.freeze({})

/** The rows that a filter lets through; the same list when that is all of them. `now` is epoch milliseconds. */
export const filterRows = (rows: readonly UnitRow[], filter: UnitFilter, now: number): readonly UnitRow[] => {
  const wanted = FILTER_FIELDS.filter((field) => filter[field] !== undefined)
  const since =
    filter.days !== undefined && Number.isFinite(filter.days) ? now - filter.days * DAY * 1000 : undefined
  const passing = rows.filter(
    (row) =>
      wanted.every((field) => fieldText(row, field) === filter[field]) &&
      (since === undefined || (row.assigned !== undefined && row.assigned >= since)) &&
      (filter.isComplete !== true || row.progress === 1),
  )
  return passing.length === rows.length ? rows : passing
}

/** The distinct values of every dropdown, sorted as people sort. What is unknown is no choice. */
export const filterChoices = (
  rows: readonly UnitRow[],
): { readonly [F in FilterField]: readonly string[] } => {
  const choices = (field: FilterField): readonly string[] => {
    const found = new Set<string>()
    for (const row of rows) {
      const value = fieldText(row, field)
      if (value !== undefined) found.add(value)
    }
    return [...found].sort(compareTexts)
  }
  return {
    machine: choices('machine'),
    project: choices('project'),
    os: choices('os'),
    state: choices('state'),
    resources: choices('resources'),
    core: choices('core'),
  }
}

/** Newest assignment first (product.md §2); units that were never assigned come last, newest end first. */
export const newestFirst = (a: UnitRow, b: UnitRow): number =>
  (b.assigned ?? 0) - (a.assigned ?? 0) || (b.ended ?? 0) - (a.ended ?? 0) || compareTexts(a.key, b.key)

const fieldText = (row: UnitRow, field: FilterField): string | undefined => {
  const value = row[field]
  return value === undefined ? undefined : String(value)
}
