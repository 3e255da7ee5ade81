import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { tagsOfClient, type Tags } from '../../../folding/fleet/tags.ts'
import { partsOf, tagSums, type PowerUser } from '../../../folding/power/fleet-energy.ts'
import type { UserKind } from '../../../folding/power/power-csv.ts'
import { selectTags } from '../../../machines/fleet/tags/tags.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import type { ShownEnergy } from './use-fleet-energy.ts'

export type KindChoice = { readonly id: UserKind; readonly label: string }

const MACHINES: KindChoice = { id: 'machine', label: t`Machine` }
const kinds: readonly KindChoice[] = [
  MACHINES,
  { id: 'tag', label: t`Tag` },
  { id: 'group', label: t`Group` },
  { id: 'gpu', label: 'GPU' },
  { id: 'project', label: t`Project` },
]

function usersOf(kind: UserKind, { machines, energies, days, now }: ShownEnergy, tags: Tags): readonly PowerUser[] {
  if (kind === 'machine') return energies
  return kind === 'tag' ? tagSums(machines, energies, tags) : partsOf(kind, machines, days, now)
}

export type PowerUsers = {
  readonly kind: KindChoice
  readonly offered: readonly KindChoice[]
  readonly users: readonly PowerUser[]
  readonly setKind: (kind: UserKind) => void
}

/** What uses energy, by machine, tag, group, GPU model or project. */
export function usePowerUsers(energy: ShownEnergy): PowerUsers {
  const { tags: tagsRef } = useSystem()
  const tags = useSelector(tagsRef, selectTags)
  const [chosen, setKind] = useState<UserKind>('machine')
  const hasTags = energy.machines.some(({ key }) => tagsOfClient(tags, key).length > 0)
  const offered = kinds.filter(({ id }) => id !== 'tag' || hasTags)
  const kind = offered.find(({ id }) => id === chosen) ?? MACHINES
  const users = useMemo(() => usersOf(kind.id, energy, tags), [kind, energy, tags])
  return { kind, offered, users, setKind }
}
