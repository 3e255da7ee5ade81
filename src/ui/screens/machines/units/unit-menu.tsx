import { t } from '@lingui/core/macro'
import { formatValue } from '../../../../folding/text/format.ts'
import { projectOf } from '../../../../folding/unit/unit-progress.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { lazyDialog } from '../../../parts/feedback/lazy-component.tsx'
import { MenuTrigger } from '../../../parts/overlays/menu-button.tsx'
import { selectUnit } from './unit-access.ts'

const UnitMenuPopover = lazyDialog(() => import('./unit-menu-popover.tsx').then(m => m.UnitMenuPopover), t`The menu`)

export function UnitMenu({ unit }: { unit: string }) {
  const find = selectUnit(unit)
  const name = useClientSelector(snapshot => {
    const found = find(snapshot)
    const project = formatValue(found === undefined ? undefined : projectOf(found))
    return t`unit ${unit}, project ${project}`
  })
  const label = t`Actions for ${name}`
  return (
    <MenuTrigger
      label={label}
      icon="more"
      preload={UnitMenuPopover.preload}
      Menu={UnitMenuPopover}
      content={{ unit, label }}
    />
  )
}
