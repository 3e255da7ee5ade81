import type { ClientData } from '../../protocol/client-data.ts'
import type { ArchivedClient } from '../unit/archived-client.ts'
import type { History } from '../unit/history.ts'
import { tpfSeconds } from '../unit/unit-progress.ts'
import { speedKey } from './client-memory.ts'

type Speeds = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

const speedsOf = new WeakMap<History, Speeds>()
const NONE: readonly number[] = []

/** Seconds per frame of the credited units of a client, by project and hardware (`speedKey`). Computed once per history. */
export function earlierTpfs(history: History, client: string, key: string): readonly number[] {
  const known = speedsOf.get(history) ?? indexOf(history)
  speedsOf.set(history, known)
  return known.get(client)?.get(key) ?? NONE
}

function indexOf({ units, machines: clients }: History): Speeds {
  const speeds = new Map<string, Map<string, number[]>>()
  for (const { machine: client, unit } of units.values()) {
    const key = unit.result === 'credited' ? speedKey(unit, dataOf(clients.get(client))) : undefined
    const tpf = key === undefined ? undefined : tpfSeconds(unit, 0)
    if (key === undefined || tpf === undefined) continue
    const own = speeds.get(client) ?? new Map<string, number[]>()
    speeds.set(client, own)
    const known = own.get(key)
    if (known === undefined) own.set(key, [tpf])
    else known.push(tpf)
  }
  return speeds
}

function dataOf(client: ArchivedClient | undefined): ClientData | undefined {
  return client === undefined ? undefined : { info: client.info, config: {}, groups: {}, units: [] }
}
