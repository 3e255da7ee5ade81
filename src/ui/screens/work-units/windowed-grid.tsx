import { t } from '@lingui/core/macro'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { NARROW_WIDTH } from '../../../folding/unit/column-sets.ts'
import type { UnitColumn } from '../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'
import { classNames } from '../../parts/class-names.ts'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import { useTop } from '../../hooks/use-top.ts'
import { useBreakpoint } from '../machines/units/use-room.ts'
import { SortButton } from '../machines/units/column-header.tsx'
import { useSortHeadings } from '../machines/units/sort-headings.ts'
import styles from './windowed-grid.module.css'

export type GridColumn<Row> = Pick<UnitColumn, 'id' | 'title' | 'hint' | 'align'> & {
  /** What its values are, for the words of an order. */
  readonly kind: 'text' | 'number' | 'time'
  readonly cell: (row: Row) => ReactNode
}

type Props<Row> = {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  /** In their order. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort: UnitSort
  /** Undefined when the rows are to stand as they did at first. */
  readonly onSort: (sort: UnitSort | undefined) => void
  /** A control at the end of each row, and what its column is called for those who hear it. */
  readonly action?: { readonly title: string; readonly render: (row: Row) => ReactNode }
  /** Says how wide the columns are, and how a row looks on a phone. */
  readonly className: string | undefined
}

const OVERSCAN = 6
const USUAL_HEIGHT = 38

/** How high a row is, as the styles have it: all are alike, so that their places are known without looking at each. */
const useRowHeight = (ruler: RefObject<HTMLDivElement | null>): number => {
  const [height, setHeight] = useState(USUAL_HEIGHT)
  useLayoutEffect(() => {
    const element = ruler.current
    if (element === null) return
    const measure = (): void => {
      if (element.offsetHeight > 0) setHeight(element.offsetHeight)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ruler])
  return height
}

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'action'> & { readonly row: Row }

const cellClass = ({ align }: Pick<UnitColumn, 'align'>): string =>
  classNames(styles['cell'], align === 'end' && styles['end'])

const Cells = <Row,>({ row, columns, action }: RowProps<Row>) => (
  <>
    {columns.map(column => (
      <div key={column.id} role="cell" data-column={column.id} className={cellClass(column)}>
        {column.cell(row)}
      </div>
    ))}
    {action === undefined ? undefined : (
      <div role="cell" data-column="action" className={styles['action']}>
        {action.render(row)}
      </div>
    )}
  </>
)
// A row that is still in sight stays as it is while others come and go.
const StillCells = memo(Cells) as typeof Cells

/** A table of thousands of rows, of which only those in sight are on the page. Each heading sorts. */
export const WindowedGrid = <Row,>({ label, columns, rows, keyOf, sort, onSort, action, className }: Props<Row>) => {
  const list = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const height = useRowHeight(ruler)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    scrollMargin: useTop(list),
    overscan: OVERSCAN,
    estimateSize: () => height,
  })
  // What was measured with another height is forgotten.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  const headings = useSortHeadings(columns, sort, onSort)
  const isNarrow = useBreakpoint() <= NARROW_WIDTH
  return (
    <div className={classNames(styles['grid'], className)}>
      {isNarrow ? <SortMenu columns={columns} sort={sort} onSort={onSort} /> : undefined}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={isNarrow ? 'visually-hidden' : styles['head']}>
          <div role="row" aria-rowindex={1} className={styles['row']}>
            {headings.map(heading => (
              <div
                key={heading.column.id}
                role="columnheader"
                data-column={heading.column.id}
                aria-sort={sortWord[String(heading.sorted)] ?? 'none'}
              >
                {isNarrow ? heading.column.title : <SortButton heading={heading} />}
              </div>
            ))}
            {action === undefined ? undefined : (
              <div role="columnheader" data-column="action">
                <span className="visually-hidden">{action.title}</span>
              </div>
            )}
          </div>
        </div>
        <div ref={list} role="rowgroup" className={styles['body']} style={{ blockSize: virtualizer.getTotalSize() }}>
          <div ref={ruler} aria-hidden="true" className={classNames(styles['row'], styles['ruler'])} />
          {virtualizer.getVirtualItems().flatMap(({ index, start }) => {
            const row = rows[index]
            return row === undefined ? (
              []
            ) : (
              <div
                key={keyOf(row)}
                role="row"
                aria-rowindex={index + 2}
                className={classNames(styles['row'], styles['placed'])}
                style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
              >
                <StillCells row={row} columns={columns} {...(action === undefined ? {} : { action })} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const sortWord: Readonly<Record<string, 'ascending' | 'descending'>> = { asc: 'ascending', desc: 'descending' }

const orders: Readonly<Record<GridColumn<unknown>['kind'], readonly [rising: string, falling: string]>> = {
  text: [t`A to Z`, t`Z to A`],
  number: [t`lowest first`, t`highest first`],
  time: [t`oldest first`, t`newest first`],
}

/** For a phone, where there is no room for headings. */
const SortMenu = <Row,>({ columns, sort, onSort }: Pick<Props<Row>, 'columns' | 'sort' | 'onSort'>) => {
  const entries = columns.flatMap(({ id, title, kind }) => {
    const [rising, falling] = orders[kind]
    return [
      { id: `-${id}`, label: `${title}, ${falling}` },
      { id, label: `${title}, ${rising}` },
    ]
  })
  const chosen = `${sort.isDescending ? '-' : ''}${sort.column}`
  const words = entries.find(({ id }) => id === chosen)?.label ?? t`Sort`
  return (
    <div className={styles['chooser']}>
      <MenuButton
        label={t`Sorted by ${words}`}
        icon="sort"
        entries={() => entries}
        chosen={[chosen]}
        onChoose={id => onSort({ column: id.replace(/^-/, ''), isDescending: id.startsWith('-') })}
      >
        {words}
      </MenuButton>
    </div>
  )
}
