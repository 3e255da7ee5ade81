/*
 * The energy of one meter: a counter that may begin again, or watts over time. Times are epoch milliseconds.
 */
import { METER_VALID, type MeterReading } from '../../src/folding/power/draw.ts'
import { MOST_METER_WATTS, type Reading } from './meter-payloads.ts'

/** Energy from `from` until `until`. */
export type Metered = { readonly from: number; readonly until: number; readonly wattHours: number }

export type MeterState = {
  /** The last watts: what the meter said, else of the last two values of its counter. */
  readonly power?: MeterReading | undefined
  readonly saysWatts?: true
  readonly counter?: { readonly wattHours: number; readonly at: number } | undefined
}

const HOUR_MS = 3_600_000
/** Where counters of some meters begin again: 2^32 watt minutes, 2^32 Wh, and powers of ten that displays have. */
const ROLLOVERS = [4_294_967_296 / 60, 4_294_967_296, 1e6, 1e7, 1e8, 1e9]
/** A counter rolls over only from near its end to near its beginning. */
const NEAR = 0.01

/** A counter that was not heard for longer says nothing of when its energy was used. */
const MOST_BRIDGED = 24 * HOUR_MS

export const NO_METER: MeterState = Object.freeze({})

/** What was counted between two values: after a restart of the meter at least what it shows. Undefined: that cannot be. */
const countedBetween = (before: number, now: number, time: number): number | undefined => {
  const most = (MOST_METER_WATTS * Math.max(time, 1000)) / HOUR_MS
  const end = ROLLOVERS.find(end => before <= end && before >= end * (1 - NEAR) && now <= end * NEAR)
  const counted = now >= before ? now - before : end === undefined ? now : end - before + now
  return counted <= most ? counted : undefined
}

type Told = { readonly state: MeterState; readonly metered: Metered | undefined }

/**
 * A meter after a reading, and the energy that it tells of: of the counter, if there is one; else of the watts until now.
 * Time in which watts were not said is a gap; a counter goes on meanwhile.
 */
export const afterReading = (state: MeterState, reading: Reading, at: number): Told => {
  const { watts, wattHours } = reading
  const { power, counter } = state
  const said: MeterState = watts === undefined ? state : { ...state, power: { watts, at }, saysWatts: true }
  if (wattHours !== undefined) return afterCount(said, wattHours, at)
  const time = power === undefined ? 0 : at - power.at
  if (watts === undefined || power === undefined || counter !== undefined || time <= 0 || time > METER_VALID)
    return { state: said, metered: undefined }
  // What is fed in is no energy that is used.
  return {
    state: said,
    metered: { from: power.at, until: at, wattHours: (Math.max(0, power.watts) * time) / HOUR_MS },
  }
}

const afterCount = (state: MeterState, wattHours: number, at: number): Told => {
  const { counter } = state
  const time = counter === undefined ? 0 : at - counter.at
  if (counter === undefined || time < 0 || time > MOST_BRIDGED)
    return { state: { ...state, counter: { wattHours, at } }, metered: undefined }
  if (time === 0) return { state, metered: undefined }
  const counted = countedBetween(counter.wattHours, wattHours, time)
  const next = { ...state, counter: { wattHours, at } }
  if (counted === undefined) return { state: next, metered: undefined }
  return {
    state:
      state.saysWatts === true || time > METER_VALID
        ? next
        : { ...next, power: { watts: (counted * HOUR_MS) / time, at } },
    metered: { from: counter.at, until: at, wattHours: counted },
  }
}
