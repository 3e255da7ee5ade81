/*
 * Finds identifying values of clients, accounts and people in a recording: by field names and by patterns. Scans values
 * as `encode` writes them, so that log lines and other packed values are texts.
 */
// Their fields are marked when these are loaded.
import '../protocol/api/api.ts'
import '../protocol/client/client-data.ts'
import '../protocol/relay/relay-message.ts'
import {
  identityOfNumber,
  identityOfText,
  type NumberIdentity,
  type TextIdentity,
} from '../protocol/personal-fields.ts'

/** What a value identifies. Ids and public keys are replaced in every saved recording, the others on request. */
export type IdentityKind = Exclude<TextIdentity, 'picture' | 'secret'>

/** These identify a person by themselves: the API returns user, team and passkey to anyone who has a client's id. */
export const ALWAYS_REPLACED: ReadonlySet<IdentityKind> = new Set<IdentityKind>(['id', 'publicKey'])

/** Fields of events and of the page. Those that are decoded are marked in src/protocol. */
const PAGE_FIELDS: ReadonlyMap<string, IdentityKind> = new Map<string, IdentityKind>([
  ['publicKey', 'publicKey'],
  ['by', 'user'],
  ['person', 'user'],
  ['channel', 'machine'],
  ['tag', 'group'],
  ['newTag', 'group'],
  ['newName', 'group'],
  ['address', 'host'],
  ['addresses', 'host'],
  ['defaultAddress', 'host'],
  ['localAddress', 'host'],
  ['otherDefaults', 'host'],
  ['clientAddress', 'host'],
  ['elsewhere', 'host'],
  ['origin', 'host'],
])

function kindByField(name: string): IdentityKind | undefined {
  const kind = PAGE_FIELDS.get(name) ?? identityOfText(name)
  return kind === 'picture' || kind === 'secret' ? undefined : kind
}

