/*
 * Work units in tables of other programs: HFM.NET's export, or a person's own spreadsheet, as CSV. A person says which column is what;
 * titles that are known are found.
 */
import { t } from '@lingui/core/macro'
import Papa from 'papaparse'
import type { Json } from '../../protocol/json.ts'
import { formatIso, parseTime } from '../text/times.ts'
import { shortHash } from '../text/vocabulary.ts'
import type { ArchivedClient } from './archived-client.ts'
import { endOf, type Excerpt, type History } from './history.ts'
import { fileClient, readingOf, type FileRow } from './unit-file.ts'

export type ForeignTable = { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** What a column can be, with the titles by which it is found: letters and digits in lower case. */
export const FOREIGN_FIELDS = [
  { id: 'project', label: t`Project`, titles: ['project', 'projectid'] },
  { id: 'run', label: 'Run', titles: ['run', 'projectrun'] },
  { id: 'clone', label: 'Clone', titles: ['clone', 'projectclone'] },
  { id: 'gen', label: 'Gen', titles: ['gen', 'projectgen', 'generation'] },
  { id: 'ended', label: t`Ended`, titles: ['finished', 'ended', 'endtime', 'end', 'date', 'returned', 'completed'] },
  { id: 'assigned', label: t`Assigned`, titles: ['assigned', 'assigntime', 'downloaded', 'started', 'start'] },
  {
    id: 'machine',
    label: t`Machine`,
    titles: ['machine', 'slotname', 'client', 'clientname', 'computer', 'host', 'name'],
  },
  { id: 'result', label: t`Status`, titles: ['result', 'status'] },
  { id: 'tpf', label: 'TPF', titles: ['tpf', 'frametime'] },
  { id: 'ppd', label: 'PPD', titles: ['ppd'] },
  { id: 'credit', label: t`Points`, titles: ['credit', 'points'] },
  { id: 'base', label: t`Base Credit`, titles: ['basecredit', 'basepoints'] },
  { id: 'core', label: t`Core`, titles: ['core'] },
  { id: 'cpus', label: t`CPUs`, titles: ['cpus', 'threads', 'platformthreads'] },
] as const
type FieldId = (typeof FOREIGN_FIELDS)[number]['id']

/** The column of each field, by its place in the table. */
export type ColumnChoice = Readonly<Partial<Record<FieldId, number>>>

export type ForeignLine = {
  readonly line: number
  /** Its cells. */
  readonly text: string
  readonly status: 'new' | 'known' | 'noProject' | 'noTime'
}

export function readTable(content: string): ForeignTable {
  const { data } = Papa.parse<readonly string[]>(content.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' })
  const [titles = [], ...rows] = data
  return { titles, rows }
}

export function guessColumns({ titles }: ForeignTable): ColumnChoice {
  const plain = titles.map(title => title.toLowerCase().replaceAll(/[^a-z\d]/g, ''))
  return Object.fromEntries(
    FOREIGN_FIELDS.flatMap(field => {
      const at = plain.findIndex(title => (field.titles as readonly string[]).includes(title))
      return at < 0 ? [] : [[field.id, at]]
    }),
  )
}

/** The units of a table that are not in the history, and what becomes of each line. */
export function readForeign(
  { rows }: ForeignTable,
  choice: ColumnChoice,
  history: History,
): { readonly excerpt: Excerpt; readonly lines: readonly ForeignLine[] } {
  const cellOf = (row: readonly string[], field: FieldId): string => row[choice[field] ?? -1]?.trim() ?? ''
  const isDayFirst = daysComeFirst(rows.flatMap(row => [cellOf(row, 'ended'), cellOf(row, 'assigned')]))
  const ends = new Map<string, number[]>()
  for (const { unit } of history.units.values()) {
    const name = nameOf([unit.assignment?.project, unit.wu?.run, unit.wu?.clone, unit.wu?.gen])
    ends.set(name, [...(ends.get(name) ?? []), endOf(unit) ?? 0])
  }
  const machines = new Map([...history.machines.values()].map(machine => [machine.name, machine]))
  const fileRows: FileRow[] = []
  const lines = rows.map((row, at): ForeignLine => {
    const place = { line: at + 2, text: row.join(', ') }
    const number = (field: FieldId) => numberOf(cellOf(row, field))
    const [project, run, clone, gen] = (['project', 'run', 'clone', 'gen'] as const).map(number)
    const end = timeOf(cellOf(row, 'ended'), isDayFirst)
    if (project === undefined || project <= 0) return { ...place, status: 'noProject' }
    if (end === undefined) return { ...place, status: 'noTime' }
    const name = nameOf([project, run, clone, gen])
    const others = ends.get(name) ?? []
    if (others.some(other => Math.abs(other - end) < (gen === undefined ? MINUTE : DAY)))
      return { ...place, status: 'known' }
    ends.set(name, [...others, end])
    const begin = timeOf(cellOf(row, 'assigned'), isDayFirst)
    const frame = secondsOf(cellOf(row, 'tpf'))
    const ran = frame === undefined ? (end - (begin ?? end)) / 1000 : frame * FRAMES
    const credit = number('credit')
    const unit = {
      id: `${name}-${end / 1000}`,
      state: 'CLEAN',
      result: resultOf(cellOf(row, 'result')),
      end_time: formatIso(end),
      run_time: ran > 0 ? ran : undefined,
      // Points are shown as points per day and run time.
      ppd: credit !== undefined && credit > 0 && ran > 0 ? (credit * DAY) / 1000 / ran : number('ppd'),
      cpus: number('cpus'),
      assignment: {
        project,
        time: begin === undefined ? undefined : formatIso(begin),
        credit: number('base'),
        core: { type: cellOf(row, 'core') || undefined },
      },
      wu: { run, clone, gen },
    }
    // Without what is undefined.
    fileRows.push({
      machine: machineOf(cellOf(row, 'machine'), machines),
      row: JSON.parse(JSON.stringify(unit)) as Json,
    })
    return { ...place, status: 'new' }
  })
  const reading = readingOf(fileRows)
  return { excerpt: reading.ok ? reading.excerpt : { machines: [], units: [] }, lines }
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Of each work unit, a hundredth of it. */
const FRAMES = 100
/** The project began then: earlier times, such as HFM.NET's first of January of the year 1, mean none. */
const BEGIN = Date.UTC(2000, 9)

function nameOf(parts: readonly (number | undefined)[]): string {
  return parts.map(part => part ?? '').join('-')
}

/** Points between groups of digits; a single point is that of decimals. */
const POINTS_GROUP = /^\d{1,3}(?:\.\d{3})+(?:,\d*|\.\d{3})$/

function numberOf(cell: string): number | undefined {
  const groups = POINTS_GROUP.test(cell) ? /\./g : /[\s'](?=\d{3})|,(?=\d{3}(?:\D|$))/g
  const value = Number(cell.replaceAll(groups, '').replace(',', '.'))
  return cell === '' || !Number.isFinite(value) ? undefined : value
}

/** `3:10`, `00:03:10`, or seconds. */
function secondsOf(cell: string): number | undefined {
  const seconds = cell.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return seconds > 0 ? seconds : undefined
}

const NUMBERS_FIRST = /^(\d\d?)([/.-])(\d\d?)\2(\d{4})(?:,?\s+(\d\d?):(\d\d)(?::(\d\d))?(?:\s*([AP])M)?)?$/i

/** Whether dates of a table such as 03/04/2024 begin with the day, as others of it show. */
function daysComeFirst(cells: readonly string[]): boolean {
  const dates = cells.map(cell => NUMBERS_FIRST.exec(cell)).filter(found => found !== null)
  if (dates.some(([, first]) => Number(first) > 12)) return true
  return dates.every(([, , mark, second]) => mark === '.' && Number(second) <= 12)
}

/** Without a zone it is UTC, as HFM.NET writes it. */
function timeOf(cell: string, isDayFirst: boolean): number | undefined {
  const [whole, first = '', , second = '', year = '', hours = '0', minutes = '00', seconds = '00', half] =
    NUMBERS_FIRST.exec(cell) ?? []
  const [month, day] = isDayFirst ? [second, first] : [first, second]
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0)
  const two = (part: string | number): string => String(part).padStart(2, '0')
  const text =
    whole === undefined
      ? cell
          .replace(/^(\d{4}-\d\d-\d\d)[ T]?/, '$1T')
          .replace(/T$/, 'T00:00:00')
          .replace(/T(\d\d:\d\d)$/, 'T$1:00')
      : `${year}-${two(month)}-${two(day)}T${two(hour)}:${minutes}:${seconds}Z`
  const at = parseTime(text)
  return at === undefined || at < BEGIN ? undefined : at
}

/** The words of clients, for those of other programs; others stay as they are. */
function resultOf(word: string): string {
  if (word === '' || /finish|credit|success|complete|^ok$|^done$/i.test(word)) return 'credited'
  if (/dump/i.test(word)) return 'dumped'
  return /_|fail|error|unknown/i.test(word) ? 'failed' : word
}

/** HFM.NET adds the slot to the name of a client. A machine of that name goes on with its own history. */
function machineOf(cell: string, machines: ReadonlyMap<string, ArchivedClient>): ArchivedClient {
  const name = cell.replace(/ Slot \d+$/, '')
  const plain = name.replaceAll(/[^\w.-]/g, '_').slice(0, 70)
  const id = plain === name ? name : `${plain}-${shortHash(name)}`
  return machines.get(name) ?? fileClient(`file:${id}`, name, undefined)
}
