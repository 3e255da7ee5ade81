import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { memo } from 'react'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { Skeleton } from '../../../parts/display/skeleton.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { ClientPanel } from './client-panel.tsx'

type Props = {
  readonly id: string
  /** Whether its panel may be collapsed; not in an open row of a grid. */
  readonly canCollapse?: boolean
}

/** One client of the list. */
export const FleetMember = memo(({ id, canCollapse = true }: Props) => {
  const client = useSelector(useSystem().fleet, selectClientRef(id))
  return client === undefined ? (
    <Skeleton label={t`Loading…`} rows={2} />
  ) : (
    <ClientPanel client={client} canCollapse={canCollapse} />
  )
})
FleetMember.displayName = 'FleetMember'
