import { useRef, type ReactNode } from 'react'
import { columnSizes } from '../../../../folding/unit/column-grid.ts'
import { ColumnHeader } from './column-header.tsx'
import styles from './unit-sheet.module.css'
import { UnitTableProvider, useUnitTableModel } from './unit-table.ts'

/** Tables of units below one sticky header, whose columns they share. */
export function UnitSheet({ children }: { readonly children: ReactNode }) {
  const { table, headings } = useUnitTableModel()
  const header = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  return (
    <UnitTableProvider value={table}>
      <div
        className={styles['sheet']}
        style={columnSizes(table.columns)}
        {...(table.columns.at(-1)?.id === 'ppd' ? { 'data-ppd-last': '' } : {})}
      >
        <ColumnHeader headings={headings} scroller={header} onScroll={left => box.current?.scrollTo({ left })} />
        <div
          ref={box}
          className={styles['box']}
          onScroll={({ currentTarget }) => header.current?.scrollTo({ left: currentTarget.scrollLeft })}
        >
          {children}
        </div>
      </div>
    </UnitTableProvider>
  )
}
