import { clientDataSchema, type ClientData } from './client-data.ts'
import type { ReportFault } from './fault.ts'
import type { Json, JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { fitToSchema, kindOf, normalizeKeys, shapeOf, wrongType } from './shape.ts'

export const dataShape = shapeOf(clientDataSchema)

export const CLIENT_DATA_PARTS = ['info', 'config', 'groups', 'units'] as const

/**
 * What a client reports about itself, without its streams. `undefined`, with the reason reported, without `info`: every
 * client's first message has it.
 */
export function decodeClientData(content: JsonObject, report: ReportFault): ClientData | undefined {
  const { log: _log, wus: _wus, viz: _viz, ...rest } = content
  if (!isJsonObject(rest['info'])) {
    report(wrongType(['info'], 'object', rest['info']))
    return undefined
  }
  const whole: Record<string, Json> = { ...rest }
  for (const part of CLIENT_DATA_PARTS) whole[part] = partOf(part, rest[part], report)
  return fitToSchema(clientDataSchema, normalizeKeys(whole, dataShape), [], report)
}

function partOf(part: (typeof CLIENT_DATA_PARTS)[number], value: Json | undefined, report: ReportFault): Json {
  const empty: Json = part === 'units' ? [] : {}
  if (value === undefined || kindOf(value) === kindOf(empty)) return value ?? empty
  report(wrongType([part], kindOf(empty), value))
  return empty
}
