import { createContext, use, useSyncExternalStore } from 'react'
import type { System } from '../../machines/app/system.ts'
import type { PlayerRef } from '../../machines/screens/player/player.machine.ts'

/** Recording of this page, and replay of recordings. */
export type Journal = {
  readonly subscribe: (onChange: () => void) => () => void
  /** The system that the screens show: the running one, or that of a recording. */
  readonly system: () => System
  /** Undefined unless a recording is shown. */
  readonly player: () => PlayerRef | undefined
  /** Replays what this page has recorded so far. */
  readonly replaySession: () => void
  /** Lets the user choose a file, and replays it. */
  readonly open: () => void
  readonly close: () => void
  readonly save: (options: { readonly usesPseudonyms: boolean }) => Promise<void>
  readonly recordError: (error: unknown, where: string) => void
}

/** Undefined when recording is turned off. */
export const JournalContext = createContext<Journal | undefined>(undefined)

export function useJournal(): Journal | undefined {
  return use(JournalContext)
}

function never() {
  return () => undefined
}

export function usePlayer(): PlayerRef | undefined {
  const journal = useJournal()
  return useSyncExternalStore(journal?.subscribe ?? never, () => journal?.player())
}

export function useShownSystem(journal: Journal | undefined, live: System): System {
  return useSyncExternalStore(journal?.subscribe ?? never, () => journal?.system() ?? live)
}
