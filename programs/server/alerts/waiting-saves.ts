import { storageId } from '../../../src/folding/incidents/incident.ts'
import type { IncidentChange } from '../store/incident-store.ts'

export type Save = Pick<IncidentChange, 'put' | 'removed' | 'at'>

/** Changes of incidents that wait for the database, in their order. */
export type WaitingSaves = {
  /** Returns whether it waits by itself: of too many, the newest are joined. */
  readonly add: (save: Save) => boolean
  readonly first: () => Save | undefined
  readonly removeFirst: () => void
}

export function createWaitingSaves(most: number): WaitingSaves {
  const saves: Save[] = []
  return {
    add: save => {
      const last = saves.at(-1)
      // The first one may be being written.
      if (last === undefined || saves.length < Math.max(2, most)) {
        saves.push(save)
        return true
      }
      saves[saves.length - 1] = joined(last, save)
      return false
    },
    first: () => saves[0],
    removeFirst: () => void saves.shift(),
  }
}

/** What both leave. What began and ended between them is not told. */
function joined(earlier: Save, later: Save): Save {
  const gone = new Set(later.removed)
  const put = new Map(
    earlier.put.filter(incident => !gone.has(storageId(incident))).map(each => [storageId(each), each]),
  )
  for (const incident of later.put) put.set(storageId(incident), incident)
  const removed = new Set([...earlier.removed, ...later.removed])
  return { put: [...put.values()], removed: [...removed].filter(id => !put.has(id)), at: later.at }
}
