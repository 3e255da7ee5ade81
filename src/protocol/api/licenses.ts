import * as v from 'valibot'
import { decodeAs } from './api.ts'
import type { Result } from '../fault.ts'
import type { Json } from '../json.ts'
import { object, plainField, plainText } from '../schema.ts'

/** A library in the built page, from licenses.json, which the build makes. */
export type License = v.InferOutput<typeof license>

const license = object({
  name: plainText,
  version: plainField,
  /** Of the license, as in 'MIT'. */
  identifier: plainField,
  /** The license itself. */
  text: plainField,
})

export function decodeLicenses(json: Json): Result<readonly License[]> {
  return decodeAs(v.array(license), json)
}
