/*
 * What a server tells of power by its API.
 */
import * as v from 'valibot'
import type { powerReport } from './report.ts'

const name = v.pipe(v.string(), v.maxLength(200))
const amount = v.pipe(v.number(), v.finite())

const segment = v.object({
  machine: v.pipe(name, v.description('The machine’s own id; empty for the meters of the house')),
  from: v.string(),
  until: v.string(),
  seconds: v.pipe(amount, v.description('Of that time, what is known')),
  wattHours: amount,
  points: amount,
  cost: v.pipe(amount, v.description('Of `pricedWattHours`')),
  pricedWattHours: amount,
  grams: v.pipe(amount, v.description('Of CO₂, of `gradedWattHours`')),
  gradedWattHours: amount,
  origin: v.nullable(v.picklist(['measured', 'entered', 'guess'])),
})

export const energyAnswer = v.object({ energy: v.array(segment) })

export type PowerAnswer = v.InferOutput<typeof powerReport>
