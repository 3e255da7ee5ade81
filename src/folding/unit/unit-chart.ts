/*
 * What a chart of a unit shows: progress and points per day as they were seen, what interrupted the work, and what is ahead.
 */
import type { Sample } from '../account/series.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
import { endOf } from './history.ts'
import { hasEnded, isWorking } from './unit-meaning.ts'
import { assignedAt, deadlineAt, readyAt, timeoutAt } from './unit-progress.ts'
import {
  interruptionsOf,
  setBacksOf,
  type Interruption,
  type Moment,
  type SetBack,
  type UnitRecord,
} from './unit-record.ts'

export type ChartLimit = { readonly at: number; readonly kind: 'end' | 'expected' | 'timeout' | 'deadline' }

export type UnitChart = {
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly progress: readonly Sample[]
  readonly ppd: readonly Sample[]
  /** What was measured of its hardware; `name`: the last one. */
  readonly input: { readonly name: string; readonly samples: readonly Sample[] } | undefined
  readonly interruptions: readonly Interruption[]
  readonly setBacks: readonly SetBack[]
  /** Those within the chart, in order. */
  readonly limits: readonly ChartLimit[]
}

/** With an empty sample in each gap. */
function samplesOf(moments: readonly Moment[], valueOf: (moment: Moment) => number | undefined): readonly Sample[] {
  return moments.flatMap((moment, at): readonly Sample[] => {
    const before = moments[at - 1]
    const sample = { at: moment.at, value: valueOf(moment) }
    return moment.isAfterGap === true && before !== undefined
      ? [{ at: (before.at + moment.at) / 2, value: undefined }, sample]
      : [sample]
  })
}

/** The number of moments until it last had points per day: what a unit does after its work has none. */
function workedUntil({ moments }: UnitRecord): number {
  return moments.findLastIndex(({ ppd }) => ppd > 0) + 1
}

/** A limit is in the chart when that makes it at most so many times as long. */
const MOST_STRETCH = 1.6

/** `now`: on the client's clock. Undefined while nothing was seen that makes a line. */
export function unitChart(record: UnitRecord | undefined, unit: Unit, now: number): UnitChart | undefined {
  const [first, last] = [record?.moments[0], record?.moments.at(-1)]
  if (record === undefined || first === undefined || last === undefined || first === last) return undefined
  const ended = endOf(unit)
  const from = Math.min(assignedAt(unit) ?? first.at, first.at)
  const ready = !hasEnded(unit) && isWorking(unit, now) ? readyAt(unit, now) : undefined
  const until = Math.max(last.at, ended ?? ready ?? last.at)
  const limits = [
    { at: ended, kind: 'end' },
    { at: ready, kind: 'expected' },
    { at: timeoutAt(unit), kind: 'timeout' },
    { at: deadlineAt(unit), kind: 'deadline' },
  ] as const
  const shown = limits
    .flatMap(({ at, kind }): readonly ChartLimit[] =>
      at === undefined || at < from || at > from + (until - from) * MOST_STRETCH ? [] : [{ at, kind }],
    )
    .sort((a, b) => a.at - b.at)
  const before: readonly Interruption[] = from < first.at ? [{ from, to: first.at, status: undefined }] : []
  const after: readonly Interruption[] =
    ended !== undefined && ended > last.at ? [{ from: last.at, to: ended, status: undefined }] : []
  const name = record.moments.findLast(({ input }) => input !== undefined)?.input?.name
  return {
    from,
    to: Math.max(until, ...shown.map(({ at }) => at)),
    progress: samplesOf(record.moments, ({ progress }) => progress),
    ppd: samplesOf(
      record.moments.slice(0, ended === undefined ? undefined : workedUntil(record) || undefined),
      ({ ppd }) => ppd,
    ),
    input:
      name === undefined
        ? undefined
        : { name, samples: samplesOf(record.moments, ({ input }) => (input?.name === name ? input.value : undefined)) },
    interruptions: [...before, ...interruptionsOf(record), ...after],
    setBacks: setBacksOf(record),
    limits: shown,
  }
}
