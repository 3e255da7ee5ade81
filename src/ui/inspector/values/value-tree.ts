import type { ActorLink } from '../../../journal/links.ts'

/** A nested value, as a row of the tree. */
export type ValueNode = {
  /** JSON Pointer (RFC 6901). */
  readonly id: string
  readonly name: string
  /** The value, or the number of its entries. */
  readonly text: string
  readonly isBranch: boolean
  /** Empty for a collapsed branch. */
  readonly children: readonly ValueNode[]
  readonly value: unknown
}

/** Limit of values visited in one search. */
const MOST = 20_000
const DEEPEST = 12

type Kinds = {
  readonly Map: ReadonlyMap<unknown, unknown>
  readonly Set: ReadonlySet<unknown>
  readonly Error: Error
  readonly ActorLink: ActorLink
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** By `Symbol.toStringTag`, since `instanceof` fails for values from another window. */
function isA<Name extends keyof Kinds>(name: Name, value: unknown): value is Kinds[Name] {
  return tagOf(value) === name
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

type Entries = readonly (readonly [name: string, value: unknown])[]

/**
 * The rows below a value. Without a query, the entries of `opened` branches; with a query, the values whose name or text
 * contains it, and their ancestors. `clean` masks secrets.
 */
export function valueTree(
  value: unknown,
  opened: ReadonlySet<string>,
  query: string,
  clean: (text: string) => string,
): readonly ValueNode[] {
  const wanted = query.trim().toLowerCase()
  let visited = 0
  const nodesIn = (outer: unknown, path: string, depth: number): readonly ValueNode[] =>
    (entriesOf(outer) ?? []).flatMap(([name, inner]) => {
      if (visited++ > MOST) return []
      const id = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const inside = entriesOf(inner)
      const isBranch = inside !== undefined && inside.length > 0 && depth < DEEPEST
      const text = inside === undefined ? clean(leafText(inner)) : countText(inner, inside.length)
      const isHit = wanted !== '' && `${name} ${inside === undefined ? text : ''}`.toLowerCase().includes(wanted)
      const children = isBranch && (wanted !== '' || opened.has(id)) ? nodesIn(inner, id, depth + 1) : []
      if (wanted !== '' && !isHit && children.length === 0) return []
      return [{ id, name, text, isBranch, children, value: inner }]
    })
  return nodesIn(value, '', 0)
}

/** Ids of all expanded branches. */
export function branchesOf(nodes: readonly ValueNode[]): readonly string[] {
  return nodes.flatMap(({ id, children }) => (children.length === 0 ? [] : [id, ...branchesOf(children)]))
}

/** The value as JSON, with replacements for what JSON cannot hold. */
export function copyOf(value: unknown, clean: (text: string) => string): string {
  if (typeof value === 'string') return clean(value)
  const plain = (_: string, part: unknown): unknown => {
    if (isA('Map', part)) return Object.fromEntries(part)
    if (isA('Set', part)) return [...part]
    if (isA('Error', part)) return { name: part.name, message: part.message }
    return ArrayBuffer.isView(part) ? `${part.constructor.name} of ${part.byteLength} bytes` : part
  }
  // `JSON.stringify` gives undefined for functions and undefined, which its type leaves out.
  const json: unknown = JSON.stringify(value, plain, 2)
  return clean(typeof json === 'string' ? json : String(value))
}

function entriesOf(value: unknown): Entries | undefined {
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

function countText(value: unknown, count: number): string {
  return Array.isArray(value)
    ? `[${count}]`
    : isA('Map', value)
      ? `map of ${count}`
      : isA('Set', value)
        ? `set of ${count}`
        : `{${count}}`
}

const LONGEST = 300

function leafText(value: unknown): string {
  if (typeof value === 'string') return value.length > LONGEST ? `“${value.slice(0, LONGEST)}…”` : `“${value}”`
  if (isA('ActorLink', value)) return `→ ${value.address === '' ? 'app' : value.address}`
  if (isA('Error', value)) return `${value.name}: ${value.message}`
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`
  return typeof value === 'object' && value !== null ? tagOf(value) : String(value)
}
