/*
 * Ended units as flat rows for the Work Units view. A unit's row is made once; thousands are filtered, sorted and counted.
 */
import { t } from '@lingui/core/macro'
import { estimatedSpan } from '../fleet/ppd-history.ts'
import { distinctNames } from '../client/identity.ts'
import { idOfKey, traitsOf } from '../client/client-key.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
import { osName } from '../client/client.ts'
import { compareTexts } from '../text/format.ts'
import type { ArchivedClient } from './archived-client.ts'
import { type History, type ArchivedUnit, endOf } from './history.ts'
import { unitResources } from '../client/resources.ts'
import { sortByValue } from './sorting.ts'
import { DAY } from '../text/times.ts'
import type { SortValue, UnitContext } from './unit-column.ts'
import { statusAppearance, unitStatus } from './unit-status.ts'
import {
  assignedAt,
  coreOf,
  isComplete,
  leftOutReason,
  loggedCredit,
  ppdOf,
  projectOf,
  tpfSeconds,
  workShare,
} from './unit-progress.ts'

export type UnitRow = {
  /** Stable across reports: the client and the unit. */
  readonly key: string
  readonly clientKey: string
  readonly unit: Unit
  readonly machine: string
  readonly project: number | undefined
  readonly core: string | undefined
  readonly os: string | undefined
  /** The label of the displayed state. */
  readonly state: string
  readonly resources: string | undefined
  /** Share of the work, 0..1. */
  readonly progress: number | undefined
  /** Seconds. */
  readonly tpf: number | undefined
  readonly ppd: number | undefined
  /** Points of a unit that was credited, as estimated and as logged by the API. */
  readonly estimated: number | undefined
  readonly credited: number | undefined
  /** Whether those of a credited unit are known, as a text; undefined for others. */
  readonly credit: string | undefined
  /** Why it is left out of benchmarks. */
  readonly leftOut: string | undefined
  /** Epoch milliseconds. */
  readonly assigned: number | undefined
  readonly ended: number | undefined
}

export function unitRow({ key, machine: client, unit }: ArchivedUnit, context: UnitContext): UnitRow {
  const credited = loggedCredit(unit)
  return {
    key,
    clientKey: client,
    unit,
    machine: context.machine,
    project: projectOf(unit),
    core: coreOf(unit),
    os: osName(context.data?.info),
    state: statusAppearance(unitStatus(unit, context.data, context.now)).label,
    resources: unitResources(unit, context.data?.info, context.locale),
    progress: workShare(unit),
    tpf: tpfSeconds(unit, context.now),
    ppd: ppdOf(unit),
    estimated: estimatedSpan(unit)?.points,
    credited,
    credit: unit.result !== 'credited' ? undefined : credited === undefined ? t`Not known` : t`Known`,
    leftOut: leftOutReason(unit),
    assigned: assignedAt(unit),
    ended: endOf(unit),
  }
}

const rowCache = new WeakMap<ArchivedUnit, { readonly machine: ArchivedClient | undefined; readonly row: UnitRow }>()

function rowOf(archived: ArchivedUnit, client: ArchivedClient | undefined): UnitRow {
  const cached = rowCache.get(archived)
  if (cached !== undefined && cached.machine === client) return cached.row
  const row = unitRow(archived, archivedUnitContext(client, 0))
  rowCache.set(archived, { machine: client, row })
  return row
}

/** The context for cells of a stored unit: its stored client. `now`: epoch milliseconds. */
export function archivedUnitContext(client: ArchivedClient | undefined, now: number): UnitContext {
  return {
    machine: client?.name ?? '',
    data: client === undefined ? undefined : { info: client.info, config: {}, groups: {}, units: [] },
    now,
  }
}

const apartCache = new WeakMap<History['machines'], History['machines']>()

/** The clients of a history, those of one name told apart. The same object for each client while it is the same. */
function withDistinctNames(clients: History['machines']): History['machines'] {
  const cached = apartCache.get(clients)
  if (cached !== undefined) return cached
  const all = [...clients.values()]
  const names = distinctNames(
    all.map(({ id, name, info }) => ({ name, id: idOfKey(id), address: undefined, traits: traitsOf(info) })),
  )
  const apart = new Map(
    all.map((client, index) => [client.id, names[index] === client.name ? client : renamed(client, names[index])]),
  )
  apartCache.set(clients, apart)
  return apart
}

