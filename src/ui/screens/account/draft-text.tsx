import { useSelector } from '../../hooks/use-selector.ts'
import type { ReactNode } from 'react'
import type { AccountForm } from '../../../folding/account/account-form.ts'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectAccountFieldError } from '../../../machines/account/settings/settings.selectors.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import { TextField } from '../../parts/fields/text-field.tsx'

type Props = {
  readonly draft: AccountDraftRef
  readonly field: keyof Pick<AccountForm, 'user' | 'team' | 'node'>
  readonly label: string
  readonly help: ReactNode
  readonly placeholder?: string
  readonly inputMode?: 'text' | 'numeric' | 'url'
  readonly autoComplete: string
  readonly isCode?: boolean
}

/** A text field bound to a field of the account's draft. */
export function DraftText({ draft, field, ...rest }: Props) {
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.[field] ?? '')
  const error = useSelector(draft, selectAccountFieldError(field))
  return (
    <TextField
      {...rest}
      name={field}
      value={value}
      onChange={typed =>
        draft.send({ type: 'draft.edit', change: { [field]: field === 'user' ? typed : typed.trim() } })
      }
      error={error}
    />
  )
}
