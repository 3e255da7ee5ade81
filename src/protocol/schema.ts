import * as v from 'valibot'
import { numberMarks, textMarks, type MarkedNumber, type MarkedText } from './personal-fields.ts'

/**
 * The building blocks of all schemas. Every field is optional; unknown fields are kept. Texts and numbers say whom they
 * identify: without such a mark they are no entry of an object.
 */

export function personalText(identity: MarkedText['identity']): MarkedText {
  return { ...v.string(), identity }
}
function markedNumber(identity: MarkedNumber['identity']): MarkedNumber {
  return { ...v.number(), identity }
}
export const plainText = personalText('nobody')
export const plainNumber = markedNumber('nobody')

export const field = v.exactOptional
export function personalField(identity: MarkedText['identity']) {
  return field(personalText(identity))
}
export function personalNumberField(identity: MarkedNumber['identity']) {
  return field(markedNumber(identity))
}
export const plainField = field(plainText)
export const numberField = field(plainNumber)
export const flagField = field(v.boolean())
export const textsField = field(v.array(plainText))

/** What an entry of an object may be. */
type Marked =
  | MarkedText
  | MarkedNumber
  | v.BooleanSchema<undefined>
  | v.LiteralSchema<string, undefined>
  | { readonly type: 'loose_object' }
  | { readonly type: 'record'; readonly value: Marked }
  | { readonly type: 'array'; readonly item: Marked }
  | { readonly type: 'exact_optional'; readonly wrapped: Marked }
type WithMarks<E> = { readonly [Name in keyof E]: E[Name] extends Marked ? E[Name] : Marked }

// Valibot accepts lists as objects; these schemas do not.
function withoutLists<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
      schema['~run'](Array.isArray(dataset.value) ? { ...dataset, value: null } : dataset, config),
  }
}

function isText(schema: v.GenericSchema): schema is MarkedText {
  return schema.type === 'string' && 'identity' in schema
}
function isNumber(schema: v.GenericSchema): schema is MarkedNumber {
  return schema.type === 'number' && 'identity' in schema
}
function isField(schema: v.GenericSchema): schema is v.ExactOptionalSchema<v.GenericSchema, undefined> {
  return schema.type === 'exact_optional'
}

function add<Mark>(marks: Map<string, Set<Mark>>, name: string, mark: Mark): void {
  marks.set(name, (marks.get(name) ?? new Set()).add(mark))
}

export function object<const E extends v.ObjectEntries>(entries: E & WithMarks<E>) {
  for (const [name, entry] of Object.entries<v.GenericSchema>(entries)) {
    const schema = isField(entry) ? entry.wrapped : entry
    if (isText(schema)) add(textMarks, name, schema.identity)
    else if (isNumber(schema)) add(numberMarks, name, schema.identity)
  }
  return withoutLists(v.looseObject<E>(entries))
}

export function record<const S extends v.GenericSchema & Marked>(item: S) {
  return withoutLists(v.record(v.string(), item))
}
