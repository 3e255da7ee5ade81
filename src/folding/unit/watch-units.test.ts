import { describe, expect, it } from 'vitest'
import { emptyRecord, evolveRecord } from '../../machines/connection/client/client.reducer.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { decodeClientMessage } from '../../protocol/client/client-message.ts'
import { finishesOf } from '../fleet/finishes.ts'
import { runningSpanOf } from '../fleet/ppd-history.ts'
import { formatIso } from '../text/times.ts'
import { UNIT_COLUMNS } from './unit-columns.ts'
import { expectedPoints } from './unit-earnings.ts'
import { deadlineRisk, isGuess, isPpdGuess, runTime, speedOf, timeLeft, tpfSeconds } from './unit-progress.ts'
import type { SpeedBasis } from './watched.ts'
import { watchUnits, type Watch } from './watch-units.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

type Watching = {
  /** Share of the work when the watch begins, and seconds per frame from then on. */
  readonly share: number
  readonly tpf: number
  readonly minutes: number
  readonly part?: (at: number, share: number) => Unit
  /** Milliseconds between two messages; else one for each thousandth. */
  readonly step?: number
}

/** A unit at NOW, after it was watched for so long. */
function watched({ share, tpf, minutes, part = () => ({}), step = tpf * 100 }: Watching) {
  let watch: Watch | undefined
  let data: ClientData = { info: {}, config: {}, groups: {}, units: [] }
  for (let at = NOW - minutes * MINUTE; at <= NOW; at += step) {
    const done = Math.round((share + (at - NOW + minutes * MINUTE) / SECOND / tpf / 100) * 1000) / 1000
    data = { ...data, units: [{ id: 'x', state: 'RUN', pid: 7, wu_progress: done, ppd: 9000, ...part(at, done) }] }
    watch = watchUnits(watch, data, at)
  }
  const [unit = {}] = data.units
  return { data, unit }
}

function cells(unit: Unit, data: ClientData): readonly string[] {
  const context = { machine: 'm', data, now: NOW }
  return UNIT_COLUMNS.filter(({ name }) => ['TPF', 'ETA', 'Run Time'].includes(name)).map(
    column => `${column.text(unit, context)}${column.isStale?.(unit, context) === true ? ' (marked)' : ''}`,
  )
}

/** Began three hours ago; the work server expects an hour in all, from which the client computes its ETA. */
function expected(_: number, share: number): Unit {
  return {
    start_time: formatIso(NOW - 3 * HOUR),
    eta: `${Math.round((1 - share) * 60)}m 0s`,
    wu: { estimate: 3600 },
    assignment: { time: formatIso(NOW - 3 * HOUR), credit: 1000, timeout: 5 * 3600, deadline: 9 * 3600 },
  }
}

describe('what was watched decides', () => {
  it('that a unit takes longer than its work server expected', () => {
    const { unit, data } = watched({ share: 0.4, tpf: 270, minutes: 45, part: expected })
    expect(cells(unit, data)).toEqual(['3h 45m', '4m 30s', '3h 0m'])
    expect(isGuess(unit, NOW)).toBe(false)
    expect(isPpdGuess(unit, NOW)).toBe(true)
    expect(deadlineRisk(unit, NOW)).toBe('timeout')
    expect(finishesOf({ id: 'm', isDirect: true, isConnected: true, data }, NOW)[0]?.at).toBe(NOW + 3.75 * HOUR)
    expect(runningSpanOf(unit, NOW)?.from).toBe(NOW - 3 * HOUR)
    expect(expectedPoints(unit, data, NOW)).toBeUndefined()
  })

  it('that the computer slept', () => {
    const { unit, data } = watched({ share: 0.2, tpf: 36, minutes: 18, part: expected })
    expect(cells(unit, data)).toEqual(['30m 0s', '36s', '30m 0s'])
    expect(isGuess(unit, NOW)).toBe(false)
    expect(isPpdGuess(unit, NOW)).toBe(false)
    expect(deadlineRisk(unit, NOW)).toBe('none')
    const begun = runningSpanOf(unit, NOW)?.from ?? 0
    expect(Math.abs(NOW - 0.5 * HOUR - begun)).toBeLessThan(MINUTE)
    expect(expectedPoints(unit, data, NOW)).toBeGreaterThan(0)
  })

  it('neither, while too little was watched', () => {
    const { unit, data } = watched({ share: 0.49, tpf: 270, minutes: 4.5, part: expected })
    expect(cells(unit, data)).toEqual([expect.stringMatching(/ \(marked\)$/), '3m 36s', '3h 0m'])
    expect(isGuess(unit, NOW)).toBe(true)
    expect(isPpdGuess(unit, NOW)).toBe(true)
    expect(deadlineRisk(unit, NOW)).toBe('none')
  })

  it('how fast a unit is now, where its average is another', () => {
    const ten = { start_time: formatIso(NOW - 10 * HOUR), run_time: 0, eta: '10h 0m' }
    const { unit } = watched({ share: 0.4, tpf: 180, minutes: 30, part: () => ten })
    const figures = [tpfSeconds(unit, NOW), timeLeft(unit, NOW), runTime(unit, NOW)]
    expect(figures.map(seconds => Math.round(seconds ?? 0))).toEqual([180, 9000, 36_000])
    expect(isGuess(unit, NOW)).toBe(false)
    expect(isPpdGuess(unit, NOW)).toBe(false)
  })
})

