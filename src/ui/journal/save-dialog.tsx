import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../parts/actions/button.tsx'
import { Checkbox } from '../parts/fields/checkbox.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import type { Journal } from './journal-context.ts'

type Props = { readonly journal: Journal; readonly onLeave: () => void }

/** Explains what the file will contain, and lets the user choose whether names are replaced. */
export function SaveDialog({ journal, onLeave }: Props) {
  const [usesPseudonyms, setUsesPseudonyms] = useState(true)
  const [isPending, setPending] = useState(false)
  const save = (): void => {
    setPending(true)
    void journal.save({ usesPseudonyms }).finally(onLeave)
  }
  return (
    <Dialog
      title={t`Save a recording`}
      onLeave={onLeave}
      footer={
        <>
          <Button onPress={onLeave}>{t`Cancel`}</Button>
          <Button kind="primary" icon="download" autoFocus isPending={isPending} onPress={save}>
            {t`Save`}
          </Button>
        </>
      }
    >
      <p>
        {t`The file contains what this page received and what you did since it was opened, as far back as the recording goes. It never contains passphrases, passkeys, tokens or keys, and IDs of machines and accounts are replaced.`}
      </p>
      <Checkbox isSelected={usesPseudonyms} onChange={setUsesPseudonyms}>
        {t`Replace names and addresses`}
      </Checkbox>
      <p>
        {usesPseudonyms
          ? t`Names of users, teams, machines, groups and folders, email addresses, network addresses and team numbers are replaced. Points, times and projects are kept, so someone who knows them may still guess whose they are.`
          : t`The file contains names, email addresses and network addresses.`}
      </p>
    </Dialog>
  )
}
