import { useSelector } from './use-selector.ts'
import { createContext, use } from 'react'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { System } from '../../machines/app/system.ts'

/** The running system, created by src/app outside React. */
export const SystemContext = createContext<System | undefined>(undefined)

export function useSystem(): System {
  const system = use(SystemContext)
  if (system === undefined) throw new Error('useSystem needs a SystemContext.')
  return system
}

/** A value derived from the current time (epoch milliseconds). Renders only when the value changes. */
export function useClock<T extends string | number | boolean | undefined>(derive: (now: number) => T): T {
  return useSelector(useSystem().clock, snapshot => derive(selectNow(snapshot)))
}

const none: readonly string[] = []

/** Origins from which images in HTML texts may be loaded: those of this page, also while a recording is shown. */
export const PictureOriginsContext = createContext(none)

export function usePictureOrigins(): readonly string[] {
  return use(PictureOriginsContext)
}
