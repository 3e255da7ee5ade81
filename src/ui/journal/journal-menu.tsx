import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useJournal } from './journal-context.ts'

const SaveDialog = lazyDialog(
  () => import('./save-dialog.tsx'),
  module => module.SaveDialog,
  t`The dialog`,
)

const inspector: MenuEntry = { id: 'inspect', label: t`Inspector`, icon: 'search', startsGroup: true }
const about: MenuEntry = { id: 'about', label: t`About Foldboard`, icon: 'info', leadsTo: '/about' }

const entries: readonly MenuEntry[] = [
  { id: 'lookBack', label: t`Replay this session`, icon: 'history' },
  { id: 'save', label: t`Save a recording…`, icon: 'download', startsGroup: true },
  { id: 'open', label: t`Open a recording…`, icon: 'upload' },
  inspector,
  about,
]

type Props = { readonly onInspect: () => void }

/** Menu for recordings, the inspector and the About page. */
export const JournalMenu = ({ onInspect }: Props) => {
  const journal = useJournal()
  const navigate = useNavigate()
  const [isSaving, setSaving] = useState(false)
  const choose = (id: string): void => {
    if (id === 'inspect') onInspect()
    else if (id === 'about') void navigate('/about')
    else if (id === 'lookBack') journal?.replaySession()
    else if (id === 'open') journal?.open()
    else setSaving(true)
  }
  return (
    <>
      <MenuButton
        label={t`Recordings`}
        icon="history"
        entries={() => (journal === undefined ? [inspector, about] : entries)}
        onChoose={choose}
      />
      {isSaving && journal !== undefined ? (
        <SaveDialog journal={journal} onLeave={() => setSaving(false)} onUnavailable={() => setSaving(false)} />
      ) : undefined}
    </>
  )
}
