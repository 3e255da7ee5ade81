import { t } from '@lingui/core/macro'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useRef, type ReactNode } from 'react'
import { NARROW_WIDTH } from '../../../folding/unit/column-sets.ts'
import type { UnitColumn } from '../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'
import { wordWidth } from '../../../folding/text/text-width.ts'
import { classNames } from '../../parts/class-names.ts'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import { useTop } from '../../hooks/use-top.ts'
import { useRowHeight } from '../../hooks/use-row-height.ts'
import { useBreakpoint } from '../../hooks/use-breakpoint.ts'
import { SortButton } from '../machines/units/column-header.tsx'
import { sortHeadings } from '../machines/units/sort-headings.ts'
import styles from './windowed-grid.module.css'

export type GridColumn<Row> = Pick<UnitColumn, 'id' | 'title' | 'hint' | 'align'> & {
  /** The type of its values, for labels such as 'lowest first'. */
  readonly kind: 'text' | 'number' | 'time'
  readonly cell: (row: Row) => ReactNode
}

type Props<Row> = {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  /** Sorted. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort: UnitSort
  /** Called with undefined for the default order. */
  readonly onSort: (sort: UnitSort | undefined) => void
  /** A control at the end of each row, and the title of its column for screen readers. */
  readonly action?: { readonly title: string; readonly render: (row: Row) => ReactNode }
  /** Sets the column widths, and on a phone the rows' `grid-template-areas` of column ids. */
  readonly className: string | undefined
}

const OVERSCAN = 6
type RowProps<Row> = Pick<Props<Row>, 'columns' | 'action'> & { readonly row: Row; readonly isNarrow: boolean }

function cellClass({ align }: Pick<UnitColumn, 'align'>): string {
  return classNames(styles['cell'], align === 'end' && 'text-end')
}

function Cells<Row>({ row, columns, action, isNarrow }: RowProps<Row>) {
  // On a phone the sheet of the table says where each column is.
  const placeOf = (id: string) => (isNarrow ? { style: { gridArea: id } } : {})
  return (
    <>
      {columns.map(column => (
        <div key={column.id} role="cell" data-column={column.id} className={cellClass(column)} {...placeOf(column.id)}>
          {column.cell(row)}
        </div>
      ))}
      {action === undefined ? undefined : (
        <div role="cell" data-column="action" className={styles['action']} {...placeOf('action')}>
          {action.render(row)}
        </div>
      )}
    </>
  )
}
// A row that stays in view does not render again while others scroll in and out.
const MemoCells = memo(Cells) as typeof Cells

/** A virtualized table for thousands of rows: only those in view are in the DOM. Each heading sorts. */
export function WindowedGrid<Row>({ label, columns, rows, keyOf, sort, onSort, action, className }: Props<Row>) {
  const list = useRef<HTMLDivElement>(null)
  const { ruler, height } = useRowHeight()
  const top = useTop(list)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    scrollMargin: top ?? 0,
    overscan: OVERSCAN,
    estimateSize: () => height,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  // Discards positions computed with the previous height.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  // Before the place of the list is known, they would be as many as fill the window.
  const placed = top === undefined ? [] : virtualizer.getVirtualItems()
  const isNarrow = useBreakpoint() <= NARROW_WIDTH
  return (
    <div
      className={classNames(styles['grid'], className)}
      style={Object.fromEntries(columns.map(({ id, title }) => [`--title-${id}`, `${wordWidth(title) + 3}ch`]))}
    >
      {isNarrow ? <SortMenu columns={columns} sort={sort} onSort={onSort} /> : undefined}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={isNarrow ? 'visually-hidden' : styles['head']}>
          <div role="row" aria-rowindex={1} className={styles['row']}>
            {sortHeadings(columns, sort, onSort).map(heading => (
              <div
                key={heading.column.id}
                role="columnheader"
                data-column={heading.column.id}
                aria-sort={ariaSort[String(heading.sorted)] ?? 'none'}
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
        <div ref={list} role="rowgroup" className="relative" style={{ blockSize: virtualizer.getTotalSize() }}>
          <div ref={ruler} aria-hidden="true" className={classNames(styles['row'], styles['ruler'])} />
          {placed.flatMap(({ index, start }) => {
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
                <MemoCells
                  row={row}
                  columns={columns}
                  isNarrow={isNarrow}
                  {...(action === undefined ? {} : { action })}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const ariaSort: Readonly<Record<string, 'ascending' | 'descending'>> = { asc: 'ascending', desc: 'descending' }

const orderLabels: Readonly<Record<GridColumn<unknown>['kind'], readonly [ascending: string, descending: string]>> = {
  text: [t`A to Z`, t`Z to A`],
  number: [t`lowest first`, t`highest first`],
  time: [t`oldest first`, t`newest first`],
}

/** Sorting on a phone, which has no space for headings. */
function SortMenu<Row>({ columns, sort, onSort }: Pick<Props<Row>, 'columns' | 'sort' | 'onSort'>) {
  const entries = columns.flatMap(({ id, title, kind }) => {
    const [ascending, descending] = orderLabels[kind]
    return [
      { id: `-${id}`, label: t`${title}, ${descending}` },
      { id, label: t`${title}, ${ascending}` },
    ]
  })
  const chosen = `${sort.isDescending ? '-' : ''}${sort.column}`
  const label = entries.find(({ id }) => id === chosen)?.label ?? t`Sort`
  return (
    <div className={styles['chooser']}>
      <MenuButton
        label={t`Sorted by ${label}`}
        icon="sort"
        entries={() => entries}
        chosen={[chosen]}
        onChoose={id => onSort({ column: id.replace(/^-/, ''), isDescending: id.startsWith('-') })}
      >
        {label}
      </MenuButton>
    </div>
  )
}
