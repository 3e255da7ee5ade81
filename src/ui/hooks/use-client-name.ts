import { t } from '@lingui/core/macro'
import { useSelector } from './use-selector.ts'
import { selectReport } from '../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from './system-context.ts'

/** A client's name for dialogs and titles. */
export function useClientName(id: string | undefined): string {
  return (
    useSelector(useSystem().fleet, snapshot => (id === undefined ? undefined : selectReport(id)(snapshot)?.name)) ??
    t`this machine`
  )
}
