import {
  ALWAYS_REPLACED,
  holdsName,
  ID,
  identityOfNumberIn,
  type Collector,
  type IdentityKind,
} from './known-values.ts'
import { identityOfText, type NumberIdentity } from '../protocol/personal-fields.ts'
import { createReplacer, type Replacement } from './replacer.ts'

/** Replaces identifying values in texts, keys and numbers of a recording. */
export type Rename = {
  readonly text: (text: string, key?: string) => string
  /** `owner`: the object whose field it is. */
  readonly number: (value: number, key: string | undefined, owner?: object) => number
}

/** Replaces nothing. */
export const noRenaming: Rename = { text: text => text, number: value => value }

/** Characters of the shortest text that can hold a public key. */
const SHORTEST_KEY = 62

/** The same texts occur often, so results are cached. */
const MAX_CACHED = 20_000
const LONGEST_CACHED = 100

/**
 * Replaces what a collector found, each value by the same pseudonym everywhere and in every encoding: ids and public keys
 * always; with `usesPseudonyms` also names, addresses and other identifying values.
 */
export function pseudonymsFor(collector: Collector, usesPseudonyms: boolean): Rename {
  const { kinds, ids, programWords } = collector.found()
  const otherIds = idsFor(new Set([...ids, ...[...kinds].flatMap(([value, kind]) => (kind === 'id' ? [value] : []))]))
  const counts = new Map<IdentityKind, number>()
  const others = new Map<string, string>()
  for (const [value, kind] of kinds) {
    if (!usesPseudonyms && !ALWAYS_REPLACED.has(kind)) continue
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    others.set(value, kind === 'id' ? (otherIds.get(value) ?? '') : pseudonymFor(kind, count))
  }
  const replace = createReplacer([...others].flatMap(([value, other]) => formsOf(value, other, kinds, programWords)))
  const replaceKeys = createReplacer([...others].filter(([value]) => kinds.get(value) === 'publicKey'))
  const numbers = usesPseudonyms ? createNumbers() : undefined
  const cache = new Map<string, string>()

  const renamed = (text: string): string => {
    // Public keys first: between two slashes of a key there may be as many characters as an id has.
    const withoutKeys = text.length < SHORTEST_KEY ? text : replaceKeys(text)
    const renamedText = replace(withoutKeys.replaceAll(ID, id => otherIds.get(id) ?? id))
    return numbers === undefined ? renamedText : numbers.inText(renamedText)
  }
  return {
    text: (text, key) => {
      if (usesPseudonyms && key !== undefined && identityOfText(key) === 'picture') return ''
      const whole = key !== undefined && holdsName(key) ? others.get(text) : undefined
      if (whole !== undefined) return whole
      if (key === 'team' && numbers !== undefined && /^\d{1,15}$/.test(text)) return String(numbers.team(Number(text)))
      const cached = cache.get(text)
      if (cached !== undefined) return cached
      const renamedText = renamed(text)
      if (text.length <= LONGEST_CACHED && cache.size < MAX_CACHED) cache.set(text, renamedText)
      return renamedText
    },
    number: (value, key, owner) => numbers?.ofField(value, key, owner) ?? value,
  }
}

/** What is replaced inside texts. Words of the program are not. */
function formsOf(
  value: string,
  other: string,
  sorts: ReadonlyMap<string, IdentityKind>,
  words: ReadonlySet<string>,
): readonly Replacement[] {
  if (words.has(value)) return []
  if (sorts.get(value) !== 'id') return [[value, other]]
  const bytes = bytesOf(value)
  const otherBytes = bytesOf(other)
  return bytes === undefined || otherBytes === undefined
    ? [[value, other]]
    : [
        [value, other],
        [standardBase64(value), standardBase64(other)],
        [`${standardBase64(value)}=`, `${standardBase64(other)}=`],
        [hex(bytes), hex(otherBytes)],
      ]
}

