import { isJsonList, type Json } from '../../../src/protocol/json.ts'

/** These read values whose types the client has set itself. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: Json | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise
}

export function textsOf(value: Json | undefined): readonly string[] {
  return value !== undefined && isJsonList(value) ? value.filter(each => typeof each === 'string') : []
}
