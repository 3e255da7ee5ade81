/*
 * The energy of one meter: a counter that may begin again, or watts over time. Times are epoch milliseconds.
 */
import { METER_VALID, type MeterReading } from '../../../src/folding/power/draw.ts'
import { MOST_METER_WATTS, type Reading } from './meter-payloads.ts'

/** Energy from `from` until `until`. */
export type Metered = { readonly from: number; readonly until: number; readonly wattHours: number }

export type MeterState = {
  /** The last watts: what the meter said, else of the last two values of its counter. */
  readonly power?: MeterReading | undefined
  readonly saysWatts?: true
  readonly counter?: Counter | undefined
  /** The most watts that it has shown, as far as they are known. */
  readonly peak?: number | undefined
}

/** A value of a counter. */
export type Counter = { readonly wattHours: number; readonly at: number }

const HOUR_MS = 3_600_000
/** Where counters of some meters begin again: 2^32 watt minutes, 2^32 Wh, and powers of ten that displays have. */
const ROLLOVERS = [4_294_967_296 / 60, 4_294_967_296, 1e6, 1e7, 1e8, 1e9]
/** A counter rolls over only from near its end to near its beginning. */
const NEAR = 0.01

/** What a counter has counted while it was not heard is known, but not when; after this time it is nothing. */
export const MOST_BRIDGED = 31 * 24 * HOUR_MS
/** Over a time in which a meter was not heard it may have been exchanged: more than a house draws is not believed. */
const MOST_UNHEARD_WATTS = 20_000

/** Between two values of a counter from which watts follow: what comes together says nothing of how fast it counts. */
const LEAST_APART = 10_000
/** What a meter has shown at most is believed up to here. */
export const MOST_PEAK_WATTS = 20_000

export const NO_METER: MeterState = Object.freeze({})

/**
 * What was counted between two values. Undefined: that cannot be. After a restart of the meter it is at least what it
 * shows; if that is more than it has ever shown in such a time, it is another device.
 */
function countedBetween(before: number, now: number, time: number, peak = 0): number | undefined {
  const end = ROLLOVERS.find(end => before <= end && before >= end * (1 - NEAR) && now <= end * NEAR)
  const counted = now >= before ? now - before : end === undefined ? now : end - before + now
  const isRestart = now < before && end === undefined
  const most = isRestart ? 2 * peak : time > METER_VALID ? Math.max(2 * peak, MOST_UNHEARD_WATTS) : MOST_METER_WATTS
  return counted <= (most * time) / HOUR_MS ? counted : undefined
}

type Told = { readonly state: MeterState; readonly metered: Metered | undefined }

/**
 * A meter after a reading, and the energy that it tells of: of the counter, if there is one; else of the watts until now.
 * Time in which watts were not said is a gap; a counter goes on meanwhile.
 */
export function afterReading(state: MeterState, reading: Reading, at: number): Told {
  const { watts, wattHours } = reading
  const { power, counter } = state
  const said: MeterState =
    watts === undefined ? state : { ...withPeak(state, watts), power: { watts, at }, saysWatts: true }
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

function withPeak(state: MeterState, watts: number): MeterState {
  const shown = Math.min(watts, MOST_PEAK_WATTS)
  return shown > (state.peak ?? 0) ? { ...state, peak: shown } : state
}

function afterCount(state: MeterState, wattHours: number, at: number): Told {
  const { counter } = state
  const time = counter === undefined ? 0 : at - counter.at
  if (counter === undefined || time < 0 || time > MOST_BRIDGED)
    return { state: { ...state, counter: { wattHours, at } }, metered: undefined }
  if (time < LEAST_APART) return { state, metered: undefined }
  const counted = countedBetween(counter.wattHours, wattHours, time, state.peak)
  const next = { ...state, counter: { wattHours, at } }
  if (counted === undefined) return { state: next, metered: undefined }
  const watts = (counted * HOUR_MS) / time
  return {
    state:
      time > METER_VALID
        ? next
        : { ...withPeak(next, watts), ...(state.saysWatts === true ? {} : { power: { watts, at } }) },
    metered: { from: counter.at, until: at, wattHours: counted },
  }
}
