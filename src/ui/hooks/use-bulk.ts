import { isPartThere } from '../../machines/app/app.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { useSystem } from './system-context.ts'
import { useSelector } from './use-selector.ts'

/** The actor of actions on many machines; undefined until its code was loaded. */
export function useBulk(): System['bulk'] | undefined {
  const system = useSystem()
  return useSelector(system.app, isPartThere('bulk')) ? system.bulk : undefined
}