const renamedCache = new WeakMap<ArchivedClient, ArchivedClient>()

function renamed(client: ArchivedClient, name = client.name): ArchivedClient {
  const cached = renamedCache.get(client)
  if (cached?.name === name) return cached
  const made = { ...client, name }
  renamedCache.set(client, made)
  return made
}

const historyRowsCache = new WeakMap<History, readonly UnitRow[]>()

/** All rows of a history, newest assignment first. Memoized: the same list for the same history, the same row per unit. */
export function rowsOf(history: History): readonly UnitRow[] {
  const cached = historyRowsCache.get(history)
  if (cached !== undefined) return cached
  const clients = withDistinctNames(history.machines)
  const rows = [...history.units.values()]
    .map(archived => rowOf(archived, clients.get(archived.machine)))
    .sort(newestFirst)
  historyRowsCache.set(history, rows)
  return rows
}

/** The fields with a dropdown of 'Any' and the values found. */
export const FILTER_FIELDS = ['machine', 'project', 'os', 'state', 'resources', 'core', 'credit', 'leftOut'] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

/** Chosen values as texts, as in the URL. A missing field matches everything. */
export type UnitFilter = { readonly [F in FilterField]?: string } & {
  /** Only units assigned within this number of days. */
  readonly days?: number
  /** Only units whose work is done: progress equals 1, or they were credited. */
  readonly isComplete?: boolean
}

/** The rows that match a filter; the same list when all do. `now`: epoch milliseconds. */
export function filterRows(rows: readonly UnitRow[], filter: UnitFilter, now: number): readonly UnitRow[] {
  const wanted = FILTER_FIELDS.filter(field => filter[field] !== undefined)
  const since = filter.days !== undefined && Number.isFinite(filter.days) ? now - filter.days * DAY * 1000 : undefined
  const passing = rows.filter(
    row =>
      wanted.every(field => fieldText(row, field) === filter[field]) &&
      (since === undefined || (row.assigned !== undefined && row.assigned >= since)) &&
      (filter.isComplete !== true || isComplete(row.unit)),
  )
  return passing.length === rows.length ? rows : passing
}

/** The distinct values of every dropdown in natural order, without unknown ones. */
export function filterChoices(rows: readonly UnitRow[]): { readonly [F in FilterField]: readonly string[] } {
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
    credit: choices('credit'),
    leftOut: choices('leftOut'),
  }
}

export type UnitSort = { readonly column: string; readonly isDescending: boolean }

export type UnitView = { readonly filter: UnitFilter; readonly sort: UnitSort | undefined }

/**
 * Filters and sorts rows that come newest first. Without a known column, and among equal values, they stay newest first.
 * `now`: epoch milliseconds.
 */
export function viewRows(rows: readonly UnitRow[], { filter, sort }: UnitView, now: number): readonly UnitRow[] {
  return sortRows(filterRows(rows, filter, now), sort)
}

/** Sorts rows by a column of the history; the same list without one. */
export function sortRows(rows: readonly UnitRow[], sort: UnitSort | undefined): readonly UnitRow[] {
  const valueOf = sort === undefined ? undefined : SORT_VALUES.get(sort.column)
  return sort === undefined || valueOf === undefined ? rows : sortByValue(rows, valueOf, sort.isDescending)
}

const SORT_VALUES: ReadonlyMap<string, (row: UnitRow) => SortValue> = new Map<string, (row: UnitRow) => SortValue>([
  ['machine', ({ machine: client }) => client],
  ['project', ({ project }) => project],
  ['core', ({ core }) => core],
  ['os', ({ os }) => os],
  ['status', ({ state }) => state],
  ['progress', ({ progress }) => progress],
  ['tpf', ({ tpf }) => tpf],
  ['ppd', ({ ppd }) => ppd],
  ['credited', ({ credited }) => credited],
  ['assign-time', ({ assigned }) => assigned],
])

/** Newest assignment first (docs/product.md §2); units that were never assigned come last, newest end first. */
export function newestFirst(a: UnitRow, b: UnitRow): number {
  return (b.assigned ?? 0) - (a.assigned ?? 0) || (b.ended ?? 0) - (a.ended ?? 0) || compareTexts(a.key, b.key)
}

function fieldText(row: UnitRow, field: FilterField): string | undefined {
  const value = row[field]
  return value === undefined ? undefined : String(value)
}