describe('the speed that a person chose', () => {
  /** Ten frames of a minute, then the last three of 2, 3 and 4 minutes. */
  const speed = (basis: SpeedBasis | undefined) => {
    const minutes = [...Array.from({ length: 10 }, () => 1), 2, 3, 4]
    let [at, watch, unit]: [number, Watch | undefined, Unit] = [NOW - 19 * MINUTE, undefined, {}]
    for (const [index, step] of [0, ...minutes].entries())
      for (const part of index === 0 ? [0] : [0.5, 1]) {
        at += (step * MINUTE) / (index === 0 ? 1 : 2)
        const share = (20 + index - 1 + part) / 100
        unit = { id: 'x', state: 'RUN', pid: 7, start_time: formatIso(NOW - 30 * MINUTE), wu_progress: share }
        watch = watchUnits(watch, { info: {}, config: {}, groups: {}, units: [unit] }, at, basis)
      }
    const { seconds = 0, by } = speedOf(unit, at) ?? {}
    return [Math.round(seconds), by]
  }

  it.each<readonly [SpeedBasis | undefined, number, SpeedBasis]>([
    ['last', 240, 'last'],
    ['three', 180, 'three'],
    ['all', 55, 'all'],
    ['usual', 108, 'usual'],
    [undefined, 108, 'usual'],
  ])('is by the frames of %s', (basis, seconds, by) => {
    expect(speed(basis)).toEqual([seconds, by])
  })

  it('is that of late until the last frames were seen', () => {
    const { unit } = watched({ share: 0.2, tpf: 36, minutes: 18 })
    expect(speedOf(unit, NOW)?.by).toBe('usual')
    expect(speedOf({ state: 'RUN', wu_progress: 0.5, eta: '1h 0m' }, NOW)).toEqual({ seconds: 72, by: undefined })
  })
})

describe('a watch begins anew', () => {
  const measuredTpf = (more: Partial<Watching>) =>
    tpfSeconds(watched({ share: 0.2, tpf: 36, minutes: 18, ...more }).unit, NOW)

  it('not while messages come', () => {
    expect(measuredTpf({})).toBeCloseTo(36, 5)
  })

  it('not in the record of a client, in which full states and changes follow each other', () => {
    const full = (share: number) =>
      JSON.stringify({
        ...{ info: {}, config: {}, groups: {} },
        units: [{ id: 'x', state: 'RUN', pid: 7, wu_progress: share }],
      })
    let record = emptyRecord
    for (let step = 0; step <= 7; step++) {
      const share = 0.3 + step / 100
      const message = step % 4 === 0 ? full(share) : JSON.stringify(['units', 0, 'wu_progress', share])
      record = evolveRecord(record, decodeClientMessage(message), NOW + step * MINUTE)
    }
    expect(tpfSeconds(record.data?.units[0] ?? {}, NOW)).toBeCloseTo(60, 5)
  })

  it('after silence', () => {
    expect(measuredTpf({ step: 3 * MINUTE })).toBeUndefined()
  })

  it('with each start of the core, and while it does not run', () => {
    expect(measuredTpf({ part: at => ({ start_time: formatIso(at - (at % (2 * MINUTE))), run_time: 1 }) })).not.toBe(36)
    expect(
      measuredTpf({ part: at => (Math.abs(NOW - 2 * MINUTE - at) < 5 * SECOND ? { pause_reason: 'Paused' } : {}) }),
    ).toBeUndefined()
  })

  it('from an earlier checkpoint', () => {
    expect(
      measuredTpf({ part: (at, share) => ({ wu_progress: share - (at > NOW - 2 * MINUTE ? 0.3 : 0) }) }),
    ).toBeUndefined()
  })
})
