import type { UnitEnd } from '../../../src/folding/incidents/earlier-speeds.ts'
import type { EndedUnit } from '../store/store.ts'

export type EarlierUnits = {
  readonly add: (units: readonly EndedUnit[]) => void
  /** Seconds per frame of credited units of a client, the oldest first; `key`: project and hardware (`speedKey`). */
  readonly tpfsOf: (client: string, key: string) => readonly number[]
  /** How the last units of a group ended, the newest first, back to one that was credited. */
  readonly endsOf: (client: string, group: string) => readonly UnitEnd[]
}

/** A unit has a hundred frames. */
const FRAMES = 100
/** Units compared with. */
const MOST_KEPT = 8
/** A client stops a group after five. */
const MOST_ENDS = 50
const NONE: readonly never[] = []

/** `credited`: when the last one was. `units`: those that ended later, the newest first. */
type GroupEnds = { readonly credited: number; readonly units: readonly (UnitEnd & { readonly ended: number })[] }
const NO_ENDS: GroupEnds = { credited: -Infinity, units: [] }

/** Units come in any order: a client that is heard again tells its history. */
function withEnd({ credited, units }: GroupEnds, result: string, ended: number): GroupEnds {
  if (result === 'credited') {
    const last = Math.max(credited, ended)
    return { credited: last, units: units.filter(unit => unit.ended > last) }
  }
  if (ended <= credited) return { credited, units }
  const joined = [...units, { result, ended }].sort((a, b) => b.ended - a.ended)
  return { credited, units: joined.slice(0, MOST_ENDS) }
}

/** How units ended and how fast clients were, from the history: what incidents compare with. */
export function createEarlierUnits(): EarlierUnits {
  const speeds = new Map<string, number[]>()
  const ends = new Map<string, GroupEnds>()
  const nameOf = (client: string, key: string): string => JSON.stringify([client, key])
  return {
    add: units => {
      for (const { machine: client, group_name: group, project, resource, result, ended, run_time: seconds } of units) {
        if (result !== 'aborted') {
          const name = nameOf(client, group)
          ends.set(name, withEnd(ends.get(name) ?? NO_ENDS, result, ended))
        }
        if (result !== 'credited' || project === null || seconds === null || seconds <= 0) continue
        const name = nameOf(client, `${project} ${resource}`)
        speeds.set(name, [...(speeds.get(name) ?? []), seconds / FRAMES].slice(-MOST_KEPT))
      }
    },
    tpfsOf: (client, key) => speeds.get(nameOf(client, key)) ?? NONE,
    endsOf: (client, group) => ends.get(nameOf(client, group))?.units ?? NONE,
  }
}
