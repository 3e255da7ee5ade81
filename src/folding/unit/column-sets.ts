/*
 * The columns of a unit table, by its width and the account's config. Columns are named as in the config: in English.
 */
import { t } from '@lingui/core/macro'
import { isSameList } from '../shared/equal.ts'
import { formatValue } from '../text/format.ts'
import { ownValue } from '../shared/read.ts'
import type { ColumnName, SortValue, UnitColumn } from './unit-column.ts'
import { UNIT_COLUMNS } from './unit-columns.ts'

/** Columns for up to 520 px, and the defaults, which are also those for up to 800 px (docs/product.md §10). */
export const NARROW_COLUMNS: readonly ColumnName[] = ['Project', 'Status', 'Progress']
export const DEFAULT_COLUMNS: readonly ColumnName[] = ['Project', 'Type', 'Status', 'Progress', 'PPD']

/** Columns of the history of units (docs/product.md §2, Work Units view). */
export const HISTORY_COLUMNS: readonly ColumnName[] = [
  'Machine',
  'Project',
  'Core',
  'OS',
  'Status',
  'Progress',
  'TPF',
  'PPD',
  'Assign Time',
]

/** Fields of one unit (docs/product.md §2, Work Unit Details). */
export const DETAIL_COLUMNS: readonly ColumnName[] = [
  'Status Text',
  'Progress',
  'Machine',
  'OS Text',
  'TPF',
  'PPD',
  'CPUs',
  'GPUs Text',
  'Run Time',
  'ETA',
  'Assign Time',
  'Base Credit',
  'Deadline',
  'Timeout',
  'Core',
  'Work Server',
  'Project',
  'RCG',
]

export const NARROW_WIDTH = 520
export const SMALL_WIDTH = 800

/** The columns of a table that has `width` CSS pixels. `chosen`: the account's list, unchecked. */
export function columnsFor(width: number, chosen?: unknown): readonly UnitColumn[] {
  if (width <= NARROW_WIDTH) return columnsOf(NARROW_COLUMNS)
  return width <= SMALL_WIDTH ? columnsOf(DEFAULT_COLUMNS) : columnsOf(chosenColumns(chosen))
}

/** The account's column names without duplicates; the defaults when it has none. */
export function chosenColumns(chosen: unknown): readonly string[] {
  const names = Array.isArray(chosen)
    ? chosen.filter((name): name is string => typeof name === 'string' && name !== '')
    : []
  return names.length === 0 ? DEFAULT_COLUMNS : distinctColumns(names)
}

/** The names without duplicates, which may differ in spelling. */
export function distinctColumns(names: readonly string[]): readonly string[] {
  const keys = names.map(keyOf)
  return names.filter((name, at) => keys.indexOf(keyOf(name)) === at)
}

/** The columns of these names. The same name always gives the same column. */
export function columnsOf(names: readonly string[]): readonly UnitColumn[] {
  return names.map(columnOf)
}

/**
 * The column of this name, as the account's config spells it ('Base Credit'; 'base_credit' and 'base-credit' are the
 * same). An unknown name, of a newer dashboard, stays and shows the unit's field of that name unchanged.
 */
export function columnOf(name: string): UnitColumn {
  return BY_KEY.get(keyOf(name)) ?? unknownColumn(name)
}

/** Names of the columns that are not chosen: the disabled ones. */
export function unchosenColumns(chosen: readonly string[]): readonly string[] {
  const keys = new Set(chosen.map(keyOf))
  return UNIT_COLUMNS.map(({ name }) => name).filter(name => !keys.has(keyOf(name)))
}

/** The chosen columns with some moved before or after another one, or to the end. Columns not chosen before are added. */
export function placeColumns(
  chosen: readonly string[],
  names: readonly string[],
  anchor?: { readonly name: string; readonly side: 'before' | 'after' },
): readonly string[] {
  const moved = new Set(names)
  const others = chosen.filter(name => !moved.has(name))
  const at = anchor === undefined ? -1 : others.indexOf(anchor.name)
  if (anchor !== undefined && at < 0) return chosen
  const place = anchor === undefined ? others.length : at + (anchor.side === 'after' ? 1 : 0)
  return [...others.slice(0, place), ...moved, ...others.slice(place)]
}

/** The chosen columns without some of them; at least one stays. */
export function disableColumns(chosen: readonly string[], names: readonly string[]): readonly string[] {
  const left = chosen.filter(name => !names.includes(name))
  return left.length === 0 ? chosen.slice(0, 1) : left
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '')
}

const BY_KEY: ReadonlyMap<string, UnitColumn> = new Map(UNIT_COLUMNS.map(column => [keyOf(column.name), column]))

const unknownColumns = new Map<string, UnitColumn>()

// A limit for malicious configs.
const MAX_UNKNOWN = 200

function unknownColumn(name: string): UnitColumn {
  const cached = unknownColumns.get(name)
  if (cached !== undefined) return cached
  const fields = [
    name,
    name
      .toLowerCase()
      .trim()
      .replaceAll(/[\s-]+/g, '_'),
  ]
  const read = (unit: unknown): unknown => fields.map(field => ownValue(unit, field)).find(value => value !== undefined)
  const made: UnitColumn = {
    id: `unknown-${keyOf(name)}`,
    name,
    title: name,
    hint: t`This dashboard does not know this column`,
    align: 'start',
    width: 14,
    grows: false,
    value: unit => sortValue(read(unit)),
    text: unit => formatValue(read(unit)),
  }
  if (unknownColumns.size < MAX_UNKNOWN) unknownColumns.set(name, made)
  return made
}

function sortValue(value: unknown): SortValue {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined
}

/** The choice as the account stores it: undefined when it had none and the default columns are chosen. */
export function columnsToStore(names: readonly string[], stored: unknown): readonly string[] | undefined {
  return stored === undefined && isSameList(names, DEFAULT_COLUMNS) ? undefined : names
}
