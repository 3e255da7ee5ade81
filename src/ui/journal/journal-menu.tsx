import { lazy, Suspense, useState } from 'react'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useJournal } from './journal-context.ts'

const SaveDialog = lazy(async () => ({ default: (await import('./save-dialog.tsx')).SaveDialog }))

const entries: readonly MenuEntry[] = [
  { id: 'lookBack', label: 'Look back', icon: 'history' },
  { id: 'save', label: 'Save a recording…', icon: 'download', startsGroup: true },
  { id: 'open', label: 'Open a recording…', icon: 'upload' },
]

/** What happened on this page, to look at or to give to somebody. */
export const JournalMenu = () => {
  const journal = useJournal()
  const [isSaving, setSaving] = useState(false)
  if (journal === undefined) return null
  const choose = (id: string): void => {
    if (id === 'lookBack') journal.lookBack()
    else if (id === 'open') journal.open()
    else setSaving(true)
  }
  return (
    <>
      <MenuButton label="Recordings" icon="history" entries={() => entries} onChoose={choose} />
      {isSaving ? (
        <Suspense fallback={null}>
          <SaveDialog journal={journal} onLeave={() => setSaving(false)} />
        </Suspense>
      ) : undefined}
    </>
  )
}
