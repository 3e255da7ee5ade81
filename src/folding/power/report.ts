/*
 * What a server knows of power besides the settings: the answer of its API, which is checked against this schema.
 */
import * as v from 'valibot'
import { energyRecord, type EnergyRecord } from './energy.ts'
import type { MeterReading } from './draw.ts'
import { MOST_WATTS } from './power.ts'
import { NO_LISTS, priceInterval, type PriceContext } from './price.ts'

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const meter = v.object({
  watts: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MOST_WATTS)),
  /** Epoch milliseconds. */
  at: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

const houseMeter = v.object({
  name: v.string(),
  /** Below zero while more is fed in than used. */
  watts: v.nullable(v.pipe(v.number(), v.finite())),
  at: v.nullable(v.pipe(v.number(), v.finite())),
})

/** `lists`: prices by the input that they came by, in order. `meters` and `records`: by the client's key. */
export const powerReport = v.object({
  lists: v.record(name, v.pipe(v.array(priceInterval), v.maxLength(100_000))),
  meters: v.record(name, meter),
  records: v.record(name, energyRecord),
  house: v.pipe(
    v.array(houseMeter),
    v.maxLength(1000),
    v.description('Meters of the settings that measure no single machine'),
  ),
  houseRecord: v.pipe(energyRecord, v.description('What they measured together, as `records`')),
})

export type PowerReport = {
  readonly lists: PriceContext['lists']
  readonly meters: Readonly<Record<string, MeterReading>>
  readonly records: Readonly<Record<string, EnergyRecord>>
  readonly house: readonly v.InferOutput<typeof houseMeter>[]
  readonly houseRecord: EnergyRecord
}

export const NO_REPORT: PowerReport = Object.freeze({
  lists: NO_LISTS,
  meters: Object.freeze({}),
  records: Object.freeze({}),
  house: Object.freeze([]),
  houseRecord: Object.freeze([]),
})
