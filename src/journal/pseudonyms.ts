import { ActorLink } from './links.ts'
import type { Recording } from './recording.ts'

/** Gives every text of a recording, and every name of a field, as it may leave the house. */
export type Rename = (text: string, key?: string) => string

type Sort = 'user' | 'machine' | 'host' | 'mail'

const SORTS: Readonly<Record<string, Sort>> = {
  user: 'user',
  name: 'machine',
  mach_name: 'machine',
  hostname: 'machine',
  email: 'mail',
  address: 'host',
  addresses: 'host',
  node: 'host',
  defaultAddress: 'host',
  localAddress: 'host',
}

/** Fields in which the programme speaks of itself: of states, events and kinds of things. */
const WORDY: ReadonlySet<string> = new Set([
  'src',
  'type',
  'status',
  'kind',
  'theme',
  'mode',
  'level',
  'tone',
  'word',
  'cmd',
  'state',
  'step',
])

/** They are nobody's. */
const PUBLIC: ReadonlySet<string> = new Set([
  '',
  'anonymous',
  'localhost',
  '127.0.0.1',
  '0.0.0.0',
  '::1',
  'machine',
  'linux',
  'windows',
  'macos',
])

const IP = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g
const MAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const TOKEN = /[\p{L}\p{N}_.-]+/gu
const HOST = /^(?:[a-z]+:\/\/)?\[?([^/\]:]+)/i

/**
 * Other names for users, machines, hosts and mail addresses, the same one wherever the same name stands, also inside
 * longer texts. Versions such as 8.5.7 and this computer's own addresses stay.
 */
export const pseudonymsFor = (recording: Recording): Rename => {
  const others = new Map<string, string>()
  /** Words of the programme itself, such as names of fields: under these names nobody is looked for inside texts. */
  const words = new Set<string>()
  const counts: Record<Sort, number> = { user: 0, machine: 0, host: 0, mail: 0 }
  const renamed = (name: string, sort: Sort): string => {
    const known = others.get(name)
    if (known !== undefined) return known
    const other = madeUp(sort, ++counts[sort])
    others.set(name, other)
    return other
  }
  const note = (name: string, sort: Sort): void => {
    if (name.length > 1 && !PUBLIC.has(name.toLowerCase()) && !isIp(name)) renamed(name, sort)
  }
  collect(
    [recording.checkpoints[0], recording.entries],
    word => words.add(word),
    (text, sort) => {
      if (sort === 'mail') return
      if (sort === 'host') note(HOST.exec(text)?.[1] ?? '', sort)
      else note(text, sort)
    },
  )
  const elsewhere = (text: string): string | undefined => (words.has(text) ? undefined : others.get(text))
  const sentences = [...others.keys()]
    .filter(name => /[^\p{L}\p{N}_.-]/u.test(name))
    .sort((a, b) => b.length - a.length)
  return (text, key) => {
    if (key === 'avatar') return ''
    const whole = key !== undefined && Object.hasOwn(SORTS, key) ? others.get(text) : elsewhere(text)
    if (whole !== undefined) return whole
    let told = text
      .replaceAll(MAIL, mail => renamed(mail, 'mail'))
      .replaceAll(IP, ip => (PUBLIC.has(ip) ? ip : renamed(ip, 'host')))
    for (const name of sentences) if (told.includes(name)) told = told.replaceAll(name, others.get(name) ?? name)
    return told.replaceAll(TOKEN, token => elsewhere(token) ?? token)
  }
}

const madeUp = (sort: Sort, number: number): string => {
  switch (sort) {
    case 'user':
      return `user-${number}`
    case 'machine':
      return `machine-${number}`
    case 'host':
      return `host-${number}.example`
    case 'mail':
      return `person-${number}@foldboard.example`
  }
}

const isIp = (text: string): boolean => /^[\d.]+$/.test(text)

/** Texts under one of the names above. A team's name and those of other public things stay. */
const collect = (value: unknown, noteWord: (word: string) => void, note: (text: string, sort: Sort) => void): void => {
  const seen = new Set<object>()
  const look = (part: unknown, sort: Sort | undefined): void => {
    if (typeof part === 'string' && sort !== undefined) note(part, sort)
    if (
      typeof part !== 'object' ||
      part === null ||
      seen.has(part) ||
      ArrayBuffer.isView(part) ||
      part instanceof ActorLink
    )
      return
    seen.add(part)
    if (Array.isArray(part) || part instanceof Set) for (const item of part) look(item, sort)
    else if (part instanceof Map) for (const item of part.values()) look(item, undefined)
    else {
      // Of a machine.
      if ('historyValue' in part && 'value' in part) lookForWords(part.value)
      const isPublic = 'wus' in part || 'score' in part
      for (const [key, item] of Object.entries(part)) {
        noteWord(key)
        if (WORDY.has(key)) lookForWords(item)
        look(item, isPublic || !Object.hasOwn(SORTS, key) ? undefined : SORTS[key])
      }
      // A change names its place first: `['info', 'mach_name', 'desk']`.
      if ('changes' in part && Array.isArray(part.changes))
        for (const change of part.changes as unknown[]) lookAtChange(change)
    }
  }
  const lookForWords = (item: unknown): void => {
    if (typeof item === 'string') for (const [word] of item.matchAll(TOKEN)) noteWord(word)
    else if (Array.isArray(item)) item.forEach(lookForWords)
    else if (typeof item === 'object' && item !== null) lookForWords(Object.entries(item).flat())
  }
  const lookAtChange = (change: unknown): void => {
    if (!Array.isArray(change)) return
    const key: unknown = change.at(-2)
    if (typeof key === 'string' && Object.hasOwn(SORTS, key)) look(change.at(-1), SORTS[key])
  }
  look(value, undefined)
}