/** Fields that hold words of the program: states, events, kinds. */
const PROGRAM_FIELDS: ReadonlySet<string> = new Set([
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

/** Objects whose keys are user-given names or ids. */
const DICTIONARIES: ReadonlySet<string> = new Set(['groups', 'gpus', 'members', 'tags', 'meters', 'records'])

/** An account's list of clients. */
const MACHINES = 'machines'

/** Common values that do not identify a person. */
const PUBLIC: ReadonlySet<string> = new Set([
  'anonymous',
  'any',
  'localhost',
  '127.0.0.1',
  '0.0.0.0',
  '::1',
  'machine',
  'linux',
  'windows',
  'macos',
])

/** The id of a connection whose client has not reported its own id yet. A client's id may begin with '_' too. */
const LOCAL_ID = /^(?:@|__direct__\d*$)/

/** Ids of clients, accounts and units: a SHA-256 in base64url (docs/protocol.md §13), also directly after an escape. */
export const ID = /(?<=^|[^\w-]|%[\da-f]{2}|\\[bfnrt])[\w-]{43}(?![\w-])/gi
/** An RSA key in DER begins with these letters in base64. The id follows from it. */
const PUBLIC_KEY = /(?<![A-Za-z0-9+/])MI[A-Za-z0-9+/]{60,}={0,2}/g
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g
const IPV6 = /(?<![\w:.])[\da-f:]{2,39}(?![\w:])/gi
const UUID = /(?<![\da-f])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\da-f])/gi
const HOME = /(?:[/\\](?:home|Users)[/\\]{1,2})([^/\\\s"':;,<>]{1,64})/g
const HOST = /^(?:[a-z][a-z\d+.-]{0,20}:\/\/)?(?:\[([^\]]*)\]|([^/:?#]*))/i
const WORD = /[\p{L}\p{N}_]+/gu
const FIELD_NAME = /^[A-Za-z_]\w{0,63}$/

const EMAIL_SIGN = /@|%(?:25)?40/gi
const EMAIL_BEFORE = /[\p{L}\p{N}._+-]{1,64}$/u
const EMAIL_BEHIND = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u
const PERCENT_ESCAPE = /^(?:25)?[\da-f]{2}/i

/** All email addresses in a text, in linear time: only the characters around each `@` are examined. */
export function emailsIn(text: string): readonly string[] {
  return [...text.matchAll(EMAIL_SIGN)].flatMap(({ index, 0: sign }) => {
    const before = EMAIL_BEFORE.exec(text.slice(Math.max(0, index - 64), index))
    const behind = EMAIL_BEHIND.exec(text.slice(index + sign.length, index + sign.length + 320))?.[0].replace(/-+$/, '')
    if (before === null || behind === undefined) return []
    const start = index - before[0].length
    // '%2Fada@example.org': the letters of an escape are no part of the address.
    const local = text[start - 1] === '%' ? before[0].replace(PERCENT_ESCAPE, '') : before[0]
    return local === '' ? [] : [`${local}@${behind}`]
  })
}

export type KnownValues = {
  /** Kind by value, as first found. */
  readonly kinds: ReadonlyMap<string, IdentityKind>
  /** Everything that has the form of an id, including those of units. */
  readonly ids: ReadonlySet<string>
  /** Words of the program, which are not replaced inside texts even if they are someone's name. */
  readonly programWords: ReadonlySet<string>
}

export function createCollector() {
  const kinds = new Map<string, IdentityKind>()
  const ids = new Set<string>()
  const programWords = new Set<string>()

  const add = (value: string, kind: IdentityKind): void => {
    if (value.length < 2 || PUBLIC.has(value.toLowerCase()) || kinds.has(value)) return
    if (kind === 'id' && LOCAL_ID.test(value)) return
    // Short names such as '1' or 'a' identify no person and occur everywhere.
    if (kind === 'group' && (value.length < 3 || /^\d+$/.test(value))) return
    kinds.set(value, kind)
  }

  const addProgramWords = (text: string): void => {
    for (const [word] of text.matchAll(WORD)) programWords.add(word)
  }

  const addHost = (text: string): void => {
    const [, bracketed, plain = ''] = HOST.exec(text) ?? []
    const host = bracketed ?? plain
    if (!/^[\d.]+$/.test(host)) add(host, 'host')
  }

  const scanForPatterns = (text: string): void => {
    for (const [id] of text.replaceAll(PUBLIC_KEY, ' ').matchAll(ID)) ids.add(id)
    for (const [key] of text.matchAll(PUBLIC_KEY)) add(key, 'publicKey')
    for (const email of emailsIn(text)) add(email, 'email')
    for (const [ip] of text.matchAll(IPV4)) if (ip.split('.').every(part => Number(part) < 256)) add(ip, 'host')
    for (const [ip] of text.matchAll(IPV6)) if (isIpv6(ip)) add(ip, 'host')
    for (const [uuid] of text.matchAll(UUID)) add(uuid, 'uuid')
    for (const [, user = ''] of text.matchAll(HOME)) add(user, 'user')
  }

  const scanText = (text: string, kind: IdentityKind | undefined): void => {
    scanForPatterns(text)
    if (kind === 'host') addHost(text)
    else if (kind !== undefined) add(text, kind)
  }

  const scanList = (
    [tag, ...items]: readonly unknown[],
    kind: IdentityKind | undefined,
    key: string | undefined,
  ): void => {
    switch (tag) {
      case 'a':
        for (const item of items) scan(item, kind, key === MACHINES ? key : undefined)
        scanChange(items)
        return
      case 'm':
        items.forEach(item => scan(item, undefined))
        return
      case 'l':
        scanAddress(String(items[0]))
        return
      default:
        items.slice(tag === 'k' ? 1 : 0).forEach(item => scan(item, kind))
    }
  }

  /** A change begins with its path: `['info', 'mach_name', 'atlas']`, `['groups', 'night', {…}]`. */
  const scanChange = (path: readonly unknown[]): void => {
    const [first, second] = path
    if (first === 'groups' && typeof second === 'string') add(second, 'group')
    const key = path.at(-2)
    const value = path.at(-1)
    if (typeof key === 'string' && typeof value === 'string' && first !== 'groups')
      scanText(value, kindOfField(key, {}))
    if (first === 'info' && key === 'id' && typeof value === 'string') add(value, 'id')
  }

  const scanObject = (part: object, key: string | undefined): void => {
    // The states of a client.
    if ('historyValue' in part && 'value' in part) collectProgramWords(part.value)
    if ('src' in part && 'id' in part && typeof part.id === 'string') scanAddress(part.id)
    if ('id' in part && typeof part.id === 'string' && (key === MACHINES || isNamedById(part))) add(part.id, 'id')
    const isDictionary = key !== undefined && DICTIONARIES.has(key)
    for (const [name, item] of Object.entries(part)) {
      scanForPatterns(name)
      if (isDictionary) {
        if (key === 'groups') add(name, 'group')
      } else if (FIELD_NAME.test(name)) programWords.add(name)
      if (PROGRAM_FIELDS.has(name)) collectProgramWords(item)
      scan(item, key === 'tags' ? 'group' : kindOfField(name, part), name)
    }
  }

  const collectProgramWords = (item: unknown): void => {
    if (typeof item === 'string') addProgramWords(item)
    else if (typeof item === 'object' && item !== null) Object.entries(item).flat().forEach(collectProgramWords)
  }

  const scan = (part: unknown, kind: IdentityKind | undefined, key?: string): void => {
    if (typeof part === 'string') scanText(part, kind)
    else if (Array.isArray(part)) scanList(part, kind, key)
    else if (typeof part === 'object' && part !== null) scanObject(part, key)
  }

  /** Steps without a colon, slash or `@` are ids from the program. */
  const scanAddress = (address: string): void => {
    scanForPatterns(address)
    for (const step of address.split('/')) {
      if (/^[\w.]{1,64}$/.test(step) && !/^[\w-]{43}$/.test(step)) addProgramWords(step)
      else if (step.includes(':')) addProgramWords(step.slice(0, step.indexOf(':')))
    }
  }

  return {
    /** Scans a value as written by `encode`. */
    scan: (json: unknown): void => scan(json, undefined),
    /** Scans the address of an actor. */
    scanAddress,
    found: (): KnownValues => ({ kinds, ids, programWords }),
  }
}

export type Collector = ReturnType<typeof createCollector>

/** A client or an account. */
function isNamedById(part: object): boolean {
  return 'mach_name' in part || 'pubkey' in part || 'publicKey' in part
}

/** Whose name a `name` is depends on the other fields. */
function kindOfField(key: string, part: object): IdentityKind | undefined {
  if (key === 'name' && 'active_7' in part) return 'user'
  if (key === 'name' && ('wus' in part || 'score' in part || 'trank' in part)) return 'team'
  if (key === 'name') return 'machine'
  if (key === 'url' && ('logo' in part || 'wus' in part)) return 'host'
  return kindByField(key)
}

/** What a number identifies. A donor and a team have an `id` as well as programs and projects. */
export function identityOfNumberIn(key: string, owner: object = {}): NumberIdentity | undefined {
  if (key === 'id' || key === 'pid') return 'active_7' in owner ? 'person' : isTeam(owner) ? 'team' : undefined
  return identityOfNumber(key)
}

function isTeam(owner: object): boolean {
  return 'wus' in owner && 'rank' in owner
}

/** Whether the whole text of this field is a name. */
export function holdsName(key: string): boolean {
  return key === 'name' || kindByField(key) !== undefined
}

function isIpv6(text: string): boolean {
  const groups = text.split(':')
  return (
    (text.includes('::') ? groups.length >= 3 && groups.length <= 9 && text.length > 3 : groups.length === 8) &&
    groups.every(group => group.length <= 4)
  )
}
