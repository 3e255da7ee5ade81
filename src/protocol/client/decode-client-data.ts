import { clientDataSchema, type ClientData } from './client-data.ts'
import type { ReportFault } from '../fault.ts'
import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.ts'
import { fitToSchema, kindOf, normalizeKeys, shapeOf, wrongType } from '../shape.ts'

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
  if (isJsonList(whole['units'])) whole['units'] = whole['units'].map(withTextEta)
  return fitToSchema(clientDataSchema, normalizeKeys(whole, dataShape), [], report)
}

/** A unit with its time left as text: 8.4.0 and 8.4.1 send seconds (docs/protocol.md §12). */
export function withTextEta(unit: Json): Json {
  return isJsonObject(unit) && typeof unit['eta'] === 'number' ? { ...unit, eta: etaText(unit['eta']) } : unit
}

export function etaText(seconds: number): string {
  return `${seconds}s`
}

function partOf(part: (typeof CLIENT_DATA_PARTS)[number], value: Json | undefined, report: ReportFault): Json {
  const empty: Json = part === 'units' ? [] : {}
  if (value === undefined || kindOf(value) === kindOf(empty)) return value ?? empty
  report(wrongType([part], kindOf(empty), value))
  return empty
}
