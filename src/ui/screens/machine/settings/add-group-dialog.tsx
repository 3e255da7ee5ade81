import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { checkGroupName } from '../../../../folding/client/client-form-edits.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { Dialog } from '../../../parts/overlays/dialog.tsx'

type Props = {
  readonly names: readonly string[]
  readonly onAdd: (typed: string) => void
  readonly onLeave: () => void
}

/** Asks for the name of a new group. The name of an existing group shows that group. */
export function AddGroupDialog({ names, onAdd, onLeave }: Props) {
  const form = useId()
  const [typed, setTyped] = useState('')
  const error = checkGroupName(typed, names)
  return (
    <Dialog
      title={t`Add resource group`}
      isForm
      onLeave={onLeave}
      footer={
        <>
          <Button onPress={onLeave}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} blockedBecause={error}>
            {t`Add`}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          if (error === undefined) onAdd(typed)
        }}
      >
        <TextField
          label={t`Name`}
          name="group-name"
          autoComplete="off"
          autoFocus
          value={typed}
          error={error}
          onChange={setTyped}
          description={t`Any name. It cannot be changed later. The name of an existing group shows that group.`}
        />
      </form>
    </Dialog>
  )
}
