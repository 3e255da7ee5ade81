/*
 * What the meters of a house say, beside the sum of the machines. Time that they did not measure is a gap, and a share is
 * only told of time that both know.
 */
import { wattsOfMeters } from './draw.ts'
import { NOTHING_USED, plus, sumOf, type Used } from './energy.ts'
import type { EnergyDay, FleetEnergy } from './fleet-energy.ts'
import type { PowerReport } from './report.ts'

/** A day counts as measured when no more than this of it is missing: samples are taken once a minute. */
const MOST_MISSING = 0.05

/** `knownShare`: the part of the time that was measured, from 0 to 1. `share`: of the machines; undefined where that is not known. */
export type HouseTime = { readonly used: Used; readonly knownShare: number; readonly share: number | undefined }

/** `watts`: undefined while one of the meters is silent; below zero while more is fed in. `at`: when it was last heard. */
export type HouseEnergy = {
  readonly watts: number | undefined
  readonly at: number | undefined
  readonly share: number | undefined
  readonly today: HouseTime
  readonly month: HouseTime
}

/** Undefined where no meter measures the house. */
export function houseEnergy(
  { house, houseRecord }: Pick<PowerReport, 'house' | 'houseRecord'>,
  fleet: FleetEnergy,
  days: readonly EnergyDay[],
  now: number,
): HouseEnergy | undefined {
  if (house.length === 0 && houseRecord.length === 0) return undefined
  const readings = house.map(({ watts, at }) => (watts === null || at === null ? undefined : { watts, at }))
  const watts = wattsOfMeters(readings, now)
  const last = readings.map(each => each?.at ?? -Infinity)
  const at = Math.min(...last)
  const month = days.at(-1)?.date.slice(0, 7) ?? ''
  const timeOf = (isOf: (day: EnergyDay, index: number) => boolean): HouseTime =>
    timeOfDays(
      days.flatMap((day, index) =>
        isOf(day, index) ? [{ ...day, end: Math.min(day.end, now), machines: fleet.byDay[index] ?? NOTHING_USED }] : [],
      ),
      houseRecord,
    )
  return {
    watts,
    at: Number.isFinite(at) ? at : undefined,
    share: fleet.unknown > 0 ? undefined : shareOf(fleet.now.watts, watts),
    today: timeOf((_, index) => index === days.length - 1),
    month: timeOf(({ date }) => date.startsWith(month)),
  }
}

type ComparedDay = { readonly begin: number; readonly end: number; readonly machines: Used }

function timeOfDays(days: readonly ComparedDay[], record: PowerReport['houseRecord']): HouseTime {
  let [used, machines, compared, elapsed] = [NOTHING_USED, 0, 0, 0]
  for (const { begin, end, machines: machinesEnergy } of days) {
    const day = sumOf(record, begin, end)
    used = plus(used, day)
    elapsed += end - begin
    if (day.seconds * 1000 < (end - begin) * (1 - MOST_MISSING)) continue
    machines += machinesEnergy.wattHours
    compared += day.wattHours
  }
  return {
    used,
    knownShare: elapsed > 0 ? Math.min(1, (used.seconds * 1000) / elapsed) : 0,
    share: shareOf(machines, compared),
  }
}

/** A house that feeds in draws nothing of which something could be a share. */
function shareOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : part / whole
}
