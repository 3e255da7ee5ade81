/*
 * Lists of direct clients as files: read from lines, CSV, JSON or the settings of HFM.NET, with what is wrong in each line, and written
 * as CSV.
 */
import Papa from 'papaparse'
import { xmlText } from '../text/xml-text.ts'
import { directClientOf, MAX_DIRECT_CLIENTS, type DirectClient } from './direct-clients.ts'

/** Lines that are read; the list itself is limited to `MAX_DIRECT_CLIENTS`. */
export const MOST_LINES = 1000
/** Characters that are read. */
export const LONGEST_LIST = 200_000

export type ListLine = {
  /** The number of the line, or of the entry in JSON, from 1. */
  readonly line: number
  /** The line as it was written, shortened. */
  readonly text: string
  /** What an entry of HFM.NET also has, which is of the protocol of clients before 8. */
  readonly leftOut?: readonly string[]
} & (
  | { readonly status: 'new'; readonly client: DirectClient }
  /** It is in the list already; with another name it is renamed. */
  | { readonly status: 'known' | 'renamed'; readonly client: DirectClient }
  /** An earlier line has the same address. */
  | { readonly status: 'repeated'; readonly client: DirectClient; readonly first: number }
  | { readonly status: 'notAnAddress' }
  /** The list is full. */
  | { readonly status: 'tooMany'; readonly client: DirectClient }
)

export type ListReading = {
  readonly lines: readonly ListLine[]
  /** What is added or renamed. */
  readonly clients: readonly DirectClient[]
  /** Why the text was not read, or not to its end. */
  readonly problem: 'brokenJson' | 'tooLong' | undefined
}

type Entry = {
  readonly line: number
  readonly text: string
  readonly address: string
  readonly name: string
  readonly leftOut?: readonly string[]
}

/** Reads a list to add to the clients that are known. */
export function readClientList(content: string, existing: readonly DirectClient[]): ListReading {
  const text = content.replace(/^\uFEFF/, '').slice(0, LONGEST_LIST)
  const all = isJson(text) ? jsonEntries(text) : (hfmEntries(text) ?? lineEntries(text))
  if (all === undefined) return { lines: [], clients: [], problem: 'brokenJson' }
  const entries = all.slice(0, MOST_LINES)
  const names = new Map(existing.map(({ address, name }) => [address, name]))
  const firsts = new Map<string, number>()
  let room = MAX_DIRECT_CLIENTS - existing.length
  const lines = entries.map(({ line, text: written, address, name, leftOut = [] }): ListLine => {
    const place = { line, text: shortened(written), ...(leftOut.length === 0 ? {} : { leftOut }) }
    const client = directClientOf(address, name)
    if (client === undefined) return { ...place, status: 'notAnAddress' }
    const first = firsts.get(client.address)
    if (first !== undefined) return { ...place, status: 'repeated', client, first }
    firsts.set(client.address, line)
    if (names.has(client.address)) {
      const isRenamed = client.name !== undefined && client.name !== names.get(client.address)
      return { ...place, status: isRenamed ? 'renamed' : 'known', client }
    }
    if (room <= 0) return { ...place, status: 'tooMany', client }
    room -= 1
    return { ...place, status: 'new', client }
  })
  return {
    lines,
    clients: lines.flatMap(line => (line.status === 'new' || line.status === 'renamed' ? [line.client] : [])),
    problem: content.length > LONGEST_LIST || all.length > MOST_LINES ? 'tooLong' : undefined,
  }
}

/** The list as CSV with titles, which `readClientList` reads. */
export function writeClientList(clients: readonly DirectClient[]): string {
  return `${Papa.unparse({ fields: ['address', 'name'], data: clients.map(({ address, name }) => [address, guarded(name ?? '')]) })}\r\n`
}

// Spreadsheets run texts that start like this as formulas.
const FORMULA = /^'*[=+\-@]/
function guarded(name: string): string {
  return FORMULA.test(name) ? `'${name}` : name
}
function unguarded(cell: string): string {
  return FORMULA.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell
}

const SHOWN_CHARACTERS = 120

function shortened(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}

/** An IPv6 address begins with a bracket too, but is not followed by these. */
function isJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*(?:["{\]]|\d+\s*[,\]]|null|$))/.test(text)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function jsonEntries(text: string): readonly Entry[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    const items = Array.isArray(value) ? (value as readonly unknown[]) : listWithin(value)
    return items?.map((item, index) => ({ line: index + 1, text: JSON.stringify(item), ...fieldsOf(item) }))
  } catch {
    return undefined
  }
}

function listWithin(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && 'clients' in value && Array.isArray(value.clients)
    ? value.clients
    : undefined
}

function fieldsOf(item: unknown): { readonly address: string; readonly name: string } {
  if (typeof item !== 'object' || item === null) return { address: textOf(item), name: '' }
  const fields = new Map(Object.entries(item).map(([key, value]) => [key.toLowerCase(), textOf(value)]))
  return { address: addressFrom(fields), name: fields.get('name') ?? '' }
}

function addressFrom(fields: ReadonlyMap<string, string>): string {
  const host = fields.get('address') ?? fields.get('host') ?? ''
  const port = fields.get('port') ?? ''
  if (port === '') return host
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The clients of a settings file of HFM.NET (.hfmx); undefined for any other text. */
function hfmEntries(text: string): readonly Entry[] | undefined {
  if (!/<ArrayOfClientSettings[\s>]/.test(text)) return undefined
  return [...text.matchAll(/<ClientSettings>([^]*?)<\/ClientSettings>/g)].map(({ 1: content = '', index }) => {
    const valueOf = (name: string): string =>
      xmlText(new RegExp(`<${name}>([^<]*)</${name}>`).exec(content)?.[1]?.trim() ?? '')
    const [name, address] = [valueOf('Name'), valueOf('Server')]
    return {
      line: text.slice(0, index).split('\n').length,
      text: address === '' ? name : address,
      address,
      name,
      leftOut: ['Port', 'Password'].filter(left => valueOf(left) !== ''),
    }
  })
}

const TITLES: ReadonlySet<string> = new Set(['address', 'host', 'port', 'name'])

function lineEntries(text: string): readonly Entry[] {
  let titles: readonly string[] = ['address', 'name']
  let isFirst = true
  const entries: Entry[] = []
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = written.trim()
    if (line === '' || line.startsWith('#')) continue
    const cells = cellsOf(line)
    const lower = cells.map(cell => cell.toLowerCase())
    if (isFirst && lower.every(cell => TITLES.has(cell)) && lower.some(cell => cell === 'address' || cell === 'host'))
      titles = lower
    else {
      const fields = new Map(titles.map((title, column) => [title, cells[column] ?? '']))
      entries.push({ line: index + 1, text: line, address: addressFrom(fields), name: fields.get('name') ?? '' })
    }
    isFirst = false
  }
  return entries
}

/** `host:port` with a name after a space, or the cells of a line of CSV. */
function cellsOf(line: string): readonly string[] {
  const { 1: address = '', 2: name = '' } = /^([^\s,;"]+)(?:\s+([\s\S]*))?$/.exec(line) ?? []
  if (address !== '') return name === '' ? [address] : [address, name]
  const delimiter = /[,;\t]/.exec(line.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ','
  const [cells = []] = Papa.parse<string[]>(line, { delimiter }).data
  return cells.map(cell => unguarded(cell.trim()))
}
