import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Select } from '../parts/fields/select.tsx'
import { useResource } from '../hooks/use-resource.ts'

type Props = { readonly cause: string; readonly onChange: (cause: string) => void; readonly help?: ReactNode }

const noCauses: readonly string[] = []

const causeLabel = (cause: string): string => cause.charAt(0).toUpperCase() + cause.slice(1)

/** The preferred cause: one of the server's list, or the current value if it is not in the list. */
export const CauseSelect = ({ cause, onChange, help }: Props) => {
  const causes = useResource('causes').value ?? noCauses
  const choices = [...new Set(['any', ...causes, cause])]
  return (
    <Select
      label={t`Cause`}
      value={cause}
      options={choices.map(id => ({ id, label: causeLabel(id) }))}
      onChange={onChange}
      help={help}
    />
  )
}
