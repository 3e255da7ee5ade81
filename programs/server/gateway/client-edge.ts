import { EXTEND, type Change } from '../../../src/protocol/client/changes.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { Excess } from '../../../src/folding/client/client-excess.ts'
import { boundedKey } from '../../../src/folding/text/vocabulary.ts'
import { isJsonList, isJsonObject, type Json } from '../../../src/protocol/json.ts'
import { FIRST_WAIT_MS, FORGIVEN_MS, LONGEST_WAIT_MS, CLIENT_LIMITS } from './client-limits.ts'

/** `wait`: milliseconds until the client is tried again. */
export type ExcessNews = { readonly limit: Excess; readonly wait: number }

export type EdgeDeps = {
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed: () => number
  readonly onExcess: (excess: ExcessNews) => void
}

/**
 * Counts what one client sends, over all its connections, before anything else looks at it. What is too much is noted
 * once, and the client is left alone for a while, longer each time.
 */
export type ClientEdge = {
  /** A connection begins: its state is not known yet. `end` is called when it has sent too much. */
  readonly begin: (end: (limit: Excess) => void) => void
  readonly end: () => void
  readonly isOpen: () => boolean
  /** Of which limit it has sent too much, while it is left alone for that. */
  readonly excess: () => Excess | undefined
  readonly takeMessage: (bytes: number) => void
  /** Whether a text may be parsed: only logs, histories and molecules are long. */
  readonly mayParse: (text: string) => boolean
  readonly takeState: (content: Json) => void
  /** A change of `data`, before it is applied. */
  readonly takeChange: (data: ClientData, change: Change) => void
  readonly takeLog: (lines: readonly Json[]) => void
  /** Units that ended. */
  readonly takeHistory: (rows: readonly Json[]) => void
  /** Runs what the client causes, and counts the time. */
  readonly timed: <Result>(run: () => Result) => Result
}

const STREAM = /^\s*\[\s*"(?:log|wus|viz)"/
/** A unit that is known counts this much of one that is not: a client sends all of them to each new connection. */
const KNOWN_UNIT = 0.002
/** Ten times what a client keeps (docs/protocol.md §8). */
const MOST_LINES = 1_000_000
/** What it takes to store one: a database does it later. */
const UNIT_MS = 0.1
/** Another id counts as so many groups and units: everything that is kept of a client is kept anew. */
const OTHER_ID = 100
/** An exact count of the state must leave this share free, so that the next count is not due at once. */
const FREE_SHARE = 0.25
const LONGEST_RUN_MS = CLIENT_LIMITS.processor.most / 2

export function createClientEdge({ elapsed, onExcess }: EdgeDeps): ClientEdge {
  const amounts = {
    bytes: createAmount(CLIENT_LIMITS.bytes, elapsed),
    messages: createAmount(CLIENT_LIMITS.messages, elapsed),
    log: createAmount(CLIENT_LIMITS.log, elapsed),
    additions: createAmount(CLIENT_LIMITS.additions, elapsed),
    history: createAmount(CLIENT_LIMITS.history, elapsed),
    processor: createAmount(CLIENT_LIMITS.processor, elapsed),
  }
  let endConnection: ((limit: Excess) => void) | undefined
  let times = 0
  let last: { readonly limit: Excess; readonly until: number } | undefined
  let state: Size = NOTHING
  let knownUnits = new Set<string>()
  let id: Json | undefined

  const note = (limit: Excess): void => {
    const end = endConnection
    if (end === undefined) return
    endConnection = undefined
    const at = elapsed()
    times = last !== undefined && at - last.until < FORGIVEN_MS ? times + 1 : 1
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(times - 1, 10))
    last = { limit, until: at + wait }
    onExcess({ limit, wait })
    end(limit)
  }
  const spend = (name: keyof typeof amounts, amount: number): void => {
    if (!amounts[name].spend(amount)) note(name)
  }
  const takeId = (next: Json | undefined): void => {
    if (id !== undefined && next !== id) spend('additions', OTHER_ID)
    id = next
  }
  const check = (size: Size): void => {
    if (size.excess !== undefined) note(size.excess)
    else if (size.characters > CLIENT_LIMITS.state.most) note('state')
    else if (size.values > CLIENT_LIMITS.values.most) note('values')
  }

  return {
    begin: end => {
      endConnection = end
      state = NOTHING
    },
    end: () => {
      endConnection = undefined
    },
    isOpen: () => endConnection !== undefined,
    excess: () => (last !== undefined && elapsed() < last.until ? last.limit : undefined),
    takeMessage: bytes => {
      spend('messages', 1)
      spend('bytes', bytes)
    },
    mayParse: text => {
      if (text.length <= CLIENT_LIMITS.state.most || STREAM.test(text.slice(0, 64))) return true
      note('state')
      return false
    },
    takeState: content => {
      const { log: _log, wus: _wus, viz: _viz, ...rest } = isJsonObject(content) ? content : {}
      state = sizeOf(rest, 'root')
      check(state)
      takeId(isJsonObject(rest['info']) ? rest['info']['id'] : undefined)
      spend('additions', entriesIn(rest['groups']) + entriesIn(rest['units']))
    },
    takeChange: (data, change) => {
      const path = change.slice(0, -1)
      const value = change.at(-1) ?? null
      if (path[0] === 'info' && path[1] === 'id') takeId(value)
      if (path[0] === 'info' && path.length === 1 && isJsonObject(value)) takeId(value['id'])
      spend('additions', additionsOf(path, value))
      const size = sizeOf(value, placeOf(path))
      const name = path.reduce<number>((sum, key) => sum + (typeof key === 'string' ? key.length : 0), 0)
      const grown = value === null ? undefined : grownPart(data, path, value)
      const excess = size.excess ?? (name > CLIENT_LIMITS.text.most ? 'text' : grown)
      state = {
        characters: state.characters + size.characters + name,
        values: state.values + size.values + path.length,
        excess,
      }
      if (excess === undefined && isWithin(state, 1)) return
      if (excess === undefined) {
        // Values that were replaced had been counted too.
        const exact = sizeOf(data, 'root')
        state = isWithin(exact, 1 - FREE_SHARE) ? exact : state
      }
      check(state)
    },
    takeLog: lines => {
      if (lines.length > MOST_LINES) {
        note('log')
        return
      }
      let characters = lines.length
      for (const line of lines) {
        if (typeof line !== 'string') continue
        if (line.length > CLIENT_LIMITS.text.most) note('text')
        characters += line.length
      }
      spend('log', characters)
    },
    takeHistory: rows => {
      if (rows.length > CLIENT_LIMITS.history.most) {
        note('history')
        return
      }
      let amount = 0
      const seenKeys = new Set<string>()
      for (const row of rows) {
        const { excess, characters } = sizeOf(row, 'inner')
        if (excess !== undefined || characters > CLIENT_LIMITS.text.most) note(excess ?? 'text')
        const key = isJsonObject(row) ? boundedKey(JSON.stringify([row['id'], row['number'], row['end_time']])) : ''
        amount += knownUnits.has(key) || seenKeys.has(key) ? KNOWN_UNIT : 1
        seenKeys.add(key)
      }
      for (const key of knownUnits) if (seenKeys.size < CLIENT_LIMITS.history.most) seenKeys.add(key)
      knownUnits = seenKeys
      spend('history', amount)
      spend('processor', rows.length * UNIT_MS)
    },
    timed: run => {
      const from = elapsed()
      try {
        return run()
      } finally {
        // Meanwhile the process may have stood still.
        spend('processor', Math.min(elapsed() - from, LONGEST_RUN_MS))
      }
    },
  }
}

