import * as v from 'valibot'

/** The building blocks of all schemas. Every field is optional; unknown fields are kept. */

export const text = v.string()

export const field = v.exactOptional
export const textField = field(v.string())
export const numberField = field(v.number())
export const flagField = field(v.boolean())
export const textsField = field(v.array(v.string()))

// Valibot accepts lists as objects; these schemas do not.
const withoutLists = <S extends v.GenericSchema>(schema: S): S => ({
  ...schema,
  '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
    schema['~run'](Array.isArray(dataset.value) ? { ...dataset, value: null } : dataset, config),
})

export const object = <const E extends v.ObjectEntries>(entries: E) => withoutLists(v.looseObject(entries))

export const record = <const S extends v.GenericSchema>(item: S) => withoutLists(v.record(v.string(), item))
