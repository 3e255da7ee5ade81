/*
 * What units used, from when they ran: clients keep their last units, so this covers the time when no page was open. It
 * is an estimate: a unit counts as if it ran without a pause until its end, at the watts that are known now. Time in
 * which nothing ran is not known, since the machine may have been off.
 */
import type { ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { runningSpanOf, spanOf } from '../fleet/ppd-history.ts'
import { positive } from '../shared/read.ts'
import { endOf } from '../unit/history.ts'
import { drawOfUnit, drawOfUnits } from './draw.ts'
import { NOTHING_USED, plus, usedBy, type EnergyRecord, type Rates, type Sample, type Used } from './energy.ts'
import type { Origin, PowerProfile } from './power.ts'

/** `ppd`: 0 for units that were not credited. Epoch milliseconds. */
export type UnitRun = { readonly unit: Unit; readonly from: number; readonly until: number; readonly ppd: number }

const LONGEST_RUN = 120 * 86_400_000
const runs = new WeakMap<Unit, UnitRun | null>()

/** When a unit ran that ended; undefined where that is not known. */
export function endedRun(unit: Unit): UnitRun | undefined {
  let run = runs.get(unit)
  if (run === undefined) runs.set(unit, (run = runOf(unit)))
  return run ?? undefined
}

function runOf(unit: Unit): UnitRun | null {
  const span = spanOf(unit)
  if (span !== undefined) return { unit, from: span.from, until: span.to, ppd: span.ppd }
  const until = endOf(unit)
  const ran = (positive(unit.run_time) ?? 0) * 1000
  return until === undefined || ran === 0 || ran > LONGEST_RUN ? null : { unit, from: until - ran, until, ppd: 0 }
}

/** When a unit ran so far whose core runs. `now`: on the client's clock. */
export function runningRun(unit: Unit, now: number): UnitRun | undefined {
  const span = runningSpanOf(unit, now)
  return span === undefined ? undefined : { unit, from: span.from, until: span.to, ppd: span.ppd }
}

/** What a machine drew while units ran on it, in order; without time of which a figure is missing. */
export function samplesOfRuns(
  all: readonly UnitRun[],
  info: ClientInfo | undefined,
  profile: PowerProfile,
): readonly Sample[] {
  const edges = all.flatMap(run => [
    { at: run.from, run, isStart: true },
    { at: run.until, run, isStart: false },
  ])
  edges.sort((a, b) => a.at - b.at)
  const active = new Set<UnitRun>()
  const samples: Sample[] = []
  let from = -Infinity
  for (const { at, run, isStart } of edges) {
    if (at > from && active.size > 0) samples.push(...sampleOf([...active], { from, until: at }, info, profile))
    if (isStart) active.add(run)
    else active.delete(run)
    from = at
  }
  return samples
}

function sampleOf(
  active: readonly UnitRun[],
  time: { readonly from: number; readonly until: number },
  info: ClientInfo | undefined,
  profile: PowerProfile,
): readonly Sample[] {
  const { watts, origin } = drawOfUnits(
    active.map(({ unit }) => unit),
    info,
    profile,
  )
  if (watts === undefined || origin === undefined) return []
  return [{ ...time, watts, origin, ppd: active.reduce((sum, { ppd }) => sum + ppd, 0) }]
}

/** The parts of samples for which a record has nothing: what was measured or noted counts in their place. */
export function outsideOf(record: EnergyRecord, samples: readonly Sample[]): readonly Sample[] {
  if (record.length === 0) return samples
  return samples.flatMap(sample => {
    const parts: Sample[] = []
    let from = sample.from
    for (const entry of record) {
      if (entry.until <= from || entry.from >= sample.until) continue
      if (entry.from > from) parts.push({ ...sample, from, until: entry.from })
      from = Math.max(from, entry.until)
    }
    return from < sample.until ? [...parts, { ...sample, from }] : parts
  })
}

/** What samples used from `from` until `until`. */
export function usedBySamples(samples: readonly Sample[], from: number, until: number, rates: Rates): Used {
  let sum = NOTHING_USED
  for (const sample of samples)
    if (sample.from < until && sample.until > from)
      sum = plus(
        sum,
        usedBy({ ...sample, from: Math.max(from, sample.from), until: Math.min(until, sample.until) }, rates),
      )
  return sum
}

/** What a unit alone used, without what its machine draws idle; undefined where its watts are not known. */
export function sampleOfRun(
  { unit, from, until, ppd }: UnitRun,
  info: ClientInfo | undefined,
  profile: PowerProfile,
): Sample | undefined {
  const { watts, origin } = drawOfUnit(unit, info, profile)
  return watts === undefined || origin === undefined ? undefined : { from, until, watts, origin, ppd }
}

/** Points per kilowatt hour. `origin`: of the watts that it follows from. */
export type Efficiency = { readonly pointsPerKwh: number; readonly origin: Origin }

/** Of points per day and watts that are as they are; undefined without watts. */
export function efficiencyOf(
  ppd: number,
  { watts, origin }: { readonly watts: number | undefined; readonly origin: Origin | undefined },
): Efficiency | undefined {
  return watts === undefined || watts <= 0 || origin === undefined
    ? undefined
    : { pointsPerKwh: (ppd / (watts * 24)) * 1000, origin }
}