/** An amount that is used, and comes back with time. */
function createAmount(
  { most, perSecond }: { readonly most: number; readonly perSecond: number },
  elapsed: () => number,
) {
  let left: number = most
  let at = elapsed()
  return {
    /** Whether there was enough. */
    spend: (amount: number): boolean => {
      const current = elapsed()
      left = Math.min(most, left + ((current - at) / 1000) * perSecond) - amount
      at = current
      return left >= 0
    },
  }
}

type Size = { readonly characters: number; readonly values: number; readonly excess: Excess | undefined }
/** What holds its own number of parts. */
type Place = 'root' | 'groups' | 'units' | 'inner'

const NOTHING: Size = { characters: 0, values: 0, excess: undefined }

function isWithin({ characters, values, excess }: Size, share: number): boolean {
  return (
    excess === undefined &&
    characters <= CLIENT_LIMITS.state.most * share &&
    values <= CLIENT_LIMITS.values.most * share
  )
}

function placeOf(path: readonly unknown[]): Place {
  if (path.length === 0) return 'root'
  const [first] = path
  return path.length === 1 && (first === 'groups' || first === 'units') ? first : 'inner'
}

function entriesIn(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** How many groups and units a change adds, or replaces by others. */
function additionsOf([part, key, field]: readonly unknown[], value: Json): number {
  if (part !== 'groups' && part !== 'units') return 0
  if (key === undefined || key === EXTEND) return entriesIn(value)
  return (field === undefined && value !== null) || field === 'id' ? 1 : 0
}

/** Which limit a list or an object of so many parts exceeds. */
function tooMany(place: Place, isList: boolean, parts: number): Excess | undefined {
  const limit = place === 'groups' || place === 'units' ? place : isList ? 'list' : 'keys'
  return parts > CLIENT_LIMITS[limit].most ? limit : undefined
}

/** The size of a value. It is not complete when a part exceeds a limit. */
export function sizeOf(value: unknown, place: Place): Size {
  let characters = 0
  let values = 0
  let excess: Excess | undefined
  const add = (node: unknown, at: Place): void => {
    values++
    if (typeof node === 'string') {
      characters += node.length
      if (node.length > CLIENT_LIMITS.text.most) excess ??= 'text'
    } else if (Array.isArray(node)) {
      excess ??= tooMany(at, true, node.length)
      if (excess === undefined) for (const item of node) add(item, 'inner')
    } else if (typeof node === 'object' && node !== null) {
      const keys = Object.keys(node)
      excess ??= tooMany(at, false, keys.length)
      if (excess !== undefined) return
      for (const key of keys) {
        characters += key.length
        if (key.length > CLIENT_LIMITS.text.most) excess ??= 'text'
        add(Reflect.get(node, key), at === 'root' ? placeOf([key]) : 'inner')
      }
    } else characters += NUMBER_CHARACTERS
  }
  add(value, place)
  return { characters, values, excess }
}

const NUMBER_CHARACTERS = 8

/** Which limit the part of `data` exceeds to which a change adds something. */
function grownPart(data: ClientData, path: readonly unknown[], value: Json): Excess | undefined {
  let node: unknown = data
  for (const [at, key] of path.entries()) {
    const place = placeOf(path.slice(0, at))
    if (Array.isArray(node)) {
      if (typeof key !== 'number') return undefined
      if (key >= 0 && key < node.length) node = node[key]
      else return tooMany(place, true, node.length + (key === EXTEND && isJsonList(value) ? value.length : 1))
    } else if (typeof node === 'object' && node !== null) {
      if (typeof key !== 'string') return undefined
      if (Object.hasOwn(node, key)) node = Reflect.get(node, key)
      else return tooMany(place, false, Object.keys(node).length + 1)
    } else return undefined
  }
  return undefined
}
