import { useSelector } from './use-selector.ts'
import { createContext, use } from 'react'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { System } from '../../machines/app/system.ts'

/** The running system, created by src/app outside React. */
export const SystemContext = createContext<System | undefined>(undefined)

export const useSystem = (): System => {
  const system = use(SystemContext)
  if (system === undefined) throw new Error('useSystem needs a SystemContext.')
  return system
}

/** A value derived from the current time (epoch milliseconds). Renders only when the value changes. */
export const useClock = <T extends string | number | boolean | undefined>(derive: (now: number) => T): T =>
  useSelector(useSystem().clock, snapshot => derive(selectNow(snapshot)))

const none: readonly string[] = []

/** Origins from which images in HTML texts may be loaded: those of this page, also while a recording is shown. */
export const PictureOriginsContext = createContext(none)

export const usePictureOrigins = (): readonly string[] => use(PictureOriginsContext)
