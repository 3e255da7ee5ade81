import { isJsonList } from '../../src/protocol/json.ts'
import type { Json } from '../../src/protocol/json.ts'

/** These read values whose types the client has set itself. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: Json | undefined, otherwise = 0): number =>
  typeof value === 'number' ? value : otherwise

export const textsOf = (value: Json | undefined): readonly string[] =>
  value !== undefined && isJsonList(value) ? value.filter(each => typeof each === 'string') : []
