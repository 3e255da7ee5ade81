/*
 * How a person wants the clients shown: as panels or as a grid, with which columns, and which panels are collapsed.
 */

/**
 * The only client in full; panels; a grid with one row per client; a grid with one row per work unit; a map with one cell per
 * client.
 */
export const FLEET_LAYOUTS = ['single', 'panels', 'grid', 'units', 'map'] as const
export type FleetLayout = (typeof FLEET_LAYOUTS)[number]

export function isFleetLayout(value: unknown): value is FleetLayout {
  return FLEET_LAYOUTS.some(layout => layout === value)
}

export const GRID_DENSITIES = ['comfortable', 'compact'] as const
/** The height of a grid's rows. */
export type GridDensity = (typeof GRID_DENSITIES)[number]

export function isGridDensity(value: unknown): value is GridDensity {
  return GRID_DENSITIES.some(density => density === value)
}

/** The columns of one grid, as a person arranged them. */
export type GridColumns = {
  /** Ids of the shown columns in their order; undefined for the default ones. */
  readonly shown: readonly string[] | undefined
  /** Ids of the columns that stay in view at the start; undefined for the default ones. */
  readonly pinned: readonly string[] | undefined
  /** Widths in CSS pixels, by id. */
  readonly widths: Readonly<Record<string, number>>
}

/** Which panels are collapsed: all but some, or none but some. */
export type CollapsedPanels = { readonly all: boolean; readonly except: readonly string[] }

/** What is remembered. */
export type FleetView = {
  /** Undefined until the user chooses: the number of clients decides. */
  readonly layout: FleetLayout | undefined
  /** Undefined until the user chooses: that of the whole page. */
  readonly density: GridDensity | undefined
  readonly machineColumns: GridColumns
  readonly unitColumns: GridColumns
  readonly collapsed: CollapsedPanels
}

export const defaultGridColumns: GridColumns = { shown: undefined, pinned: undefined, widths: {} }

export const defaultFleetView: FleetView = {
  layout: undefined,
  density: undefined,
  machineColumns: defaultGridColumns,
  unitColumns: defaultGridColumns,
  collapsed: { all: false, except: [] },
}

/** With more clients than this, the grid is the default. */
const MAX_PANELS = 12

/** With more clients than this, the map is offered. */
const MAX_WITHOUT_MAP = 100

/** Whether there are enough clients for a map. */
export function hasMap(clients: number): boolean {
  return clients > MAX_WITHOUT_MAP
}

function defaultLayout(clients: number): FleetLayout {
  return clients === 1 ? 'single' : clients > MAX_PANELS ? 'grid' : 'panels'
}

/**
 * The layout in the address, else the one chosen last, else the one that suits the number of clients. A map that was
 * chosen for many clients is not shown for few, nor a single client where there are several.
 */
export function layoutFor(
  asked: FleetLayout | undefined,
  chosen: FleetLayout | undefined,
  clients: number,
): FleetLayout {
  const layout = asked ?? (chosen === 'map' && !hasMap(clients) ? undefined : chosen)
  return layout === undefined || (layout === 'single' && clients !== 1) ? defaultLayout(clients) : layout
}

/** At most this many panels are remembered as exceptions; the oldest are forgotten first. */
export const MAX_EXCEPTIONS = 1000

export function isCollapsed({ all, except }: CollapsedPanels, id: string): boolean {
  return except.includes(id) !== all
}

/** One panel collapsed or expanded. */
export function toggleCollapsed({ all, except }: CollapsedPanels, id: string): CollapsedPanels {
  return {
    all,
    except: except.includes(id) ? except.filter(other => other !== id) : [...except, id].slice(-MAX_EXCEPTIONS),
  }
}

/** All panels collapsed or expanded. */
export function collapseAll(all: boolean): CollapsedPanels {
  return { all, except: [] }
}

/** In CSS pixels. */
export const MIN_WIDTH = 48
export const MAX_WIDTH = 1200

/** At most this many columns are remembered of one grid. */
export const MAX_COLUMNS = 100

/** A column with another width; with undefined, its default one. */
export function withColumnWidth(columns: GridColumns, id: string, width: number | undefined): GridColumns {
  const { [id]: _, ...others } = columns.widths
  if (width === undefined) return { ...columns, widths: others }
  return { ...columns, widths: { ...others, [id]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))) } }
}

/** What a grid shows: ids of all its columns in order, the pinned ones first, and how many are pinned. */
export type ShownColumns = { readonly ids: readonly string[]; readonly pinned: number }

/**
 * The columns of a grid. `available`: all ids; `asked`: those in the address, in order; `first`: the column that names a row,
 * which is always shown, and pinned unless others are.
 */
export function shownColumns(
  columns: GridColumns,
  available: readonly string[],
  defaults: readonly string[],
  first: string,
  asked?: readonly string[],
): ShownColumns {
  const chosen = [...new Set(asked ?? columns.shown ?? defaults)].filter(id => available.includes(id))
  const shown = chosen.includes(first) ? chosen : [first, ...chosen]
  const isPinned = (id: string): boolean => (columns.pinned ?? [first]).includes(id)
  const pinned = shown.filter(isPinned)
  return { ids: [...pinned, ...shown.filter(id => !isPinned(id))], pinned: pinned.length }
}

/** The shown columns with one of them moved before another one, or to the end. */
export function moveColumn(ids: readonly string[], id: string, before: string | undefined): readonly string[] {
  if (id === before || !ids.includes(id)) return ids
  const others = ids.filter(other => other !== id)
  const at = before === undefined ? others.length : others.indexOf(before)
  return at < 0 ? ids : [...others.slice(0, at), id, ...others.slice(at)]
}

/** The shown columns with one of them moved by one place. */
export function stepColumn(ids: readonly string[], id: string, step: -1 | 1): readonly string[] {
  const at = ids.indexOf(id)
  if (at < 0 || at + step < 0 || at + step >= ids.length) return ids
  return moveColumn(ids, id, step < 0 ? ids[at - 1] : ids[at + 2])
}
