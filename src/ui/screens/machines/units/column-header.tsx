import { t } from '@lingui/core/macro'
import { Button } from 'react-aria-components/Button'
import type { RefObject } from 'react'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import { WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import styles from './column-header.module.css'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { SortDirection, SortHeading } from './sort-headings.ts'

const next: Readonly<Record<string, string>> = { asc: 'ascending', desc: 'descending' }

export type ButtonHeading = SortHeading<Pick<UnitColumn, 'id' | 'title' | 'hint' | 'align'>>

const labelOf = ({ title }: ButtonHeading['column'], sorted: SortDirection): string =>
  sorted === false ? t`Sort by ${title}` : t`Sort by ${title}, now ${next[sorted] ?? ''}`

/** A heading that sorts. */
export const SortButton = ({ heading: { column, sorted, toggle } }: { heading: ButtonHeading }) => (
  <WithTooltip text={column.hint} placement="bottom">
    <Button
      aria-label={labelOf(column, sorted)}
      aria-pressed={sorted !== false}
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
    </Button>
  </WithTooltip>
)

type Props = {
  readonly headings: readonly SortHeading<UnitColumn>[]
  /** Moves sideways with the tables below. */
  readonly scroller: RefObject<HTMLDivElement | null>
  /** It was moved itself, by the focus. */
  readonly onMove: (left: number) => void
}

/** The headings of all machines' tables, once, where they stay in sight. */
export const ColumnHeader = ({ headings, scroller, onMove }: Props) => (
  <div
    role="group"
    aria-label={t`Sort work units`}
    className={styles['bar']}
    ref={scroller}
    onScroll={({ currentTarget }) => onMove(currentTarget.scrollLeft)}
  >
    <div className={styles['headings']}>
      {headings.map(heading => (
        <SortButton key={heading.column.id} heading={heading} />
      ))}
    </div>
  </div>
)
