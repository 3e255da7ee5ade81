import { t } from '@lingui/core/macro'
import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { NARROW_WIDTH } from '../../../../folding/unit/column-sets.ts'
import type { GridDensity } from '../../../../folding/fleet/fleet-view.ts'
import { useTop } from '../../../hooks/use-top.ts'
import { classNames } from '../../../parts/class-names.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'
import styles from './data-grid.module.css'
import {
  createFocusRequest,
  eventHandlers,
  MENU_CELL,
  OPEN_CELL,
  SELECT_CELL,
  type ActiveCell,
  type GridControl,
  type Selection,
} from './grid-events.ts'
import { useRowHeight } from '../../../hooks/use-row-height.ts'
import { GridHeadings } from './grid-headings.tsx'
import { GridRow, type RowColumn } from './grid-row.tsx'
import { activeIndexOf, keyOf, OVERSCAN, sizeOf, useColumnWindow, withIndex } from './grid-window.ts'
import type { GridTable } from './grid-table.ts'
import type { HeldRows } from './use-row-order.ts'
import { useRowsInView } from './use-rows-in-view.ts'
import { isRightToLeft } from '../../../../folding/text/direction.ts'

export type GridProps<Row> = {
  readonly label: string
  readonly table: GridTable<RowColumn<Row>>
  /** Ids of the columns that a phone shows. */
  readonly phoneColumns: readonly string[]
  /** Keys of all rows in their order. */
  readonly keys: readonly string[]
  readonly rowOf: (key: string) => Row | undefined
  readonly nameOf: (row: Row) => string
  readonly density: GridDensity | undefined
  /** What an open row shows. */
  readonly detail: (key: string) => ReactNode
  readonly menu: (key: string, trigger: { readonly current: HTMLElement }, close: () => void) => ReactNode
  /** What a click on a row does, beyond its links and buttons; opens it when there is none. */
  readonly onPress?: ((key: string) => void) | undefined
  readonly selection?: Selection | undefined
  readonly held: HeldRows
  /** Called with the keys of the rows that stay in view. */
  readonly onRowsInView?: ((keys: readonly string[]) => void) | undefined
  /** A live width while it is dragged; `isFinal` when it is dropped. Undefined for the default width. */
  readonly onResize: (id: string, width: number | undefined, isFinal: boolean) => void
  /** Before another column, or to the end. */
  readonly onMove: (id: string, before: string | undefined) => void
  /** By one place. */
  readonly onStep: (id: string, step: -1 | 1) => void
}

type ViewProps<Row> = GridProps<Row> & {
  readonly active: ActiveCell
  readonly setActive: (active: ActiveCell) => void
  readonly rows: Pick<
    Virtualizer<HTMLDivElement, Element> | Virtualizer<Window, Element>,
    'getVirtualItems' | 'getTotalSize' | 'scrollToIndex' | 'measureElement'
  >
  readonly scrollMargin: number
  readonly height: number
  readonly ruler: (element: HTMLDivElement | null) => void
  readonly box: RefObject<HTMLDivElement | null>
  readonly list: RefObject<HTMLDivElement | null>
  readonly isPhone: boolean
}

/** The one cell that the Tab key reaches: the last one with the focus, else the first one. Phones show no headings. */
function tabStopOf(
  { row, column }: ActiveCell,
  keys: readonly string[],
  cellIds: readonly string[],
  isPhone: boolean,
): ActiveCell {
  return {
    row: row !== undefined && keys.includes(row) ? row : isPhone ? keys[0] : undefined,
    column: cellIds.includes(column) ? column : OPEN_CELL,
  }
}

