import { useState } from 'react'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useJournal } from './journal-context.ts'

const SaveDialog = lazyDialog(() => import('./save-dialog.tsx'), 'SaveDialog', 'The dialog')

const inspector: MenuEntry = { id: 'inspect', label: 'Inspector', icon: 'search', startsGroup: true }

const entries: readonly MenuEntry[] = [
  { id: 'lookBack', label: 'Look back', icon: 'history' },
  { id: 'save', label: 'Save a recording…', icon: 'download', startsGroup: true },
  { id: 'open', label: 'Open a recording…', icon: 'upload' },
  inspector,
]

type Props = { readonly onInspect: () => void }

/** What happened on this page, to look at or to give to somebody; and what happens inside of it. */
export const JournalMenu = ({ onInspect }: Props) => {
  const journal = useJournal()
  const [isSaving, setSaving] = useState(false)
  const choose = (id: string): void => {
    if (id === 'inspect') onInspect()
    else if (id === 'lookBack') journal?.lookBack()
    else if (id === 'open') journal?.open()
    else setSaving(true)
  }
  return (
    <>
      <MenuButton
        label="Recordings"
        icon="history"
        entries={() => (journal === undefined ? [inspector] : entries)}
        onChoose={choose}
      />
      {isSaving && journal !== undefined ? (
        <SaveDialog journal={journal} onLeave={() => setSaving(false)} onUnavailable={() => setSaving(false)} />
      ) : undefined}
    </>
  )
}
