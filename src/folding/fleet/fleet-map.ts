/*
 * The map of a fleet: one cell a client, in groups, and where each cell is. Lengths are CSS pixels. The layout depends on
 * the numbers of clients alone, so a client that changes its state never moves.
 */
import { t } from '@lingui/core/macro'
import { compareVersions, parseVersion } from '../../protocol/client/version.ts'
import { compareTexts, formatList, formatNumber, formatPoints } from '../text/format.ts'
import { clientStatusAppearance, CLIENT_STATUSES, type ClientFacts, type ClientStatus } from './client-facts.ts'

/** What the clients are grouped by. */
export const MAP_GROUPINGS = ['none', 'state', 'tag', 'version', 'os', 'gpu'] as const
export type MapGrouping = (typeof MAP_GROUPINGS)[number]

export type MapGroup = {
  /** Distinct among the groups of one grouping. */
  readonly key: string
  readonly label: string
  readonly machines: readonly ClientFacts[]
}

/**
 * Clients in groups, in their own order within each. A client is in one group: of several tags the first counts, of
 * several GPUs all together. Newest versions come first, states by urgency, others by name; what is unknown comes last.
 */
export function mapGroups(clients: readonly ClientFacts[], grouping: MapGrouping): readonly MapGroup[] {
  const found = new Map<string, ClientFacts[]>()
  for (const client of clients) {
    const key = groupKey(client, grouping)
    const group = found.get(key)
    if (group === undefined) found.set(key, [client])
    else group.push(client)
  }
  return [...found]
    .map(([key, members]) => ({ key, label: groupLabel(key, grouping), machines: members }))
    .sort((a, b) => Number(a.key === '') - Number(b.key === '') || compareGroups(a, b, grouping))
}

/** '' where it is unknown, or there is none. */
function groupKey(client: ClientFacts, grouping: MapGrouping): string {
  switch (grouping) {
    case 'none':
      return 'all'
    case 'state':
      return client.state
    case 'tag':
      return client.tags[0] ?? ''
    case 'version':
      return client.version ?? ''
    case 'os':
      return client.os ?? ''
    case 'gpu':
      return gpuText(client.gpus)
  }
}

function gpuText(gpus: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const gpu of gpus) counts.set(gpu, (counts.get(gpu) ?? 0) + 1)
  return formatList([...counts].map(([gpu, count]) => (count > 1 ? `${formatNumber(count)} × ${gpu}` : gpu)))
}

function groupLabel(key: string, grouping: MapGrouping): string {
  if (grouping === 'none') return t`All machines`
  if (grouping === 'state') return clientStatusAppearance(key as ClientStatus).label
  if (key !== '') return key
  if (grouping === 'tag') return t`No tag`
  return grouping === 'gpu' ? t`No GPU` : t`Not known`
}

function compareGroups(a: MapGroup, b: MapGroup, grouping: MapGrouping): number {
  if (grouping === 'state')
    return CLIENT_STATUSES.indexOf(a.key as ClientStatus) - CLIENT_STATUSES.indexOf(b.key as ClientStatus)
  if (grouping === 'version') {
    const [first, second] = [parseVersion(a.key), parseVersion(b.key)]
    if (first !== undefined && second !== undefined) return compareVersions(second, first)
  }
  return compareTexts(a.label, b.label)
}

/** How many clients are in each state, in order of urgency; states without clients are left out. */
export function stateCounts(
  clients: readonly ClientFacts[],
): readonly { readonly state: ClientStatus; readonly count: number }[] {
  const counts = new Map<ClientStatus, number>()
  for (const { state } of clients) counts.set(state, (counts.get(state) ?? 0) + 1)
  return CLIENT_STATUSES.flatMap(state => {
    const count = counts.get(state)
    return count === undefined ? [] : [{ state, count }]
  })
}

/** Sizes of cells: three with the mark of the state alone, and one with the client's name. */
export const CELL_SIZES = ['small', 'medium', 'large', 'named'] as const
export type CellSize = (typeof CELL_SIZES)[number]

type Cell = { readonly width: number; readonly height: number; readonly gap: number }

const CELLS: Readonly<Record<CellSize, Cell>> = {
  small: { width: 12, height: 12, gap: 2 },
  medium: { width: 20, height: 20, gap: 3 },
  large: { width: 32, height: 32, gap: 4 },
  named: { width: 148, height: 44, gap: 6 },
}

/** The height of a group's heading, and the space below the group. */
const HEADING = 30
const GROUP_SPACE = 14

export type PlacedGroup = {
  /** Where its heading begins, and its cells. */
  readonly top: number
  readonly cellsTop: number
  /** The position of its first client in the whole map, and the number of its clients. */
  readonly first: number
  readonly count: number
  /** The number of rows of cells before it, and in it. */
  readonly firstRow: number
  readonly rows: number
}

export type MapLayout = {
  readonly cell: Cell
  readonly columns: number
  readonly height: number
  /** Cells in all groups, and rows of cells. */
  readonly count: number
  readonly rows: number
  readonly groups: readonly PlacedGroup[]
}

/** Places groups of these sizes below each other in a map of this width, at least one cell wide. */
export function mapLayout(counts: readonly number[], size: CellSize, width: number): MapLayout {
  const cell = CELLS[size]
  const columns = Math.max(1, Math.floor((width + cell.gap) / (cell.width + cell.gap)))
  const groups: PlacedGroup[] = []
  let [top, first, firstRow] = [0, 0, 0]
  for (const count of counts) {
    const rows = Math.ceil(count / columns)
    const cellsTop = top + HEADING
    groups.push({ top, cellsTop, first, count, firstRow, rows })
    top = cellsTop + rows * (cell.height + cell.gap) + GROUP_SPACE
    first += count
    firstRow += rows
  }
  return { cell, columns, height: top, count: first, rows: firstRow, groups }
}