function GridView<Row>(props: ViewProps<Row>) {
  const { columns, entries, isOpen, toggleOpen } = props.table
  const { label, phoneColumns, keys, rowOf, nameOf, density, detail, menu, selection, held } = props
  const { active, setActive, rows, height, ruler, box, list, isPhone, scrollMargin } = props
  const grid = useRef<HTMLDivElement>(null)
  const [menuOf, setMenuOf] = useState<{ readonly key: string; readonly trigger: { readonly current: HTMLElement } }>()
  const [announcement, announce] = useState('')
  const { visible, style, scrollTo } = useColumnWindow({ ...props, columns, hasSelection: selection !== undefined })
  const shown = rows.getVirtualItems()
  useRowsInView(
    shown.flatMap(({ index }) => (entries[index]?.isDetail === false ? entries[index].key : [])),
    props.onRowsInView,
  )
  // Takes effect when the cell is rendered, which may be after scrolling.
  const [focus] = useState(createFocusRequest)
  useEffect(() => {
    // Not `active`: effects of an older render may run after the next key.
    const wanted = focus.wanted()
    if (wanted === undefined) return
    const row = wanted.row === undefined ? '[data-headings]' : `[data-key="${CSS.escape(wanted.row)}"]`
    const cell = grid.current?.querySelector<HTMLElement>(`${row} > [data-column="${CSS.escape(wanted.column)}"]`)
    if (cell === null || cell === undefined) return
    focus.close()
    ;(cell.querySelector<HTMLElement>('a, button, input') ?? cell).focus({ preventScroll: true })
  })
  const cellIds = [
    ...(selection === undefined ? [] : [SELECT_CELL]),
    OPEN_CELL,
    ...(isPhone ? phoneColumns : columns.map(({ column }) => column.id)),
    MENU_CELL,
  ]
  const control: GridControl = {
    keys,
    cellIds,
    columns: columns.map(({ column, size, toggleSort }) => ({ id: column.id, title: column.title, size, toggleSort })),
    active,
    page: Math.max(1, Math.floor((isPhone ? window.innerHeight : (box.current?.clientHeight ?? 400)) / height) - 2),
    moveTo: next => {
      focus.make(next)
      setActive(next)
      const index =
        next.row === undefined ? -1 : entries.findIndex(({ key, isDetail }) => key === next.row && !isDetail)
      if (index >= 0) rows.scrollToIndex(index, { align: 'auto' })
      else if (!isPhone) box.current?.scrollTo({ top: 0 })
      scrollTo(next.column)
    },
    setActive: cell => {
      focus.close()
      setActive(cell)
    },
    toggleOpen,
    press: props.onPress ?? toggleOpen,
    openMenu: (key, element) => setMenuOf({ key, trigger: { current: element } }),
    selection,
    resize: props.onResize,
    step: (id, step) => {
      const title = columns.find(({ column }) => column.id === id)?.column.title ?? id
      props.onStep(id, step)
      focus.make(active)
      announce(step < 0 === isRightToLeft() ? t`${title} moved to the right` : t`${title} moved to the left`)
    },
    move: props.onMove,
    held,
  }
  const tabStop = tabStopOf(active, keys, cellIds, isPhone)
  const opened = entries.length - keys.length
  return (
    <>
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-rowcount={keys.length + opened + 1}
        aria-colcount={cellIds.length}
        {...(selection === undefined ? {} : { 'aria-multiselectable': true })}
        className={classNames(styles['grid'], isPhone && styles['phone'])}
        data-density={density}
        style={style}
        {...eventHandlers(() => control)}
      >
        <div ref={isPhone ? undefined : box} className={styles['box']} data-scroller>
          <div role="rowgroup" className={isPhone ? 'visually-hidden' : styles['head']}>
            <GridHeadings
              columns={columns}
              visible={visible}
              active={tabStop.row === undefined ? tabStop.column : undefined}
              offset={cellIds.indexOf(OPEN_CELL) + 2}
              hasSelection={selection !== undefined}
              selected={
                selection === undefined || keys.length === 0
                  ? 'none'
                  : keys.every(key => selection.ids.has(key))
                    ? 'all'
                    : selection.ids.size > 0
                      ? 'some'
                      : 'none'
              }
              isPhone={isPhone}
            />
          </div>
          <div ref={list} role="rowgroup" className={styles['body']} style={{ blockSize: rows.getTotalSize() }}>
            <div ref={ruler} aria-hidden="true" className={styles['ruler']} />
            {shown.map(({ index, start }) => {
              const entry = entries[index]
              const row = entry === undefined ? undefined : rowOf(entry.key)
              if (entry === undefined || row === undefined) return null
              const offset = start - scrollMargin
              if (entry.isDetail)
                return (
                  <div
                    key={`${entry.key} detail`}
                    ref={rows.measureElement}
                    data-index={index}
                    data-detail={entry.key}
                    role="row"
                    aria-rowindex={index + 2}
                    className={styles['detail']}
                    style={{ transform: `translateY(${offset}px)` }}
                  >
                    <div role="gridcell" aria-colspan={cellIds.length} className={styles['panel']}>
                      {detail(entry.key)}
                    </div>
                  </div>
                )
              return (
                <GridRow
                  key={entry.key}
                  rowKey={entry.key}
                  row={row}
                  name={nameOf(row)}
                  index={index}
                  offset={offset}
                  visible={visible}
                  cellOffset={cellIds.indexOf(OPEN_CELL) + 2}
                  activeColumn={entry.key === tabStop.row ? tabStop.column : undefined}
                  isOpen={isOpen(entry.key)}
                  isSelected={selection?.ids.has(entry.key)}
                />
              )
            })}
          </div>
        </div>
      </div>
      <span role="status" className="visually-hidden">
        {announcement}
      </span>
      {menuOf === undefined ? undefined : menu(menuOf.key, menuOf.trigger, () => setMenuOf(undefined))}
    </>
  )
}

