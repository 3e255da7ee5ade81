import { t } from '@lingui/core/macro'
import { ActorLink, isLinked, linked } from './links.ts'
import { noRenaming, type Rename } from './pseudonyms.ts'

/** How values of a class or type that JSON lacks are written and restored. */
export type Kind = {
  readonly name: string
  readonly matches: (value: object) => boolean
  /** For values without a `toJSON` method. */
  readonly toJson?: (value: object) => unknown
  readonly fromJson: (json: unknown) => object
}

/** Maximum nesting of a recording. */
const MAX_DEPTH = 100

export class UnreadableRecording extends Error {}

/**
 * A value as JSON. Objects stay objects; everything else is a list that begins with its kind: `['a', 1, 2]` a list,
 * `['u']` undefined, `['n', 'NaN']` a number, `['m', key, value …]` a map, `['s', …]` a set, `['f', base64]` a
 * Float32Array, `['y', base64]` and `['w', base64]` elements and bonds of a molecule (Uint8Array, Uint32Array), `['l', address]` an actor, `['e', name, message]` an error, `['k', name, json]` one of `kinds`. Other values become undefined.
 */
export function encode(value: unknown, kinds: readonly Kind[], rename: Rename = noRenaming): unknown {
  const write = (part: unknown, key?: string, owner?: object): unknown => {
    if (typeof part === 'string') return rename.text(part, key)
    if (typeof part === 'number')
      return Number.isFinite(part) && !Object.is(part, -0)
        ? rename.number(part, key, owner)
        : ['n', Object.is(part, -0) ? '-0' : String(part)]
    if (typeof part === 'boolean' || part === null) return part
    if (typeof part !== 'object') return ['u']
    const kind = kinds.find(({ matches }) => matches(part))
    if (kind !== undefined) return ['k', kind.name, write((kind.toJson ?? jsonOf)(part))]
    if (Array.isArray(part)) return ['a', ...part.map(item => write(item, key))]
    if (part instanceof Map) return ['m', ...[...part].flat().map(item => write(item))]
    if (part instanceof Set) return ['s', ...[...part].map(item => write(item))]
    if (part instanceof Float32Array) return ['f', bytesToText(part)]
    // Other bytes may be texts, in which no name could be replaced.
    if (part instanceof Uint8Array && key === 'elements') return ['y', bytesToText(part)]
    if (part instanceof Uint32Array && key === 'bonds') return ['w', bytesToText(part)]
    if (part instanceof ActorLink) return ['l', rename.text(part.address)]
    if (part instanceof Error) return ['e', part.name, rename.text(part.message)]
    if (ArrayBuffer.isView(part)) return ['u']
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [rename.text(name), write(item, name, part)]))
  }
  return write(value)
}

/** Reverses `encode`. Throws `UnreadableRecording` for anything that `encode` does not write. */
export function decode(json: unknown, kinds: readonly Kind[]): unknown {
  const read = (part: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new UnreadableRecording(t`The recording is nested too deeply.`)
    if (typeof part !== 'object' || part === null) return part
    if (!Array.isArray(part)) return readObject(part, depth)
    const [tag, ...rest] = part as unknown[]
    const items = (): unknown[] => rest.map(item => read(item, depth + 1))
    switch (tag) {
      case 'a':
        return markLinked(items())
      case 'u':
        return undefined
      case 'n':
        return Number(textOf(rest[0]))
      case 'm':
        return linkedMap(pairsOf(items()))
      case 's':
        return new Set(items())
      case 'f':
        return new Float32Array(textToBytes(textOf(rest[0]), 4))
      case 'y':
        return new Uint8Array(textToBytes(textOf(rest[0]), 1))
      case 'w':
        return new Uint32Array(textToBytes(textOf(rest[0]), 4))
      case 'l':
        return new ActorLink(textOf(rest[0]))
      case 'e':
        return Object.assign(new Error(textOf(rest[1])), { name: textOf(rest[0]), stack: '' })
      case 'k':
        return restored(textOf(rest[0]), read(rest[1], depth + 1))
      default:
        throw new UnreadableRecording(t`The recording has a value of an unknown kind.`)
    }
  }
  const readObject = (part: object, depth: number): object => {
    const copy: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(part)) {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype')
        throw new UnreadableRecording(t`The recording has an unsafe property name.`)
      copy[key] = read(item, depth + 1)
    }
    return markLinked(copy)
  }
  const restored = (name: string, value: unknown): object => {
    const kind = kinds.find(candidate => candidate.name === name)
    if (kind === undefined) throw new UnreadableRecording(t`The recording has a value of an unknown kind.`)
    return kind.fromJson(value)
  }
  return read(json, 0)
}

/** Registers a list, an object or a map that contains a link. `parts`: of it. */
function markLinked<Value extends object>(value: Value, parts: Iterable<unknown> = Object.values(value)): Value {
  if ([...parts].some(isLinked)) linked.add(value)
  return value
}

function linkedMap(pairs: Iterable<readonly [unknown, unknown]>): Map<unknown, unknown> {
  const map = new Map(pairs)
  return markLinked(map, map.values())
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new UnreadableRecording(t`A string is missing.`)
  return value
}

function pairsOf(items: readonly unknown[]): readonly (readonly [unknown, unknown])[] {
  return items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1]] as const] : []))
}

function jsonOf(value: object): unknown {
  return (value as { toJSON: () => unknown }).toJSON()
}

const CHUNK = 0x80_00

function bytesToText({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

/** `size`: bytes of one number. */
function textToBytes(text: string, size: number): ArrayBuffer {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new UnreadableRecording(t`A list of numbers is damaged.`)
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
  if (bytes.length % size !== 0) throw new UnreadableRecording(t`A list of numbers is damaged.`)
  return bytes.buffer
}
