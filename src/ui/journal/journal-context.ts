import { createContext, use, useSyncExternalStore } from 'react'
import type { System } from '../../machines/app/system.ts'
import type { PlayerRef } from '../../machines/screens/player/player.machine.ts'

/** What was recorded of this page, and what is shown of a recording. */
export type Journal = {
  readonly subscribe: (onChange: () => void) => () => void
  /** What the screens show: the running system, or a recorded one. */
  readonly system: () => System
  /** There while a recording is shown. */
  readonly player: () => PlayerRef | undefined
  /** Shows what this page has recorded until now. */
  readonly lookBack: () => void
  /** Lets a person choose a file, and shows what was recorded in it. */
  readonly open: () => void
  readonly close: () => void
  readonly save: (options: { readonly usesPseudonyms: boolean }) => Promise<void>
  readonly noteMistake: (error: unknown, where: string) => void
}

/** Undefined where nothing is recorded. */
export const JournalContext = createContext<Journal | undefined>(undefined)

export const useJournal = (): Journal | undefined => use(JournalContext)

const never = () => () => undefined

/** The player of the recording that is shown. */
export const usePlayer = (): PlayerRef | undefined => {
  const journal = useJournal()
  return useSyncExternalStore(journal?.subscribe ?? never, () => journal?.player())
}

/** The system that the screens are to show. */
export const useShownSystem = (journal: Journal | undefined, live: System): System =>
  useSyncExternalStore(journal?.subscribe ?? never, () => journal?.system() ?? live)