type Shared<Row> = GridProps<Row> &
  Omit<ViewProps<Row>, keyof GridProps<Row> | 'rows' | 'scrollMargin' | 'isPhone' | 'box' | 'list'>

/** The height of the headings, which are above the rows in the box that scrolls. */
const HEADINGS_HEIGHT = 34

/** Scrolls both ways in a box that fills the window. */
function BoxGrid<Row>(props: Shared<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { height } = props
  const { entries } = props.table
  const getItemKey = useMemo(() => keyOf(entries), [entries])
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: sizeOf(entries, height),
    getItemKey,
    scrollMargin: HEADINGS_HEIGHT,
    scrollPaddingStart: HEADINGS_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: withIndex(activeIndexOf(entries, props.active)),
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  return <GridView {...props} rows={virtualizer} scrollMargin={HEADINGS_HEIGHT} box={box} list={list} isPhone={false} />
}

/** Scrolls with the page, which is no wider than a phone. */
function PageGrid<Row>(props: Shared<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { height } = props
  const { entries } = props.table
  const getItemKey = useMemo(() => keyOf(entries), [entries])
  const top = useTop(list) ?? 0
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    scrollMargin: top,
    estimateSize: sizeOf(entries, height),
    getItemKey,
    overscan: OVERSCAN,
    rangeExtractor: withIndex(activeIndexOf(entries, props.active)),
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  return <GridView {...props} rows={virtualizer} scrollMargin={top} box={box} list={list} isPhone />
}

/**
 * A grid for thousands of rows and dozens of columns: only the cells in view are in the document. Arrow keys move between
 * cells, Enter opens a row, Space selects it. On a phone each row has two lines.
 */
export function DataGrid<Row>(props: GridProps<Row>) {
  const isPhone = useBreakpoint() <= NARROW_WIDTH
  const { ruler, height } = useRowHeight(props.density)
  const [active, setActive] = useState<ActiveCell>({
    row: undefined,
    column: props.table.columns[0]?.column.id ?? OPEN_CELL,
  })
  const shared = { ...props, active, setActive, height, ruler }
  return isPhone ? <PageGrid {...shared} /> : <BoxGrid {...shared} />
}
