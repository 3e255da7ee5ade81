/*
 * A history as a file: what is in it, and what of a file can be taken, whoever wrote it.
 */
import { decodeUnits } from '../../protocol/client-message.ts'
import { isJsonList, isJsonObject, parseMessage, type Json } from '../../protocol/json.ts'
import type { Unit } from '../../protocol/client-data.ts'
import { type Excerpt, keptMachine, type KeptMachine, keptUnit, type KeptUnit } from './history.ts'
import { MACHINE_ID_WARNING } from './history.ts'
import { MOST_KEPT } from '../shared/memory-limits.ts'
import { own, record, text } from '../shared/read.ts'
import { hasEnded } from './unit-progress.ts'

/** What could be read of a file; or why nothing could, in a sentence for a person. */
export type FileReading =
  | {
      readonly ok: true
      readonly excerpt: Excerpt
      /** Rows that say too little, or what no unit says. */ readonly unusable: number
    }
  | { readonly ok: false; readonly reason: string }

const FORMAT = 'foldboard work units'

/** Units with their machines as JSON, which `readJson` reads back whole. */
export const writeJson = ({ machines, units }: Excerpt): string =>
  JSON.stringify(
    {
      format: FORMAT,
      version: 1,
      notice: `This file contains machine IDs. ${MACHINE_ID_WARNING}`,
      machines: machines.map(({ id, name, info }) => ({ id, name, info })),
      units: units.map(({ machine, unit }) => ({ machine, ...unit })),
    },
    undefined,
    1,
  )

/** What `writeJson` wrote, or somebody else did. */
export const readJson = (content: string): FileReading => {
  const parsed = parseMessage(content)
  if (!parsed.ok)
    return { ok: false, reason: parsed.fault.kind === 'not-json' ? 'The file is not JSON.' : 'The file is too large.' }
  const { value } = parsed
  const rows = own(value, 'units')
  if (own(value, 'format') !== FORMAT || !isJsonList(rows))
    return { ok: false, reason: 'The file holds no work units that Foldboard wrote.' }
  const machines = machinesOf(own(value, 'machines'))
  return readingOf(rows.map(row => ({ machine: machineOf(machines, own(row, 'machine')), row })))
}

/** What one row of a file says: a unit as on the wire, and its machine. */
export type FileRow = { readonly machine: KeptMachine; readonly row: Json }

/** The excerpt that rows make: units that ended and can be told apart, each once. */
export const readingOf = (rows: readonly FileRow[]): FileReading => {
  const machines = new Map<string, KeptMachine>()
  const units = new Map<string, KeptUnit>()
  for (const { machine, row } of rows.slice(0, MOST_KEPT)) {
    const unit = unitOf(row)
    if (unit === undefined) continue
    machines.set(machine.id, machine)
    const kept = keptUnit(machine, unit)
    units.set(kept.key, kept)
  }
  return {
    ok: true,
    excerpt: { machines: [...machines.values()], units: [...units.values()] },
    unusable: rows.length - units.size,
  }
}

/** A machine as a file names it. Files belong to nobody's account. */
export const fileMachine = (id: unknown, name: unknown, info: unknown): KeptMachine => {
  const known = record(info)
  const own = typeof id === 'string' && MACHINE_ID.test(id) ? id : UNNAMED
  const data = { info: { ...(known as object | undefined), id: own }, config: {}, groups: {}, units: [] }
  return { ...keptMachine(own, text(name) ?? own, data), owner: undefined }
}

// Ids of machines, and of connections: '__direct__', '@host:port'.
const MACHINE_ID = /^[\w.:@[\]-]{1,100}$/
const UNNAMED = 'file'

const machinesOf = (list: unknown): ReadonlyMap<unknown, KeptMachine> =>
  new Map(
    (Array.isArray(list) ? (list as readonly unknown[]) : [])
      .slice(0, MOST_KEPT)
      .map(machine => [
        own(machine, 'id'),
        fileMachine(own(machine, 'id'), own(machine, 'name'), own(machine, 'info')),
      ]),
  )

const machineOf = (machines: ReadonlyMap<unknown, KeptMachine>, id: unknown): KeptMachine =>
  machines.get(id) ?? fileMachine(id, undefined, undefined)

const unitOf = (row: Json): Unit | undefined => {
  if (!isJsonObject(row)) return undefined
  const [unit] = decodeUnits([row], 'units', () => undefined)
  return unit !== undefined && hasEnded(unit) && (text(unit.id) !== undefined || typeof unit.number === 'number')
    ? unit
    : undefined
}
