import { useSelector } from '@xstate/react'
import { createContext, use } from 'react'
import type { System } from '../../machines/app/system.ts'

/** The running system, created outside React by src/app and handed in once. */
export const SystemContext = createContext<System | undefined>(undefined)

export const useSystem = (): System => {
  const system = use(SystemContext)
  if (system === undefined) throw new Error('A screen is used outside of SystemContext.')
  return system
}

/** What the time makes of something. Renders again only when that, not the time, has changed. */
export const useClock = <T extends string | number | boolean | undefined>(derive: (now: number) => T): T =>
  useSelector(useSystem().clock, ({ context }) => derive(context.now))

const nowhere: readonly string[] = []

/** Servers whose pictures may be loaded in texts. Of this page itself: a recording that is shown has no say in it. */
export const PictureOriginsContext = createContext(nowhere)

export const usePictureOrigins = (): readonly string[] => use(PictureOriginsContext)