function standardBase64(id: string): string {
  return id.replaceAll('-', '+').replaceAll('_', '/')
}

/** The bytes of an id that is a SHA-256; undefined for any other. */
function bytesOf(id: string): string | undefined {
  return /^[\w-]{43}$/.test(id) ? atob(`${standardBase64(id)}=`) : undefined
}

function hex(bytes: string): string {
  return Array.from(bytes, byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Pseudonyms with the length, characters and sort order of the ids. */
function idsFor(ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map([...ids].sort().map((id, index) => [id, pseudonymousId(index + 1, id.length)]))
}

const PREFIX = 'id-'

/** The last of 43 base64url characters encodes four bits only: '0' is valid there. */
function pseudonymousId(number: number, length: number): string {
  return `${PREFIX}${String(number * 10).padStart(length - PREFIX.length, '0')}`
}

function pseudonymFor(kind: Exclude<IdentityKind, 'id'>, number: number): string {
  switch (kind) {
    case 'publicKey':
      return `public-key-${number}`
    case 'user':
    case 'team':
    case 'machine':
    case 'group':
      return `${kind}-${number}`
    case 'host':
      return `host-${number}.example`
    case 'email':
      return `person-${number}@foldboard.example`
    case 'path':
      return `/path-${number}`
    case 'uuid':
      return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  }
}

const SLASH = String.raw`(?:\/|%(?:25)?2F)`
const IN_TEXTS: readonly (readonly [pattern: RegExp, sorts: readonly NumberIdentity[]])[] = [
  [/\b(team(?:\/|=|-|\s|"?:\s?|%(?:25)?2F|%3D))(\d{1,15})\b/gi, ['team']],
  [new RegExp(`\\b(user${SLASH}[^/%\\s]{1,200}${SLASH})(\\d{1,15})\\b`, 'gi'), ['team']],
  [/\b(user-)(\d{1,15})(-)(\d{1,15})\b/g, ['person', 'person']],
  [new RegExp(`\\b(credits${SLASH}\\d{1,15}${SLASH})(\\d{1,15})(${SLASH})(\\d{1,15})`, 'gi'), ['run', 'clone']],
  [new RegExp(`\\b(run${SLASH})(\\d{1,15})(${SLASH}clone${SLASH})(\\d{1,15})`, 'gi'), ['run', 'clone']],
  [/\b(R)(\d{1,15})(\W{1,3}C)(\d{1,15})(?=\W{1,3}G\d)/g, ['run', 'clone']],
  [/\b(run\W{1,3})(\d{1,15})(\W{1,3}clone\W{1,3})(\d{1,15})\b/gi, ['run', 'clone']],
]

function createNumbers() {
  const others: Readonly<Record<NumberIdentity, Map<number, number>>> = {
    team: new Map(),
    person: new Map(),
    run: new Map(),
    clone: new Map(),
  }
  const rename = (kind: NumberIdentity, value: number): number => {
    // Team 0 means no team.
    if (value === 0 && kind === 'team') return 0
    const number = others[kind].get(value) ?? others[kind].size + 1
    others[kind].set(value, number)
    return number
  }
  return {
    team: (value: number): number => rename('team', value),
    ofField: (value: number, key: string | undefined, owner: object | undefined): number => {
      const kind = key === undefined ? undefined : identityOfNumberIn(key, owner)
      return kind === undefined ? value : rename(kind, value)
    },
    inText: (text: string): string => {
      let renamedText = text
      for (const [pattern, sorts] of IN_TEXTS)
        renamedText = renamedText.replaceAll(pattern, (...match: readonly unknown[]) => {
          const groups = match.slice(1, 1 + 2 * sorts.length)
          return groups
            .map((part, at) => (at % 2 === 0 ? part : rename(sorts[(at - 1) / 2] ?? 'team', Number(part))))
            .join('')
        })
      return renamedText
    },
  }
}
