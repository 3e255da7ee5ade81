/*
 * Finds in a recording what tells a machine, an account or a person from another: by the names of the fields that hold
 * it, and by its form. It looks at values as `encode` writes them, so that log lines and other packed values are texts.
 */

/** What kind of thing a value names. Of ids it is replaced in every saved recording, of the others only on request. */
export type Sort = 'id' | 'publicKey' | 'user' | 'team' | 'machine' | 'group' | 'host' | 'mail' | 'path' | 'uuid'

/** These give a person away by themselves: the API tells the user, team and passkey of a machine to whoever has its id. */
export const ALWAYS_REPLACED: ReadonlySet<Sort> = new Set<Sort>(['id', 'publicKey'])

const SORTS: ReadonlyMap<string, Sort> = new Map<string, Sort>([
  ['account', 'id'],
  ['pubkey', 'publicKey'],
  ['publicKey', 'publicKey'],
  ['user', 'user'],
  ['name', 'machine'],
  ['mach_name', 'machine'],
  ['hostname', 'machine'],
  ['group', 'group'],
  ['email', 'mail'],
  ['address', 'host'],
  ['addresses', 'host'],
  ['node', 'host'],
  ['defaultAddress', 'host'],
  ['localAddress', 'host'],
  ['clientAddress', 'host'],
  ['elsewhere', 'host'],
  ['origin', 'host'],
  ['cwd', 'path'],
  ['uuid', 'uuid'],
])

/** Fields in which the program speaks of itself: of states, events and kinds of things. */
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

/** Their keys are names that people gave or ids; those of all other objects are names of fields. */
const DICTIONARIES: ReadonlySet<string> = new Set(['groups', 'gpus', 'members', 'unlisted'])

/** An account's list of machines. */
const MACHINES = 'machines'

/** They are nobody's. */
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

/** Machines, accounts and units are named by a SHA-256 in base64url (docs/protocol.md §13). Also directly behind an escape. */
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

const MAIL_SIGN = /@|%(?:25)?40/gi
const MAIL_BEFORE = /[\p{L}\p{N}._+-]{1,64}$/u
const MAIL_BEHIND = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u
const PERCENT_ESCAPE = /^(?:25)?[\da-f]{2}/i

/** Every mail address in a text, in time that grows with its length alone: only what stands around an `@` is looked at. */
export const mailsIn = (text: string): readonly string[] =>
  [...text.matchAll(MAIL_SIGN)].flatMap(({ index, 0: sign }) => {
    const before = MAIL_BEFORE.exec(text.slice(Math.max(0, index - 64), index))
    const behind = MAIL_BEHIND.exec(text.slice(index + sign.length, index + sign.length + 320))?.[0].replace(/-+$/, '')
    if (before === null || behind === undefined) return []
    const start = index - before[0].length
    // '%2Fada@example.org': the letters of an escape are no part of the address.
    const local = text[start - 1] === '%' ? before[0].replace(PERCENT_ESCAPE, '') : before[0]
    return local === '' ? [] : [`${local}@${behind}`]
  })

export type KnownValues = {
  /** By the value as it was first found. */
  readonly sorts: ReadonlyMap<string, Sort>
  /** Everything that has the form of an id, units among it. */
  readonly ids: ReadonlySet<string>
  /** Words of the program itself: they are not looked for inside texts, whoever bears them as a name. */
  readonly words: ReadonlySet<string>
}

export type Collector = {
  /** Looks through a value as `encode` gives it. */
  readonly look: (json: unknown) => void
  /** Where an event went, or where an actor lives. */
  readonly lookAtAddress: (address: string) => void
  readonly found: () => KnownValues
}