export type CellPlace = {
  readonly left: number
  readonly top: number
  /** Of all rows of cells, and within the row; from 0. */
  readonly row: number
  readonly column: number
}

/** Where the cell at a position of the map is; undefined when there is no such position. */
export function placeOf(layout: MapLayout, index: number): CellPlace | undefined {
  const group = groupAt(layout.groups, ({ first, count }) => first + count > index)
  if (group === undefined || index < 0) return undefined
  const within = index - group.first
  const row = Math.floor(within / layout.columns)
  const column = within % layout.columns
  const { width, height, gap } = layout.cell
  return {
    left: column * (width + gap),
    top: group.cellsTop + row * (height + gap),
    row: group.firstRow + row,
    column,
  }
}

/** The first group for which this holds, which must hold for all groups after it. By binary search. */
function groupAt(groups: readonly PlacedGroup[], isThere: (group: PlacedGroup) => boolean): PlacedGroup | undefined {
  let first = 0
  let end = groups.length
  while (first < end) {
    const middle = (first + end) >> 1
    const group = groups[middle]
    if (group !== undefined && isThere(group)) end = middle
    else first = middle + 1
  }
  return groups[first]
}

function bottomOf({ cell }: MapLayout, { cellsTop, rows }: PlacedGroup): number {
  return cellsTop + rows * (cell.height + cell.gap)
}

/** The position of the cell at a point; undefined between cells. */
export function cellAt(layout: MapLayout, x: number, y: number): number | undefined {
  const group = groupAt(layout.groups, each => bottomOf(layout, each) > y)
  if (group === undefined || y < group.cellsTop || x < 0) return undefined
  const { width, height, gap } = layout.cell
  const column = Math.floor(x / (width + gap))
  const row = Math.floor((y - group.cellsTop) / (height + gap))
  if (column >= layout.columns || x - column * (width + gap) >= width) return undefined
  if (y - group.cellsTop - row * (height + gap) >= height) return undefined
  const within = row * layout.columns + column
  return within < group.count ? group.first + within : undefined
}

/** Positions of the cells that are at least partly between two heights: from `first` up to, without, `end`. */
export function cellsBetween(
  layout: MapLayout,
  top: number,
  bottom: number,
): { readonly first: number; readonly end: number } {
  const { height, gap } = layout.cell
  const rowsAbove = ({ cellsTop, rows }: PlacedGroup, y: number): number =>
    Math.min(rows, Math.max(0, Math.ceil((y - cellsTop) / (height + gap))))
  const upper = groupAt(layout.groups, each => bottomOf(layout, each) > top)
  const lower = groupAt(layout.groups, each => bottomOf(layout, each) > bottom)
  if (upper === undefined) return { first: layout.count, end: layout.count }
  const skipped = Math.max(0, Math.floor((top - upper.cellsTop) / (height + gap)))
  const first = upper.first + Math.min(upper.count, skipped * layout.columns)
  const end =
    lower === undefined ? layout.count : lower.first + Math.min(lower.count, rowsAbove(lower, bottom) * layout.columns)
  return { first, end: Math.max(first, end) }
}

/** Positions of the cells of a row, from `first` up to, without, `end`; undefined when there is no such row. */
export function cellsOfRow(
  layout: MapLayout,
  row: number,
): { readonly group: number; readonly first: number; readonly end: number } | undefined {
  const group = groupAt(layout.groups, ({ firstRow, rows }) => firstRow + rows > row)
  if (group === undefined || row < group.firstRow) return undefined
  const first = group.first + (row - group.firstRow) * layout.columns
  return {
    group: layout.groups.indexOf(group),
    first,
    end: Math.min(first + layout.columns, group.first + group.count),
  }
}

/** The keys that move over cells, as in `KeyboardEvent.key`; with Ctrl for `first` and `last`. */
export type MapMove =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'rowStart'
  | 'rowEnd'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'

/**
 * The position after a move. Left and right follow the order of the clients across rows; up and down stay in the column,
 * or take the last cell of a shorter row. At the edges nothing moves. `page`: the number of rows in view.
 */
export function movedFrom(layout: MapLayout, index: number, move: MapMove, page: number): number {
  const place = placeOf(layout, index)
  if (place === undefined) return 0
  const inRow = (row: number, column: number): number => {
    const cells = cellsOfRow(layout, Math.min(layout.rows - 1, Math.max(0, row)))
    return cells === undefined ? index : Math.min(cells.first + column, cells.end - 1)
  }
  switch (move) {
    case 'left':
      return Math.max(0, index - 1)
    case 'right':
      return Math.min(layout.count - 1, index + 1)
    case 'up':
      return place.row === 0 ? index : inRow(place.row - 1, place.column)
    case 'down':
      return place.row === layout.rows - 1 ? index : inRow(place.row + 1, place.column)
    case 'rowStart':
      return inRow(place.row, 0)
    case 'rowEnd':
      return inRow(place.row, layout.columns - 1)
    case 'pageUp':
      return inRow(place.row - page, place.column)
    case 'pageDown':
      return inRow(place.row + page, place.column)
    case 'first':
      return 0
    case 'last':
      return Math.max(0, layout.count - 1)
  }
}

/** The name of a cell for screen readers: name, state and points per day, and what needs attention. */
export function cellText(client: ClientFacts): string {
  const state = clientStatusAppearance(client.state).label
  const { name } = client
  if (!client.isConnected) return t`${name}, ${state}`
  const ppd = formatPoints(client.ppd)
  return t`${name}, ${state}, ${ppd} PPD`
}
