import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../parts/actions/button.tsx'
import { Checkbox } from '../parts/fields/checkbox.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import type { Journal } from './journal-context.ts'

type Props = { readonly journal: Journal; readonly onLeave: () => void }

/** What goes into the file, before it is made. */
export const SaveDialog = ({ journal, onLeave }: Props) => {
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
        {t`The file holds what this page has shown and what was pressed since it was opened, as far back as it is kept. Passphrases, passkeys, tokens and keys are never in it, and the IDs of machines and accounts are replaced by others.`}
      </p>
      <Checkbox isSelected={usesPseudonyms} onChange={setUsesPseudonyms}>
        {t`Replace names and addresses by others`}
      </Checkbox>
      <p>
        {usesPseudonyms
          ? t`Names of users, teams, machines, groups and folders, e-mail addresses, network addresses and team numbers are replaced. Points, times and projects stay, so somebody who knows them may still guess whose they are.`
          : t`Names, e-mail addresses and network addresses stay in the file.`}
      </p>
    </Dialog>
  )
}
