import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { NARROW_WIDTH } from '../../../../folding/unit/column-sets.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'
import { Button, IconButton } from '../../../parts/actions/button.tsx'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { Dialog } from '../../../parts/overlays/dialog.tsx'
import type { GridColumn } from './grid-column.ts'
import type { GridSettings } from './grid-settings.ts'

type Props = {
  readonly columns: readonly GridColumn[]
  readonly settings: GridSettings
  readonly onClose: () => void
}

/** Chooses, orders and pins the columns of a grid. Changes show at once. */
export function ColumnsDialog({ columns, settings, onClose }: Props) {
  const { shown } = settings
  const list = useRef<HTMLUListElement>(null)
  // A row that was moved in the document has lost the focus.
  const moved = useRef<string>(undefined)
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(moved.current)}"] button`)?.focus()
    moved.current = undefined
  })
  const chosen = shown.ids.flatMap(id => columns.find(column => column.id === id) ?? [])
  const others = columns.filter(({ id }) => !shown.ids.includes(id))
  const step = (id: string, by: -1 | 1): void => {
    moved.current = `${id} ${by}`
    settings.onStep(id, by)
  }
  return (
    <Dialog
      title={t`Columns`}
      onLeave={onClose}
      footer={
        <>
          <Button icon="reset" onPress={settings.onReset}>{t`Reset to default`}</Button>
          <Button kind="primary" onPress={onClose}>
            {t({ message: 'Done', context: 'button' })}
          </Button>
        </>
      }
    >
      {useBreakpoint() <= NARROW_WIDTH ? (
        <p className="quiet type-3">{t`This narrow screen shows only the most important ones.`}</p>
      ) : undefined}
      <ul ref={list} className="grid shrink">
        {[...chosen, ...others].map(({ id, title, hint }) => {
          const at = shown.ids.indexOf(id)
          const isPinned = at >= 0 && at < shown.pinned
          return (
            <li key={id} className="line between gap-2 row-high soft-line-below type-3">
              <Checkbox
                isSelected={at >= 0}
                isDisabled={at >= 0 && shown.ids.length === 1}
                onChange={isShown =>
                  settings.onShow(isShown ? [...shown.ids, id] : shown.ids.filter(other => other !== id))
                }
              >
                {title} <span className="quiet type-2">{hint}</span>
              </Checkbox>
              {at < 0 ? undefined : (
                <span className="line rigid">
                  <IconButton
                    icon="lock"
                    label={t`Keep ${title} in view`}
                    isPressed={isPinned}
                    onPress={() => settings.onPin(id, !isPinned)}
                  />
                  <span data-step={`${id} -1`}>
                    <IconButton
                      icon="arrow-up"
                      label={t`Move ${title} up`}
                      isSmall
                      blockedBecause={at === 0 || at === shown.pinned ? t`It is the first one.` : undefined}
                      onPress={() => step(id, -1)}
                    />
                  </span>
                  <span data-step={`${id} 1`}>
                    <IconButton
                      icon="arrow-down"
                      label={t`Move ${title} down`}
                      isSmall
                      blockedBecause={
                        at === shown.ids.length - 1 || at === shown.pinned - 1 ? t`It is the last one.` : undefined
                      }
                      onPress={() => step(id, 1)}
                    />
                  </span>
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
