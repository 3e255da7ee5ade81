import { t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../parts/actions/button.tsx'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { lazyDialog } from '../../../parts/feedback/lazy-component.tsx'
import type { GridColumn } from './grid-column.ts'
import type { GridSettings } from './grid-settings.ts'
import styles from './grid-tools.module.css'
import { formatList } from '../../../../folding/text/format.ts'

const ColumnsDialog = lazyDialog(
  () => import('./columns-dialog.tsx').then(m => m.ColumnsDialog),
  t`The choice of columns`,
)

type Props = {
  readonly columns: readonly GridColumn[]
  readonly settings: GridSettings
  /** Whether the page's own density is compact. */
  readonly isCompact: boolean
  readonly children: ReactNode
}

function sortText(columns: readonly GridColumn[], { sorts }: GridSettings): string {
  const titles = sorts.map(({ column, isDescending }) => {
    const title = columns.find(({ id }) => id === column)?.title ?? column
    return isDescending ? t`${title} descending` : title
  })
  const list = formatList(titles)
  return t`sorted by ${list}`
}

/** The line above a grid: sorting, density and columns; and the grid below it. */
export function GridTools({ columns, settings, isCompact, children }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const isDense = (settings.density ?? (isCompact ? 'compact' : 'comfortable')) === 'compact'
  return (
    <div className={styles['frame']}>
      <div role="group" aria-label={t`Grid`} className="line gap-2 type-3">
        <p className="grow shrink quiet">
          {settings.sorts.length === 0 ? undefined : (
            <>
              {sortText(columns, settings)}{' '}
              <button
                type="button"
                className="link"
                onClick={() => {
                  settings.onSort([])
                  focusContentSoon()
                }}
              >
                {t`Usual order`}
              </button>
            </>
          )}
        </p>
        <Button
          icon="rows"
          isSmall
          isPressed={isDense}
          onPress={() => settings.onDensity(isDense ? 'comfortable' : 'compact')}
        >
          {t`Compact rows`}
        </Button>
        <Button icon="units" isSmall preload={ColumnsDialog.preload} onPress={() => setChoosing(true)}>
          {t`Columns`}
        </Button>
      </div>
      {children}
      {isChoosing ? (
        <ColumnsDialog
          columns={columns}
          settings={settings}
          onClose={() => setChoosing(false)}
          onUnavailable={() => setChoosing(false)}
        />
      ) : undefined}
    </div>
  )
}
