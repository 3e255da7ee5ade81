/*
 * Export and import of the history as JSON. Imported files are untrusted.
 */
import { t } from '@lingui/core/macro'
import { decodeUnits } from '../../protocol/client-message.ts'
import { isJsonList, isJsonObject, parseMessage, type Json } from '../../protocol/json.ts'
import type { Unit } from '../../protocol/client-data.ts'
import { archivedMachine, type ArchivedMachine } from './archived-client.ts'
import { type Excerpt, archivedUnit, type ArchivedUnit } from './history.ts'
import { MACHINE_ID_WARNING } from './history.ts'
import { MAX_STORED_UNITS } from '../shared/memory-limits.ts'
import { own, record, text } from '../shared/read.ts'
import { hasEnded } from './unit-meaning.ts'

/** What could be read of a file, or the error to show. */
export type FileReading =
  | {
      readonly ok: true
      readonly excerpt: Excerpt
      /** Number of rows that are no valid ended units. */
      readonly unusable: number
    }
  | { readonly ok: false; readonly reason: string }

const FORMAT = 'foldboard work units'

/** Units with their machines as JSON, for `readJson`. */
export const writeJson = ({ machines, units }: Excerpt): string =>
  JSON.stringify(
    {
      format: FORMAT,
      version: 1,
      notice: t`This file contains machine IDs. ${MACHINE_ID_WARNING}`,
      machines: machines.map(({ id, name, info }) => ({ id, name, info })),
      units: units.map(({ machine, unit }) => ({ machine, ...unit })),
    },
    undefined,
    1,
  )

export const readJson = (content: string): FileReading => {
  const parsed = parseMessage(content)
  if (!parsed.ok)
    return {
      ok: false,
      reason: parsed.fault.kind === 'not-json' ? t`The file is not JSON.` : t`The file is too large.`,
    }
  const { value } = parsed
  const rows = own(value, 'units')
  if (own(value, 'format') !== FORMAT || !isJsonList(rows))
    return { ok: false, reason: t`Foldboard did not write this file.` }
  const machines = machinesOf(own(value, 'machines'))
  return readingOf(rows.map(row => ({ machine: machineOf(machines, own(row, 'machine')), row })))
}

/** One row of a file: a unit as on the wire, and its machine. */
export type FileRow = { readonly machine: ArchivedMachine; readonly row: Json }

/** The excerpt of all rows: distinct ended units with an id or number. */
export const readingOf = (rows: readonly FileRow[]): FileReading => {
  const machines = new Map<string, ArchivedMachine>()
  const units = new Map<string, ArchivedUnit>()
  for (const { machine, row } of rows.slice(0, MAX_STORED_UNITS)) {
    const unit = unitOf(row)
    if (unit === undefined) continue
    machines.set(machine.id, machine)
    const kept = archivedUnit(machine, unit)
    units.set(kept.key, kept)
  }
  return {
    ok: true,
    excerpt: { machines: [...machines.values()], units: [...units.values()] },
    unusable: rows.length - units.size,
  }
}

/** A machine in a file. It belongs to no account. */
export const fileMachine = (id: unknown, name: unknown, info: unknown): ArchivedMachine => {
  const known = record(info)
  const own = typeof id === 'string' && MACHINE_ID.test(id) ? id : UNNAMED
  const data = { info: { ...(known as object | undefined), id: own }, config: {}, groups: {}, units: [] }
  return { ...archivedMachine(own, text(name) ?? own, data), owner: undefined }
}

// Ids of machines and connections: '__direct__', '@host:port'.
const MACHINE_ID = /^[\w.:@[\]-]{1,100}$/
const UNNAMED = 'file'

const machinesOf = (list: unknown): ReadonlyMap<unknown, ArchivedMachine> =>
  new Map(
    (Array.isArray(list) ? (list as readonly unknown[]) : [])
      .slice(0, MAX_STORED_UNITS)
      .map(machine => [
        own(machine, 'id'),
        fileMachine(own(machine, 'id'), own(machine, 'name'), own(machine, 'info')),
      ]),
  )

const machineOf = (machines: ReadonlyMap<unknown, ArchivedMachine>, id: unknown): ArchivedMachine =>
  machines.get(id) ?? fileMachine(id, undefined, undefined)

const unitOf = (row: Json): Unit | undefined => {
  if (!isJsonObject(row)) return undefined
  const [unit] = decodeUnits([row], 'units', () => undefined)
  return unit !== undefined && hasEnded(unit) && (text(unit.id) !== undefined || typeof unit.number === 'number')
    ? unit
    : undefined
}
