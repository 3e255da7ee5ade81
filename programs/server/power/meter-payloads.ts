/*
 * What meters of energy send, as their makers document it: Shelly's first generation, the later ones, Tasmota, Home
 * Assistant, and values at a path of any JSON. A message that is not understood says nothing.
 */
import { parsedJson } from '../../../src/folding/shared/read.ts'
import { numberOf, valueAt } from '../values.ts'

export const METER_KINDS = ['shelly', 'shelly-plus', 'tasmota', 'home-assistant', 'value'] as const
export type MeterKind = (typeof METER_KINDS)[number]

export const METER_UNITS = ['W', 'kW', 'Wmin', 'Wh', 'kWh', 'MWh'] as const
export type MeterUnit = (typeof METER_UNITS)[number]

/** `wattHours`: of a counter that only grows, until it begins again. */
export type Reading = { readonly watts?: number | undefined; readonly wattHours?: number | undefined }

export type MeterFormat = {
  readonly kind: MeterKind
  readonly topic: string
  /** Of kind `value`: where the value is in a message of JSON. */
  readonly path?: string | undefined
  /** Where messages do not say it. */
  readonly unit: MeterUnit
}

const MOST_BYTES = 262_144
/** A meter behind a house has some ten thousand watts, and shows what is fed in as less than zero. */
export const MOST_METER_WATTS = 1_000_000
/** Counters of whole companies. */
const MOST_WATT_HOURS = 1e12

const FACTORS: Readonly<Record<MeterUnit, number>> = { W: 1, kW: 1000, Wmin: 1 / 60, Wh: 1, kWh: 1000, MWh: 1e6 }
function isPower(unit: MeterUnit): boolean {
  return unit === 'W' || unit === 'kW'
}
function isUnit(value: unknown): value is MeterUnit {
  return METER_UNITS.some(unit => unit === value)
}

function watts(value: unknown, factor = 1): number | undefined {
  const number = numberOf(value)
  return number === undefined || Math.abs(number * factor) > MOST_METER_WATTS ? undefined : number * factor
}

function wattHours(value: unknown, factor = 1): number | undefined {
  const number = numberOf(value)
  return number === undefined || number < 0 || number * factor > MOST_WATT_HOURS ? undefined : number * factor
}

function inUnit(value: unknown, unit: MeterUnit): Reading {
  return isPower(unit) ? { watts: watts(value, FACTORS[unit]) } : { wattHours: wattHours(value, FACTORS[unit]) }
}

/** A value, or the sum of those of several channels. */
function sumOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const numbers = value.slice(0, 16).map(numberOf)
  return numbers.reduce<number | undefined>(
    (sum, number) => (sum === undefined || number === undefined ? undefined : sum + number),
    0,
  )
}

/** https://shelly-api-docs.shelly.cloud/gen1: `relay/0/power` in watts, `relay/0/energy` in watt minutes; `emeter/0/total` in Wh. */
function shelly(message: string, base: string, topic: string): Reading {
  switch (topic.slice(base.length + 1)) {
    case 'power':
      return { watts: watts(message) }
    case 'energy':
      return base.includes('/emeter/') ? {} : { wattHours: wattHours(message, FACTORS.Wmin) }
    case 'total':
      return { wattHours: wattHours(message) }
    default:
      return {}
  }
}

/** https://shelly-api-docs.shelly.cloud/gen2: status of Switch and PM1 (`apower`, `aenergy.total` in Wh), EM and EMData. */
function shellyPlus(json: unknown): Reading {
  return {
    watts: watts(valueAt(json, 'apower') ?? valueAt(json, 'total_act_power') ?? valueAt(json, 'act_power')),
    wattHours: wattHours(
      valueAt(json, 'aenergy.total') ?? valueAt(json, 'total_act') ?? valueAt(json, 'total_act_energy'),
    ),
  }
}

/** https://tasmota.github.io/docs/MQTT: `tele/<topic>/SENSOR`, with a list for several channels. */
function tasmota(json: unknown): Reading {
  const energy = valueAt(json, 'ENERGY') ?? valueAt(json, 'StatusSNS.ENERGY')
  return {
    watts: watts(sumOf(valueAt(energy, 'Power'))),
    wattHours: wattHours(sumOf(valueAt(energy, 'Total')), FACTORS.kWh),
  }
}

/** https://developers.home-assistant.io/docs/api/rest: a state with its unit; on MQTT usually the value alone. */
function homeAssistant(json: unknown, unit: MeterUnit): Reading {
  const reportedUnit = valueAt(json, 'attributes.unit_of_measurement')
  const state = valueAt(json, 'state')
  return inUnit(state ?? json, isUnit(reportedUnit) ? reportedUnit : unit)
}

/** What a message says; undefined for one that says nothing. */
export function readingOf(
  { kind, topic: base, path, unit }: MeterFormat,
  topic: string,
  payload: Uint8Array,
): Reading | undefined {
  if (payload.length > MOST_BYTES) return undefined
  const text = textOfPayload(payload)
  return kind === 'shelly'
    ? nonEmptyReading(shelly(text, base, topic))
    : readingOfValue({ kind, path, unit }, jsonOf(payload) ?? text)
}

/** As `readingOf`, of what a program sends. */
export function readingOfValue(
  { kind, path, unit }: Pick<MeterFormat, 'kind' | 'path' | 'unit'>,
  value: unknown,
): Reading | undefined {
  switch (kind) {
    case 'shelly':
      return nonEmptyReading({
        watts: watts(valueAt(value, 'power')),
        wattHours: wattHours(valueAt(value, 'total'), FACTORS.Wmin),
      })
    case 'shelly-plus':
      return nonEmptyReading(shellyPlus(value))
    case 'tasmota':
      return nonEmptyReading(tasmota(value))
    case 'home-assistant':
      return nonEmptyReading(homeAssistant(value, unit))
    case 'value':
      return nonEmptyReading(inUnit(path === undefined ? value : valueAt(value, path), unit))
  }
}

function nonEmptyReading(reading: Reading): Reading | undefined {
  return reading.watts === undefined && reading.wattHours === undefined ? undefined : reading
}

function textOfPayload(payload: Uint8Array): string {
  return Buffer.from(payload).toString('utf8')
}

/** Undefined for what is no JSON. */
export function jsonOf(payload: Uint8Array): unknown {
  return parsedJson(textOfPayload(payload))
}

/** The topics that have the values of a meter. */
export function topicsOf({ kind, topic }: Pick<MeterFormat, 'kind' | 'topic'>): readonly string[] {
  return kind === 'shelly' ? [`${topic}/power`, `${topic}/energy`, `${topic}/total`] : [topic]
}
