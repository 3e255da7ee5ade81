import type { ActorLink } from '../../../journal/links.ts'

/** A value inside another one, as a line of an outline. */
export type ValueNode = {
  /** Where it is, as a JSON Pointer (RFC 6901). */
  readonly id: string
  readonly name: string
  /** The value itself, or how much is in it. */
  readonly text: string
  readonly isBranch: boolean
  /** Those that are to be shown: none of a branch that is closed. */
  readonly children: readonly ValueNode[]
  /** What is copied. */
  readonly value: unknown
}

/** More are not looked at in one search. */
const MOST = 20_000
const DEEPEST = 12

type Kinds = {
  readonly Map: ReadonlyMap<unknown, unknown>
  readonly Set: ReadonlySet<unknown>
  readonly Error: Error
  readonly ActorLink: ActorLink
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)

/** By what it says of itself, not by its class: in a window of its own, the inspector is given values of the page. */
const isA = <Name extends keyof Kinds>(name: Name, value: unknown): value is Kinds[Name] => tagOf(value) === name

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

type Inside = readonly (readonly [name: string, value: unknown])[]

/**
 * The lines below a value. Without words, what is inside of `opened`; with words, all whose name or text has them and
 * what leads there. `clean` takes secrets out of texts.
 */
export const valueTree = (
  value: unknown,
  opened: ReadonlySet<string>,
  words: string,
  clean: (text: string) => string,
): readonly ValueNode[] => {
  const wanted = words.trim().toLowerCase()
  let visited = 0
  const nodesIn = (outer: unknown, path: string, depth: number): readonly ValueNode[] =>
    (insideOf(outer) ?? []).flatMap(([name, inner]) => {
      if (visited++ > MOST) return []
      const id = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const inside = insideOf(inner)
      const isBranch = inside !== undefined && inside.length > 0 && depth < DEEPEST
      const text = inside === undefined ? clean(leafWords(inner)) : countWords(inner, inside.length)
      const isHit = wanted !== '' && `${name} ${inside === undefined ? text : ''}`.toLowerCase().includes(wanted)
      const children = isBranch && (wanted !== '' || opened.has(id)) ? nodesIn(inner, id, depth + 1) : []
      if (wanted !== '' && !isHit && children.length === 0) return []
      return [{ id, name, text, isBranch, children, value: inner }]
    })
  return nodesIn(value, '', 0)
}

/** Ids of all that have something below them in the tree. */
export const branchesOf = (nodes: readonly ValueNode[]): readonly string[] =>
  nodes.flatMap(({ id, children }) => (children.length === 0 ? [] : [id, ...branchesOf(children)]))

/** As JSON, as far as JSON goes. */
export const copyOf = (value: unknown, clean: (text: string) => string): string => {
  if (typeof value === 'string') return clean(value)
  const plain = (_: string, part: unknown): unknown => {
    if (isA('Map', part)) return Object.fromEntries(part)
    if (isA('Set', part)) return [...part]
    if (isA('Error', part)) return { name: part.name, message: part.message }
    return ArrayBuffer.isView(part) ? `${part.constructor.name} of ${part.byteLength} bytes` : part
  }
  // Of a function or undefined there is no JSON, whatever the type says.
  const json: unknown = JSON.stringify(value, plain, 2)
  return clean(typeof json === 'string' ? json : String(value))
}

const insideOf = (value: unknown): Inside | undefined => {
  if (
    typeof value !== 'object' ||
    value === null ||
    isA('ActorLink', value) ||
    isA('Error', value) ||
    ArrayBuffer.isView(value)
  )
    return undefined
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item])
  if (isA('Map', value)) return [...value].map(([key, item]) => [String(key), item])
  if (isA('Set', value)) return [...value].map((item: unknown, index) => [String(index), item])
  return isPlain(value) ? Object.entries(value) : undefined
}

const countWords = (value: unknown, count: number): string =>
  Array.isArray(value)
    ? `[${count}]`
    : isA('Map', value)
      ? `map of ${count}`
      : isA('Set', value)
        ? `set of ${count}`
        : `{${count}}`

const LONGEST = 300

const leafWords = (value: unknown): string => {
  if (typeof value === 'string') return value.length > LONGEST ? `“${value.slice(0, LONGEST)}…”` : `“${value}”`
  if (isA('ActorLink', value)) return `→ ${value.address === '' ? 'app' : value.address}`
  if (isA('Error', value)) return `${value.name}: ${value.message}`
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`
  return typeof value === 'object' && value !== null ? tagOf(value) : String(value)
}
