import { t } from '@lingui/core/macro'
import { isPartThere } from '../../machines/app/app.selectors.ts'
import type { BulkSnapshot } from '../../machines/fleet/bulk/bulk.machine.ts'
import type { System } from '../../machines/app/system.ts'
import { useSystem } from './system-context.ts'
import { useSelector } from './use-selector.ts'

/** The actor of actions on many machines; undefined until its code was loaded. */
export function useBulk(): System['bulk'] | undefined {
  const system = useSystem()
  return useSelector(system.app, isPartThere('bulk')) ? system.bulk : undefined
}

/** Why no other action can begin: one runs at a time. */
export function whyBusy(bulk: BulkSnapshot | undefined): string | undefined {
  return bulk?.hasTag('ready') === false ? t`Another action is running. Wait for its result, or stop it.` : undefined
}

export function useWhyBusy(): string | undefined {
  return useSelector(useBulk(), whyBusy)
}
