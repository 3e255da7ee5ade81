import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { Pressable } from '../../../parts/actions/button.tsx'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import styles from './column-header.module.css'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { SortDirection, SortHeading } from './sort-headings.ts'

export type ButtonHeading = SortHeading<Pick<UnitColumn, 'id' | 'title' | 'hint' | 'align'>>

function labelOf({ title }: ButtonHeading['column'], sorted: SortDirection): string {
  if (sorted === false) return t`Sort by ${title}`
  return sorted === 'asc' ? t`Sort by ${title}, now ascending` : t`Sort by ${title}, now descending`
}

export function SortButton({ heading: { column, sorted, toggle } }: { heading: ButtonHeading }) {
  return (
    <Pressable
      label={labelOf(column, sorted)}
      isPressed={sorted !== false}
      tooltip={{ text: column.hint, placement: 'bottom' }}
      className={classNames(
        styles['heading'],
        column.align === 'end' && column.id !== 'progress' && styles['end'],
        column.id === 'type' && styles['type'],
      )}
      onPress={toggle}
    >
      <span className={styles['title']}>{column.title}</span>
      {sorted === false ? undefined : (
        <span className={styles['arrow']}>
          <Icon name={sorted === 'asc' ? 'arrow-up' : 'arrow-down'} />
        </span>
      )}
    </Pressable>
  )
}

type Props = {
  readonly headings: readonly SortHeading<UnitColumn>[]
  /** Scrolled sideways together with the tables below. */
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Called when the header itself was scrolled, which moving the focus does. */
  readonly onScroll: (left: number) => void
}

/** One sticky header for the unit tables of all clients. */
export function ColumnHeader({ headings, scroller, onScroll }: Props) {
  return (
    <div
      role="group"
      aria-label={t`Sort work units`}
      className={styles['bar']}
      ref={scroller}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollLeft)}
    >
      <div className={styles['headings']}>
        {headings.map(heading => (
          <SortButton key={heading.column.id} heading={heading} />
        ))}
      </div>
    </div>
  )
}
