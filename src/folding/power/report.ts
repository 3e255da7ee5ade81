/*
 * What a server knows of power besides the settings: the answers of its API, which are checked against these schemas.
 */
import type { Immutable } from 'immer'
import * as v from 'valibot'
import { energyRecord, usedFields } from './energy.ts'
import { MOST_WATTS } from './power.ts'
import { NO_LISTS, priceInterval } from './price.ts'

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

export type PowerReport = Immutable<v.InferOutput<typeof powerReport>>

export const NO_REPORT: PowerReport = Object.freeze({
  lists: NO_LISTS,
  meters: Object.freeze({}),
  records: Object.freeze({}),
  house: Object.freeze([]),
  houseRecord: Object.freeze([]),
})

const clientName = v.pipe(v.string(), v.maxLength(200))
/** `from` and `until`: ISO 8601. */
const energyOfTime = v.object({
  machine: v.pipe(clientName, v.description('The machine’s own id; empty for the meters of the house')),
  from: v.string(),
  until: v.string(),
  ...usedFields,
  seconds: v.pipe(usedFields.seconds, v.description('Of that time, what is known')),
  cost: v.pipe(usedFields.cost, v.description('Of `pricedWattHours`')),
  grams: v.pipe(usedFields.grams, v.description('Of CO₂, of `gradedWattHours`')),
})
export const energyAnswer = v.object({ energy: v.array(energyOfTime) })
