import type { EndedUnit } from '../store/store.ts'

export type EarlierSpeeds = {
  readonly add: (units: readonly EndedUnit[]) => void
  /** Seconds per frame of credited units of a client, the oldest first; `key`: project and hardware (`speedKey`). */
  readonly of: (client: string, key: string) => readonly number[]
}

/** A unit has a hundred frames. */
const FRAMES = 100
/** Units compared with. */
const MOST_KEPT = 8
const NONE: readonly number[] = []

/** How fast clients were, from the history: what units that run now are compared with. */
export function createEarlierSpeeds(): EarlierSpeeds {
  const speeds = new Map<string, number[]>()
  const nameOf = (client: string, key: string): string => JSON.stringify([client, key])
  return {
    add: units => {
      for (const { machine: client, project, resource, result, run_time: seconds } of units) {
        if (result !== 'credited' || project === null || seconds === null || seconds <= 0) continue
        const name = nameOf(client, `${project} ${resource}`)
        speeds.set(name, [...(speeds.get(name) ?? []), seconds / FRAMES].slice(-MOST_KEPT))
      }
    },
    of: (client, key) => speeds.get(nameOf(client, key)) ?? NONE,
  }
}
