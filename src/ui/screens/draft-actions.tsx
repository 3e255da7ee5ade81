import { useSelector } from '@xstate/react'
import { useNavigate } from 'react-router-dom'
import type { AccountDraftRef } from '../../machines/account/settings/settings.machine.ts'
import type { MachineDraftRef } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { isModified, isSaving, whyNotSaved } from '../../machines/screens/draft/draft.selectors.ts'
import { Button } from '../parts/actions/button.tsx'

/** The way out of a form and the way to keep what it holds: leaving is never hindered, saving says why when it is. */
export const DraftActions = ({ draft }: { readonly draft: AccountDraftRef | MachineDraftRef }) => {
  const navigate = useNavigate()
  const hasChanges = useSelector(draft, isModified)
  const isBusy = useSelector(draft, isSaving)
  const obstacle = useSelector(draft, whyNotSaved)
  return (
    <>
      <Button onPress={() => void navigate('/machines')}>{hasChanges ? 'Cancel' : 'Close'}</Button>
      <Button
        kind="primary"
        isPending={isBusy}
        blockedBecause={obstacle}
        onPress={() => draft.send({ type: 'draft.save' })}
      >
        {isBusy ? 'Saving…' : 'Save'}
      </Button>
    </>
  )
}
