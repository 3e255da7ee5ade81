import type { ReactNode } from 'react'
import { Select } from '../parts/fields/select.tsx'
import { useResource } from '../hooks/use-resource.ts'

type Props = { readonly cause: string; readonly onChange: (cause: string) => void; readonly help?: ReactNode }

const noCauses: readonly string[] = []

const nameOfCause = (cause: string): string => cause.charAt(0).toUpperCase() + cause.slice(1)

/** The cause that is preferred: one that the project knows, or whatever it was before. */
export const CauseSelect = ({ cause, onChange, help }: Props) => {
  const known = useResource('causes').value ?? noCauses
  const offered = [...new Set(['any', ...known, cause])]
  return (
    <Select
      label="Cause"
      value={cause}
      options={offered.map(id => ({ id, label: nameOfCause(id) }))}
      onChange={onChange}
      help={help}
    />
  )
}
