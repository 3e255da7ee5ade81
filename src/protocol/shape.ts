import * as v from 'valibot'
import type { Fault, ReportFault } from './fault.ts'
import { type Json, type JsonObject, isJsonList, isJsonObject } from './json.ts'

/** A schema indexed by key, to find the type of the value at a path quickly. `schema` validates composite values. */
export type Shape =
  | { readonly kind: 'text' | 'number' | 'flag' | 'open'; readonly schema: v.GenericSchema }
  | {
      readonly kind: 'object'
      readonly schema: v.GenericSchema
      readonly fields: ReadonlyMap<string, Shape>
      readonly aliases: ReadonlyMap<string, string>
    }
  | { readonly kind: 'record' | 'list'; readonly schema: v.GenericSchema; readonly item: Shape }

type AnyObject = v.LooseObjectSchema<v.ObjectEntries, undefined>
type AnyRecord = v.RecordSchema<v.StringSchema<undefined>, v.GenericSchema, undefined>
type AnyList = v.ArraySchema<v.GenericSchema, undefined>
type AnyField = v.ExactOptionalSchema<v.GenericSchema, undefined>

function isObject(schema: v.GenericSchema): schema is AnyObject {
  return schema.type === 'loose_object'
}
function isRecord(schema: v.GenericSchema): schema is AnyRecord {
  return schema.type === 'record'
}
function isList(schema: v.GenericSchema): schema is AnyList {
  return schema.type === 'array'
}
function isField(schema: v.GenericSchema): schema is AnyField {
  return schema.type === 'exact_optional'
}

const LEAVES: Readonly<Record<string, 'text' | 'number' | 'flag'>> = {
  string: 'text',
  number: 'number',
  boolean: 'flag',
}

export function shapeOf(schema: v.GenericSchema): Shape {
  if (isField(schema)) return shapeOf(schema.wrapped)
  if (isRecord(schema)) return { kind: 'record', schema, item: shapeOf(schema.value) }
  if (isList(schema)) return { kind: 'list', schema, item: shapeOf(schema.item) }
  if (!isObject(schema)) return { kind: LEAVES[schema.type] ?? 'open', schema }
  const fields = new Map<string, Shape>()
  for (const [key, entry] of Object.entries(schema.entries)) fields.set(key, shapeOf(entry))
  return { kind: 'object', schema, fields, aliases: aliasesOf([...fields.keys()]) }
}

// Older clients write the schema's keys with a hyphen. Names of groups, GPUs and units are never changed.
const MAX_ALIAS = 16

function aliasesOf(keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    keys.filter(key => key.includes('_') && key.length <= MAX_ALIAS).map(key => [key.replace('_', '-'), key]),
  )
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

export const kindNames: Readonly<Record<Shape['kind'], string>> = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  open: 'anything',
  object: 'object',
  record: 'object',
  list: 'list',
}

/** Renames aliased keys to the schema's spelling; the same value when nothing changes. */
export function normalizeKeys(value: Json, shape: Shape): Json {
  if (shape.kind === 'list' && isJsonList(value)) {
    const items = value.map(item => normalizeKeys(item, shape.item))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if ((shape.kind !== 'object' && shape.kind !== 'record') || !isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const name = shape.kind === 'object' ? spelling(key, shape.aliases, value) : key
    const inner = shape.kind === 'object' ? shape.fields.get(name) : shape.item
    return [name, inner ? normalizeKeys(item, inner) : item]
  })
  return entries.every(([name, item]) => value[name] === item) ? value : Object.fromEntries(entries)
}

function spelling(key: string, aliases: ReadonlyMap<string, string>, owner: JsonObject): string {
  const name = aliases.get(key)
  return name === undefined || Object.hasOwn(owner, name) ? key : name
}

/**
 * Fits a value to the schema. Parts of a wrong type are reported and left out; in lists of objects they are replaced by an
 * empty object, so that indexes stay valid. `undefined` when nothing is usable.
 */
export function fitToSchema<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  at: readonly (string | number)[],
  report: ReportFault,
): v.InferInput<S> | undefined {
  if (v.is(schema, value)) return value
  const repaired: unknown = structuredClone(value)
  // Leaving out a required field makes its parent invalid, which is then left out in the next round.
  for (let round = 0; round < 4; round++) {
    // From the last issue to the first, so that the indexes before a removed item stay valid.
    for (const issue of (v.safeParse(schema, repaired).issues ?? []).toReversed()) {
      const path = pathOf(issue)
      report(wrongType([...at, ...path], issue.expected ?? 'a value', valueAt(repaired, path)))
      if (!dropPart(repaired, path, issue.expected === 'Object')) return undefined
    }
    if (v.is(schema, repaired)) return repaired
  }
  return undefined
}

/** A schema's first issue as a fault. */
export function firstFault(schema: v.GenericSchema, value: unknown): Fault {
  const [issue] = v.safeParse(schema, value).issues ?? []
  const path = issue ? pathOf(issue) : []
  return wrongType(path, issue?.expected ?? 'a value', valueAt(value, path))
}

const TYPE_NAMES: Readonly<Record<string, string>> = { Object: 'object', Array: 'list' }

export function wrongType(path: readonly (string | number)[], expected: string, found: unknown): Fault {
  return {
    kind: 'wrong-type',
    path,
    expected: TYPE_NAMES[expected] ?? expected,
    found: kindOf(found),
  }
}

function pathOf(issue: v.BaseIssue<unknown>): readonly (string | number)[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(
    (node, key) => (typeof node === 'object' && node !== null ? (Reflect.get(node, key) as unknown) : undefined),
    root,
  )
}

function dropPart(root: unknown, path: readonly (string | number)[], wantsObject: boolean): boolean {
  const last = path.at(-1)
  const owner = valueAt(root, path.slice(0, -1))
  if (typeof owner !== 'object' || owner === null || last === undefined) return false
  if (!Array.isArray(owner))
    return Object.hasOwn(owner, last) ? Reflect.deleteProperty(owner, last) : dropPart(root, path.slice(0, -1), false)
  if (wantsObject) owner[Number(last)] = {}
  else owner.splice(Number(last), 1)
  return true
}
