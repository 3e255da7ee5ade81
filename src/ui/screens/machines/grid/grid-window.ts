import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, type CSSProperties, type RefObject } from 'react'
import type { PlacedColumn } from './grid-column.ts'
import type { ActiveCell } from './grid-events.ts'
import type { RowColumn } from './grid-row.tsx'
import { isRightToLeft } from '../../../../folding/text/direction.ts'

/** A row, or what an open row shows below itself. */
export type Entry = { readonly key: string; readonly row: number; readonly isDetail: boolean }

export const OVERSCAN = 8
const COLUMN_OVERSCAN = 2
const DETAIL_HEIGHT = 150

/** Width of the cells with a checkbox or the button that opens the row, in CSS pixels. */
const CONTROL_WIDTH = 36

/** Rows in their order, each open one with its detail. */
export function entriesOf(keys: readonly string[], isOpen: (key: string) => boolean): readonly Entry[] {
  return keys.flatMap((key, row) =>
    isOpen(key)
      ? [
          { key, row, isDetail: false },
          { key, row, isDetail: true },
        ]
      : [{ key, row, isDetail: false }],
  )
}

type Extracted = {
  readonly startIndex: number
  readonly endIndex: number
  readonly overscan: number
  readonly count: number
}

/** The indexes in view, and one more that stays rendered because it has the focus. */
export function withIndex(index: number) {
  return (range: Extracted): number[] => {
    const shown = defaultRangeExtractor(range)
    if (index < 0 || index >= range.count || shown.includes(index)) return shown
    return index < (shown[0] ?? 0) ? [index, ...shown] : [...shown, index]
  }
}

export function sizeOf(entries: readonly Entry[], height: number) {
  return (index: number) => (entries[index]?.isDetail === true ? DETAIL_HEIGHT : height)
}

export function keyOf(entries: readonly Entry[]) {
  return (index: number) => {
    const entry = entries[index]
    return entry === undefined ? index : `${entry.key}${entry.isDetail ? ' detail' : ''}`
  }
}

export function activeIndexOf(entries: readonly Entry[], { row }: ActiveCell): number {
  return row === undefined ? -1 : entries.findIndex(({ key, isDetail }) => key === row && !isDetail)
}

type Windowed<Row> = {
  readonly columns: readonly PlacedColumn<RowColumn<Row>>[]
  /** Ids of the columns that a phone shows. */
  readonly phoneColumns: readonly string[]
  readonly hasSelection: boolean
  readonly active: ActiveCell
  readonly box: RefObject<HTMLDivElement | null>
  readonly isPhone: boolean
}

/** The columns in view, and the styles that place all columns. */
export function useColumnWindow<Row>({ columns, phoneColumns, hasSelection, active, box, isPhone }: Windowed<Row>) {
  const pinned = columns.filter(({ isPinned }) => isPinned)
  const others = columns.filter(({ isPinned }) => !isPinned)
  const lead = (hasSelection ? 2 : 1) * CONTROL_WIDTH
  const pinnedEnd = lead + pinned.reduce((sum, { size }) => sum + size, 0)
  const total = pinnedEnd + others.reduce((sum, { size }) => sum + size, 0) + CONTROL_WIDTH
  const activeIndex = others.findIndex(({ column }) => column.id === active.column)
  const sizes = others.map(({ size }) => size).join(' ')
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    horizontal: true,
    isRtl: isRightToLeft(),
    enabled: !isPhone,
    count: others.length,
    getScrollElement: () => box.current,
    estimateSize: index => others[index]?.size ?? 0,
    scrollMargin: pinnedEnd,
    scrollPaddingStart: pinnedEnd,
    scrollPaddingEnd: CONTROL_WIDTH,
    overscan: COLUMN_OVERSCAN,
    rangeExtractor: withIndex(activeIndex),
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, sizes, pinnedEnd])
  const inView = isPhone
    ? phoneColumns
    : [
        ...pinned.map(({ column }) => column.id),
        ...virtualizer.getVirtualItems().flatMap(({ index }) => others[index]?.column.id ?? []),
      ]
  const ids = inView.join(' ')
  const all = columns.map(({ column }) => column)
  const orderKey = columns.map(({ column, isPinned }) => `${isPinned ? '!' : ''}${column.id}`).join(' ')
  // The same list while the same columns are in view: rows render again only for another one.
  const visible = useMemo(
    () =>
      ids.split(' ').flatMap(id => {
        const at = all.findIndex(column => column.id === id)
        const column = all[at]
        return column === undefined
          ? []
          : [{ column, index: at, isPinned: orderKey.split(' ')[at]?.startsWith('!') === true }]
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- `all` is a new list of the same columns
    [ids, orderKey],
  )
  const places = Object.fromEntries(
    columns.flatMap(({ column: { id }, isPinned, start, size }) => [
      [`--x-${id}`, `${(isPinned ? lead : pinnedEnd) + start}px`],
      [`--w-${id}`, `${size}px`],
    ]),
  )
  const scrollTo = (id: string): void => {
    const index = others.findIndex(({ column }) => column.id === id)
    if (index >= 0 && !isPhone) virtualizer.scrollToIndex(index, { align: 'auto' })
  }
  return { visible, style: { ...places, '--total': `${total}px` } as CSSProperties, scrollTo }
}
