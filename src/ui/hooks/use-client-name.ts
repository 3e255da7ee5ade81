import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { selectReport } from '../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from './system-context.ts'

/** What a machine is called, for a dialog or a screen about it. */
export const useClientName = (id: string | undefined): string =>
  useSelector(useSystem().fleet, snapshot => (id === undefined ? undefined : selectReport(id)(snapshot)?.name)) ??
  t`this machine`
