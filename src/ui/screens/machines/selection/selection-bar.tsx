import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { formatList, formatNumber } from '../../../../folding/text/format.ts'
import type { BulkAction } from '../../../../folding/fleet/bulk-action.ts'
import { actionTitle } from '../../../../folding/fleet/bulk-text.ts'
import { loadCode } from '../../../../loading/load-code.ts'
import { Button, IconButton } from '../../../parts/actions/button.tsx'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import { useWhyNoShared } from '../../../hooks/server-context.ts'
import { useWhyBusy } from '../../../hooks/use-bulk.ts'
import { isInOverlay, useKeyDown } from '../../../hooks/use-key-down.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { isTypingIn } from '../../../shell/shortcuts.ts'
import styles from './bulk-area.module.css'

const stateActions = [
  { action: { kind: 'state', state: 'fold', keepsPaused: false }, icon: 'do-fold' },
  { action: { kind: 'state', state: 'pause', keepsPaused: false }, icon: 'do-pause' },
  { action: { kind: 'state', state: 'finish', keepsPaused: false }, icon: 'do-finish' },
] as const

const otherActions: Readonly<Record<string, { readonly label: string; readonly action: BulkAction }>> = {
  processors: {
    label: t`GPUs and CPUs…`,
    action: { kind: 'processor', state: 'pause', which: { kind: 'model', model: '' } },
  },
  idle: { label: t`Idle by a time…`, action: { kind: 'idle', until: undefined, pauses: false } },
  settings: { label: t`Change settings…`, action: { kind: 'settings', patch: { scope: { kind: 'all' } } } },
  tags: { label: t`Add or remove a tag…`, action: { kind: 'tags', mode: 'add', tag: '' } },
  rename: { label: t`Rename…`, action: { kind: 'rename', pattern: '{name}' } },
  restart: { label: t`Reconnect to the account…`, action: { kind: 'restart' } },
  unlink: { label: t`Unlink from the account…`, action: { kind: 'unlink' } },
}

/** At most so many clients that left are named. */
const MOST_NAMES = 5

function leftText(left: readonly { readonly name: string }[]): string {
  const names = left.slice(0, MOST_NAMES).map(({ name }) => name)
  const listed = formatList(names)
  return left.length > names.length
    ? t`No longer there: ${listed} and ${formatNumber(left.length - names.length)} more`
    : t`No longer there: ${listed}`
}

type Props = { readonly ids: readonly string[]; readonly isFiltered: boolean }

/** How many clients are selected, and what can be done with them. Escape clears the selection. */
export function SelectionBar({ ids, isFiltered }: Props) {
  const { app, selection } = useSystem()
  const selected = useSelector(selection, ({ context }) => context.ids)
  const left = useSelector(selection, ({ context }) => context.left)
  const busy = useWhyBusy()
  const length = useSelector(selection, ({ context }) => context.ids.length)
  const noTags = useWhyNoShared()
  // The next step is a preview. A failure is told when it is opened.
  useEffect(() => {
    app.send({ type: 'app.want', part: 'bulk' })
    loadCode(() => import('./bulk-dialog.tsx')).catch(() => undefined)
  }, [app])
  useKeyDown(({ key, target, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && !isTypingIn(target) && !isInOverlay(target))
      selection.send({ type: 'selection.clear' })
  })
  // It leaves with what had the focus.
  useEffect(() => () => focusContentSoon(), [])
  const blocked = length === 0 ? t`No machine is selected.` : busy
  const open = (action: BulkAction): void =>
    app.send({
      type: 'app.want',
      part: 'bulk',
      first: { to: 'bulk', event: { type: 'bulk.open', action, ids: selected } },
    })
  const count = formatNumber(ids.length)
  return (
    <section className={styles['bar']} aria-label={t`Selection`}>
      <div className={styles['text']}>
        <p role="status" className="tabular strong">
          {plural(length, { one: '# machine selected', other: '# machines selected' })}
        </p>
        {left.length === 0 ? undefined : <p className="quiet type-2">{leftText(left)}</p>}
      </div>
      <div className={styles['buttons']}>
        <Button onPress={() => selection.send({ type: 'selection.selectAll', ids })}>
          {isFiltered ? t`Select all that match (${count})` : t`Select all (${count})`}
        </Button>
        {stateActions.map(({ action, icon }) => (
          <Button key={action.state} icon={icon} blockedBecause={blocked} onPress={() => open(action)}>
            {actionTitle(action)}
          </Button>
        ))}
        <MenuButton
          label={t`More actions for the selected machines`}
          icon="more"
          entries={() =>
            Object.entries(otherActions).map(([id, { label, action }]) => ({
              id,
              label,
              blockedBecause: blocked ?? (action.kind === 'tags' ? noTags : undefined),
            }))
          }
          onChoose={id => {
            const chosen = otherActions[id]
            if (chosen !== undefined) open(chosen.action)
          }}
        >
          {t`More`}
        </MenuButton>
      </div>
      <IconButton
        icon="close"
        label={t`Clear the selection`}
        onPress={() => selection.send({ type: 'selection.clear' })}
      />
    </section>
  )
}
