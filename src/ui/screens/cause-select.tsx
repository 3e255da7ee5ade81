import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Select } from '../parts/fields/select.tsx'
import { useResource } from '../hooks/use-resource.ts'
import { causeTitle } from '../../folding/text/client-words.ts'
import { compareTexts } from '../../folding/text/format.ts'

type Props = {
  readonly cause: string
  readonly onChange: (cause: string) => void
  readonly help?: ReactNode
  /** Further causes to choose from. */
  readonly extraCauses?: readonly string[]
}

const noCauses: readonly string[] = []

/** A cause: one of the server's list, or the current value if it is not in the list. */
export function CauseSelect({ cause, onChange, help, extraCauses = noCauses }: Props) {
  const causes = useResource('causes').value ?? noCauses
  const others = [...new Set([...causes, ...extraCauses, cause])]
    .filter(id => id !== 'any')
    .map(id => ({ id, label: causeTitle(id) }))
  const options = [{ id: 'any', label: causeTitle('any') }, ...others.sort((a, b) => compareTexts(a.label, b.label))]
  return <Select label={t`Cause`} value={cause} options={options} onChange={onChange} help={help} />
}
