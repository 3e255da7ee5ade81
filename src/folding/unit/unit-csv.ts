/*
 * The history as CSV: one line per unit, for spreadsheets and for import. Durations are seconds, instants UTC. Column
 * titles are English in every locale, since files are imported by title.
 */
import { estimatedSpan } from '../fleet/ppd-history.ts'
import { guarded, unguarded } from '../shared/formulas.ts'
import { t } from '@lingui/core/macro'
import Papa from 'papaparse'
import type { Unit } from '../../protocol/client/client-data.ts'
import type { Json } from '../../protocol/json.ts'
import type { ArchivedClient } from './archived-client.ts'
import type { Excerpt } from './history.ts'
import { ownValue, texts } from '../shared/read.ts'
import { fileClient, readingOf, type FileReading, type FileRow } from './unit-file.ts'
import { statusAppearance, unitStatus } from './unit-status.ts'
import { ppdOf, tpfSeconds, workShare } from './unit-progress.ts'

type Value = string | number | undefined
type Column = {
  readonly title: string
  readonly read: (unit: Unit, client: ArchivedClient | undefined) => unknown
  /** Its path in the wire's unit; columns without one are derived, or about the client. */
  readonly path?: readonly string[]
  readonly isNumber?: boolean
}

function field(title: string, path: readonly string[], isNumber = false): Column {
  return {
    title,
    path,
    isNumber,
    read: unit => path.reduce<unknown>((owner, key) => ownValue(owner, key), unit),
  }
}
function number(title: string, ...path: readonly string[]): Column {
  return field(title, path, true)
}

const SEPARATOR = ' | '
const NO_GPUS = 'None'

/** Only exported on request: see MACHINE_ID_WARNING. */
const CLIENT_ID = 'Machine ID'

export const CSV_COLUMNS: readonly Column[] = [
  // The name of an unnamed client is its id, which belongs in its own column only.
  { title: 'Machine', read: (_, client) => (client?.name === client?.id ? undefined : client?.name) },
  { title: CLIENT_ID, read: (_, client) => client?.id },
  number('Project', 'assignment', 'project'),
  number('Run', 'wu', 'run'),
  number('Clone', 'wu', 'clone'),
  number('Gen', 'wu', 'gen'),
  field('Core', ['assignment', 'core', 'type']),
  { title: 'OS', read: (_, client) => ownValue(client?.info, 'os') },
  { title: 'OS Version', read: (_, client) => ownValue(client?.info, 'os_version') },
  field('OS Text', ['os_title']),
  field('Resources', ['resources']),
  number('CPUs', 'cpus'),
  { title: 'GPUs', read: unit => (Array.isArray(unit.gpus) ? texts(unit.gpus).join(SEPARATOR) || NO_GPUS : undefined) },
  { title: 'Status', read: unit => statusAppearance(unitStatus(unit, undefined, 0)).label },
  field('Result', ['result']),
  field('State', ['state']),
  // What was not reported is left empty.
  { ...number('Progress', 'wu_progress'), read: unit => workShare(unit) },
  { title: 'TPF', read: unit => tpfSeconds(unit, 0) },
  { ...number('PPD', 'ppd'), read: ppdOf },
  number('Run Time', 'run_time'),
  number('Base Credit', 'assignment', 'credit'),
  { title: 'Estimated Credit', read: unit => estimatedSpan(unit)?.points },
  number('Logged Credit', 'logged_credit'),
  field('Assign Time', ['assignment', 'time']),
  field('End Time', ['end_time']),
  number('Timeout', 'assignment', 'timeout'),
  number('Deadline', 'assignment', 'deadline'),
  field('Work Server', ['assignment', 'ws']),
  field('Group', ['group']),
  number('Number', 'number'),
  field('Error', ['error']),
  field('Left Out', ['left_out']),
  field('ETA', ['eta']),
  field('Unit ID', ['id']),
]

/** Units with their clients as CSV. `readCsv` needs the client IDs. */
export function writeCsv({ machines: clients, units }: Excerpt, withClientIds: boolean): string {
  const named = new Map(clients.map(client => [client.id, client]))
  const columns = CSV_COLUMNS.filter(({ title }) => withClientIds || title !== CLIENT_ID)
  const lines = units.map(({ unit, machine: client }) =>
    columns.map(({ read }) => cellOf(read(unit, named.get(client)))),
  )
  return Papa.unparse([columns.map(({ title }) => title), ...lines], { newline: '\r\n' })
}

/** Reads what `writeCsv` wrote, also after a spreadsheet changed it: columns are found by title. */
export function readCsv(content: string): FileReading {
  const { data } = Papa.parse<readonly string[]>(content.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' })
  const [titles = [], ...lines] = data
  const missing = [CLIENT_ID, 'Result', 'End Time'].filter(title => !titles.includes(title))
  if (missing.length === 1 && missing[0] === CLIENT_ID)
    return {
      ok: false,
      reason: t`The file was exported without machine IDs, so it cannot be imported. Export it again with them, or as JSON.`,
    }
  if (missing.length > 0)
    return {
      ok: false,
      reason: t`The file has no column “${missing[0] ?? ''}”, so Foldboard did not write it.`,
    }
  return readingOf(lines.map(line => rowOf(new Map(titles.map((title, at) => [title, unguarded(line[at] ?? '')])))))
}

function cellOf(value: unknown): Value {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' ? guarded(value) : undefined
}

function rowOf(cells: ReadonlyMap<string, string>): FileRow {
  const unit: Record<string, unknown> = {}
  for (const { title, path, isNumber = false } of CSV_COLUMNS) {
    const cell = cells.get(title) ?? ''
    const value = isNumber ? Number(cell) : cell
    if (path !== undefined && cell !== '' && !Number.isNaN(value)) put(unit, path, value)
  }
  const gpus = cells.get('GPUs') ?? ''
  if (gpus !== '') unit['gpus'] = gpus === NO_GPUS ? [] : gpus.split(SEPARATOR)
  const info = { os: cells.get('OS'), os_version: cells.get('OS Version') }
  return { machine: fileClient(cells.get('Machine ID'), cells.get('Machine'), info), row: unit as Json }
}

function put(owner: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) owner[key] = value
  else {
    const inner = (owner[key] ??= {}) as Record<string, unknown>
    put(inner, rest, value)
  }
}
