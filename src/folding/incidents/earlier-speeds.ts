import type { ClientData } from '../../protocol/client/client-data.ts'
import { groupNameOf } from '../client/group.ts'
import { text } from '../shared/read.ts'
import type { ArchivedClient } from '../unit/archived-client.ts'
import { type History, endOf } from '../unit/history.ts'
import { tpfSeconds } from '../unit/unit-progress.ts'
import { speedKey } from './client-memory.ts'

type Speeds = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

const speedsOf = new WeakMap<History, Speeds>()
const NONE: readonly number[] = []

/** Seconds per frame of the credited units of a client, by project and hardware (`speedKey`). Computed once per history. */
export function earlierTpfs(history: History, client: string, key: string): readonly number[] {
  const speeds = speedsOf.get(history) ?? indexOf(history)
  speedsOf.set(history, speeds)
  return speeds.get(client)?.get(key) ?? NONE
}

/** How a unit ended, and the server's words. */
export type UnitEnd = { readonly result: string; readonly error?: string }

/** How the last units of a group ended, the newest first, back to one that was credited. */
export function lastEnds({ units }: History, client: string, group: string): readonly UnitEnd[] {
  const clientUnits = [...units.values()]
    .filter(({ machine, unit }) => machine === client && groupNameOf(unit) === group)
    .map(({ unit }) => unit)
    .sort((a, b) => (endOf(b) ?? 0) - (endOf(a) ?? 0))
  const credited = clientUnits.findIndex(({ result }) => result === 'credited')
  return clientUnits
    .slice(0, credited === -1 ? MOST_ENDS : Math.min(credited, MOST_ENDS))
    .filter(({ result }) => result !== 'aborted')
    .map(({ result, error }) => ({
      result: text(result) ?? '',
      ...(text(error) === undefined ? {} : { error: text(error) ?? '' }),
    }))
}

/** A client stops a group after five. */
const MOST_ENDS = 50

function indexOf({ units, machines: clients }: History): Speeds {
  const speeds = new Map<string, Map<string, number[]>>()
  for (const { machine: client, unit } of units.values()) {
    const key = unit.result === 'credited' ? speedKey(unit, dataOf(clients.get(client))) : undefined
    const tpf = key === undefined ? undefined : tpfSeconds(unit, 0)
    if (key === undefined || tpf === undefined) continue
    const clientSpeeds = speeds.get(client) ?? new Map<string, number[]>()
    speeds.set(client, clientSpeeds)
    const tpfs = clientSpeeds.get(key)
    if (tpfs === undefined) clientSpeeds.set(key, [tpf])
    else tpfs.push(tpf)
  }
  return speeds
}

function dataOf(client: ArchivedClient | undefined): ClientData | undefined {
  return client === undefined ? undefined : { info: client.info, config: {}, groups: {}, units: [] }
}