export const createCollector = (): Collector => {
  const sorts = new Map<string, Sort>()
  const ids = new Set<string>()
  const words = new Set<string>()

  const note = (value: string, sort: Sort): void => {
    if (value.length < 2 || PUBLIC.has(value.toLowerCase()) || sorts.has(value)) return
    // An address or a role by which a client is known before it has said its id.
    if (sort === 'id' && /^[@_]/.test(value)) return
    // '1' or 'a' tells nobody from anybody, and stands everywhere.
    if (sort === 'group' && (value.length < 3 || /^\d+$/.test(value))) return
    sorts.set(value, sort)
  }

  const noteWords = (text: string): void => {
    for (const [word] of text.matchAll(WORD)) words.add(word)
  }

  const noteHost = (text: string): void => {
    const [, bracketed, plain = ''] = HOST.exec(text) ?? []
    const host = bracketed ?? plain
    if (!/^[\d.]+$/.test(host)) note(host, 'host')
  }

  const lookIntoText = (text: string): void => {
    for (const [id] of text.matchAll(ID)) ids.add(id)
    for (const [key] of text.matchAll(PUBLIC_KEY)) note(key, 'publicKey')
    for (const mail of mailsIn(text)) note(mail, 'mail')
    for (const [ip] of text.matchAll(IPV4)) if (ip.split('.').every(part => Number(part) < 256)) note(ip, 'host')
    for (const [ip] of text.matchAll(IPV6)) if (isIpv6(ip)) note(ip, 'host')
    for (const [uuid] of text.matchAll(UUID)) note(uuid, 'uuid')
    for (const [, user = ''] of text.matchAll(HOME)) note(user, 'user')
  }

  const lookAtText = (text: string, sort: Sort | undefined): void => {
    lookIntoText(text)
    if (sort === 'host') noteHost(text)
    else if (sort !== undefined) note(text, sort)
  }

  const lookAtList = ([tag, ...items]: readonly unknown[], sort: Sort | undefined, key: string | undefined): void => {
    switch (tag) {
      case 'a':
        for (const item of items) look(item, sort, key === MACHINES ? key : undefined)
        lookAtChange(items)
        return
      case 'm':
        items.forEach(item => look(item, undefined))
        return
      case 'l':
        lookAtAddress(String(items[0]))
        return
      default:
        items.slice(tag === 'k' ? 1 : 0).forEach(item => look(item, sort))
    }
  }

  /** A change names its place first: `['info', 'mach_name', 'desk']`, `['groups', 'night', {…}]`. */
  const lookAtChange = (path: readonly unknown[]): void => {
    const [first, second] = path
    if (first === 'groups' && typeof second === 'string') note(second, 'group')
    const key = path.at(-2)
    const value = path.at(-1)
    if (typeof key === 'string' && typeof value === 'string' && first !== 'groups') lookAtText(value, sortOf(key, {}))
    if (first === 'info' && key === 'id' && typeof value === 'string') note(value, 'id')
  }

  const lookAtObject = (part: object, key: string | undefined): void => {
    // What a machine's actor is in.
    if ('historyValue' in part && 'value' in part) lookForWords(part.value)
    if ('src' in part && 'id' in part && typeof part.id === 'string') lookAtAddress(part.id)
    if ('id' in part && typeof part.id === 'string' && (key === MACHINES || isNamedById(part))) note(part.id, 'id')
    const isDictionary = key !== undefined && DICTIONARIES.has(key)
    for (const [name, item] of Object.entries(part)) {
      lookIntoText(name)
      if (isDictionary) {
        if (key === 'groups') note(name, 'group')
      } else if (FIELD_NAME.test(name)) words.add(name)
      if (PROGRAM_FIELDS.has(name)) lookForWords(item)
      look(item, sortOf(name, part), name)
    }
  }

  const lookForWords = (item: unknown): void => {
    if (typeof item === 'string') noteWords(item)
    else if (typeof item === 'object' && item !== null) Object.entries(item).flat().forEach(lookForWords)
  }

  const look = (part: unknown, sort: Sort | undefined, key?: string): void => {
    if (typeof part === 'string') lookAtText(part, sort)
    else if (Array.isArray(part)) lookAtList(part, sort, key)
    else if (typeof part === 'object' && part !== null) lookAtObject(part, key)
  }

  /** Steps without a colon, slash or `@` are names that the program gave its actors. */
  const lookAtAddress = (address: string): void => {
    lookIntoText(address)
    for (const step of address.split('/')) {
      if (/^[\w.]{1,64}$/.test(step) && !/^[\w-]{43}$/.test(step)) noteWords(step)
      else if (step.includes(':')) noteWords(step.slice(0, step.indexOf(':')))
    }
  }

  return { look: json => look(json, undefined), lookAtAddress, found: () => ({ sorts, ids, words }) }
}

/** Of a machine or an account. */
const isNamedById = (part: object): boolean => 'mach_name' in part || 'pubkey' in part || 'publicKey' in part

/** Whose name a `name` is depends on what else is said there. */
const sortOf = (key: string, part: object): Sort | undefined => {
  if (key === 'name' && 'active_7' in part) return 'user'
  if (key === 'name' && ('wus' in part || 'score' in part || 'trank' in part)) return 'team'
  if (key === 'url' && ('logo' in part || 'wus' in part)) return 'host'
  return SORTS.get(key)
}

/** Whether a text under this name is as a whole what somebody is called. */
export const holdsName = (key: string): boolean => SORTS.has(key)

const isIpv6 = (text: string): boolean => {
  const groups = text.split(':')
  return (
    (text.includes('::') ? groups.length >= 3 && groups.length <= 9 && text.length > 3 : groups.length === 8) &&
    groups.every(group => group.length <= 4)
  )
}
