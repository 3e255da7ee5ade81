/*
 * Export and import of the history as JSON. Imported files are untrusted.
 */
import { t } from '@lingui/core/macro'
import { decodeUnits } from '../../protocol/client/client-message.ts'
import { isJsonList, isJsonObject, parseMessage, type Json } from '../../protocol/json.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
import { idOfKey } from '../client/client-key.ts'
import { archivedClient, type ArchivedClient } from './archived-client.ts'
import { type Excerpt, archivedUnit, type ArchivedUnit, MACHINE_ID_WARNING } from './history.ts'
import { MAX_STORED_UNITS } from '../shared/memory-limits.ts'
import { ownValue, record, text } from '../shared/read.ts'
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

/** Units with their clients as JSON, for `readJson`. */
export function writeJson({ machines: clients, units }: Excerpt): string {
  return JSON.stringify(
    {
      format: FORMAT,
      version: 1,
      notice: t`This file contains machine IDs. ${MACHINE_ID_WARNING}`,
      machines: clients.map(({ id, name, info }) => ({ id, name, info })),
      units: units.map(({ machine: client, unit }) => ({ machine: client, ...unit })),
    },
    undefined,
    1,
  )
}

export function readJson(content: string): FileReading {
  const parsed = parseMessage(content)
  if (!parsed.ok)
    return {
      ok: false,
      reason: parsed.fault.kind === 'not-json' ? t`The file is not JSON.` : t`The file is too large.`,
    }
  const { value } = parsed
  const rows = ownValue(value, 'units')
  if (ownValue(value, 'format') !== FORMAT || !isJsonList(rows))
    return { ok: false, reason: t`Foldboard did not write this file.` }
  const clients = clientsOf(ownValue(value, 'machines'))
  return readingOf(rows.map(row => ({ machine: clientOf(clients, ownValue(row, 'machine')), row })))
}

/** One row of a file: a unit as on the wire, and its client. */
export type FileRow = { readonly machine: ArchivedClient; readonly row: Json }

/** The excerpt of all rows: distinct ended units with an id or number. */
export function readingOf(rows: readonly FileRow[]): FileReading {
  const clients = new Map<string, ArchivedClient>()
  const units = new Map<string, ArchivedUnit>()
  for (const { machine: client, row } of rows.slice(0, MAX_STORED_UNITS)) {
    const unit = unitOf(row)
    if (unit === undefined) continue
    clients.set(client.id, client)
    const archived = archivedUnit(client, unit)
    units.set(archived.key, archived)
  }
  return {
    ok: true,
    excerpt: { machines: [...clients.values()], units: [...units.values()] },
    unusable: rows.length - units.size,
  }
}

/** A client in a file. It belongs to no account. */
export function fileClient(id: unknown, name: unknown, info: unknown): ArchivedClient {
  const infoRecord = record(info)
  const clientId = typeof id === 'string' && CLIENT_ID.test(id) ? id : UNNAMED
  const ownInfo = { ...(infoRecord as object | undefined), id: idOfKey(clientId) }
  const data = { info: ownInfo, config: {}, groups: {}, units: [] }
  return { ...archivedClient(clientId, text(name) ?? clientId, data), id: clientId, owner: undefined }
}

// Keys of clients, and ids of connections: '__direct__', '@host:port'.
const CLIENT_ID = /^[\w.:@[\]-]{1,100}(?:~[ac][\da-f]{8})?$/
const UNNAMED = 'file'

function clientsOf(list: unknown): ReadonlyMap<unknown, ArchivedClient> {
  return new Map(
    (Array.isArray(list) ? (list as readonly unknown[]) : [])
      .slice(0, MAX_STORED_UNITS)
      .map(client => [
        ownValue(client, 'id'),
        fileClient(ownValue(client, 'id'), ownValue(client, 'name'), ownValue(client, 'info')),
      ]),
  )
}

function clientOf(clients: ReadonlyMap<unknown, ArchivedClient>, id: unknown): ArchivedClient {
  return clients.get(id) ?? fileClient(id, undefined, undefined)
}

function unitOf(row: Json): Unit | undefined {
  if (!isJsonObject(row)) return undefined
  const [unit] = decodeUnits([row], 'units', () => undefined)
  return unit !== undefined && hasEnded(unit) && (text(unit.id) !== undefined || typeof unit.number === 'number')
    ? unit
    : undefined
}
