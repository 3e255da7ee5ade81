import { saveSimulatedClients, type SavedState } from '../store/clients.ts'
import type { Store } from '../store/store.ts'

/** Time budget of one round: a small fleet is stored at once, a large one in parts. */
const BUDGET_MS = 15

/** Stores changed clients in the background, a limited number at a time. */
export function createSaver(
  store: Store,
  stateOf: (slot: number) => SavedState | undefined,
  report: (line: string) => void,
  everyMs: number,
) {
  const unsaved = new Set<number>()
  let writing: Promise<void> = Promise.resolve()
  let isFailing = false

  const takeChanged = (budget: number): SavedState[] => {
    const until = performance.now() + budget
    const states: SavedState[] = []
    for (const slot of unsaved) {
      if (performance.now() > until) break
      unsaved.delete(slot)
      const state = stateOf(slot)
      if (state !== undefined) states.push(state)
    }
    return states
  }

  const write = (budget: number): Promise<void> => {
    writing = writing.then(async () => {
      let states: readonly SavedState[] = []
      try {
        states = takeChanged(budget)
        await saveSimulatedClients(store, states)
        isFailing = false
      } catch (error) {
        // Retried in the next round.
        for (const { slot } of states) unsaved.add(slot)
        if (!isFailing)
          report(
            `Simulated clients could not be stored; retrying: ${error instanceof Error ? error.message : 'unknown reason'}`,
          )
        isFailing = true
      }
    })
    return writing
  }

  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const writeLater = (): void => {
    if (isStopped || unsaved.size === 0) return
    timer ??= setTimeout(() => {
      void write(BUDGET_MS).then(() => {
        timer = undefined
        writeLater()
      })
    }, everyMs)
  }

  return {
    markChanged: (slot: number): void => {
      unsaved.add(slot)
      writeLater()
    },
    /** Stores all changed clients. */
    stop: async (): Promise<void> => {
      isStopped = true
      clearTimeout(timer)
      await write(Infinity)
    },
  }
}

export type Saver = ReturnType<typeof createSaver>
