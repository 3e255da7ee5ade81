import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useJournal } from '../journal/journal-context.ts'
import { Pressable } from '../parts/actions/button.tsx'
import buttons from '../parts/actions/button.module.css'
import { classNames } from '../parts/class-names.ts'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'
import { Icon } from '../parts/icons/icon.tsx'

const HeaderMenuPopover = lazyDialog(
  () => import('./header-menu-popover.tsx').then(m => m.HeaderMenuPopover),
  t`The menu`,
)

const SaveDialog = lazyDialog(() => import('../journal/save-dialog.tsx').then(m => m.SaveDialog), t`The dialog`)

export type HeaderMenuProps = {
  readonly onFind: () => void
  readonly onShowShortcuts: () => void
  readonly onInspect: () => void
  readonly onShowWall: () => void
}

/** One menu, in words, of what concerns the whole page. */
export function HeaderMenu(props: HeaderMenuProps) {
  const journal = useJournal()
  const [isOpen, setOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Pressable
        ref={trigger}
        opens="menu"
        isOpen={isOpen}
        className={classNames(buttons['button'], buttons['quiet'])}
        preload={HeaderMenuPopover.preload}
        onPress={() => setOpen(true)}
      >
        <Icon name="menu" />
        <span className={buttons['label']}>{t`Menu`}</span>
      </Pressable>
      {isOpen ? (
        <HeaderMenuPopover
          trigger={trigger}
          {...props}
          onSave={() => setSaving(true)}
          onClose={() => setOpen(false)}
          onUnavailable={() => setOpen(false)}
        />
      ) : undefined}
      {isSaving && journal !== undefined ? (
        <SaveDialog journal={journal} onLeave={() => setSaving(false)} onUnavailable={() => setSaving(false)} />
      ) : undefined}
    </>
  )
}
