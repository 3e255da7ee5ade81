import * as v from 'valibot'
import { decodeAs } from './api.ts'
import type { Result } from './fault.ts'
import type { Json } from './json.ts'
import { object, text, textField } from './schema.ts'

/** A library in the built page, from licenses.json, which the build makes. */
export type License = v.InferOutput<typeof license>

const license = object({
  name: text,
  version: textField,
  /** Of the license, as in 'MIT'. */
  identifier: textField,
  /** The license itself. */
  text: textField,
})

export const decodeLicenses = (json: Json): Result<readonly License[]> => decodeAs(v.array(license), json)
