import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Unit } from '../../protocol/client-data.ts'
import {
  assignedAt,
  coreOf,
  currentPpd,
  deadlineAt,
  deadlineRisk,
  deadlineWarning,
  etaSeconds,
  hasEnded,
  isStale,
  isWorking,
  projectOf,
  rcgOf,
  runTime,
  timeoutAt,
  tpfSeconds,
  unitType,
  waitEnd,
  workShare,
} from './unit-progress.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const iso = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString().replace('.000', '')

/** A unit as a real client sends it while the core runs, 20 minutes into this run. */
const running: Unit = {
  id: '_0CFrRVzVNyOpnqEjnwicLShkoJxPPOn7Pjg_7sVntE',
  number: 22,
  group: '',
  state: 'RUN',
  cpus: 1,
  gpus: [],
  paused: false,
  progress: 0,
  wu_progress: 0.42,
  eta: '2m 40s',
  ppd: 98_765,
  run_time: 3000,
  start_time: iso(-1200),
  assignment: {
    project: 18_422,
    core: { type: '0xaa', url: 'https://localhost/cores/x', sha256: 'd7' },
    ws: 'localhost',
    credit: 14_500,
    time: iso(-86_400),
    timeout: 129_600,
    deadline: 259_200,
  },
  wu: { run: 3, clone: 7, gen: 41, cs: ['127.0.0.1'] },
}

describe('a unit', () => {
  test.each<[Unit, string | undefined]>([
    [{ cpus: 4, gpus: [] }, 'CPU'],
    [{ cpus: 1, gpus: ['gpu:01:00:00'] }, 'GPU'],
    [{ gpus: ['gpu:01:00:00'] }, 'GPU'],
    [{ cpus: 4 }, 'CPU'],
    [{}, undefined],
  ])('%j is of type %s', (unit, type) => {
    expect(unitType(unit)).toBe(type)
  })

  it('works in RUN without a reason to stop and without a wait', () => {
    expect(isWorking(running, NOW)).toBe(true)
    expect(isWorking({ ...running, pause_reason: 'Paused' }, NOW)).toBe(false)
    expect(isWorking({ ...running, pause_reason: '' }, NOW)).toBe(true)
    expect(isWorking({ ...running, wait: iso(5) }, NOW)).toBe(false)
    expect(isWorking({ ...running, wait: iso(-5) }, NOW)).toBe(true)
    expect(isWorking({ ...running, state: 'CORE' }, NOW)).toBe(false)
    expect(isWorking({ ...running, paused: true }, NOW)).toBe(true)
    expect(waitEnd({ wait: iso(5) }, NOW)).toBe(NOW + 5000)
    expect(waitEnd({ wait: 'soon' }, NOW)).toBeUndefined()
  })

  it('makes points only while it works, and reports when its numbers are old', () => {
    const paused = { ...running, pause_reason: 'Paused' }
    const ended: Unit = { ...running, result: 'credited', end_time: iso(-5) }
    expect([running, paused, ended, { state: 'RUN' }].map(unit => currentPpd(unit, NOW))).toEqual([98_765, 0, 0, 0])
    expect([running, paused, ended].map(unit => isStale(unit, NOW))).toEqual([false, true, false])
    expect([running, ended, { result: 'dumped' }, { end_time: iso(0) }].map(hasEnded)).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('reports what it is', () => {
    expect([projectOf(running), coreOf(running), rcgOf(running)]).toEqual([18_422, '0xaa', '3, 7, 41'])
    expect([projectOf({}), coreOf({}), rcgOf({})]).toEqual([undefined, undefined, undefined])
    expect(rcgOf({ wu: { run: 0, clone: 0, gen: 0 } })).toBe('0, 0, 0')
    expect(rcgOf({ wu: { run: 0, clone: 0 } })).toBeUndefined()
    expect(projectOf({ project: 5 })).toBe(5)
  })

  test.each<[Unit, number | undefined]>([
    [running, 0.42],
    [{ state: 'RUN' }, 0],
    [{ state: 'RUN', wu_progress: 1.2 }, 1],
    [{}, undefined],
    [{ state: 'CORE', result: 'expired', end_time: iso(0) }, undefined],
  ])('%# has done a share of its work', (unit, share) => {
    expect(workShare(unit)).toBe(share)
  })
})

describe('run time', () => {
  it('adds the present run to the earlier ones', () => {
    expect(runTime(running, NOW)).toBe(4200)
    expect(runTime({ start_time: iso(-10) }, NOW)).toBe(10)
    expect(runTime({ run_time: 10 }, NOW)).toBe(10)
    expect(runTime({}, NOW)).toBeUndefined()
    expect(runTime({ run_time: -1 }, NOW)).toBeUndefined()
  })

  it('does not run backwards when the clocks differ, nor on after the end', () => {
    expect(runTime({ run_time: 10, start_time: iso(30) }, NOW)).toBe(10)
    expect(runTime({ run_time: 10, start_time: iso(-30), end_time: iso(-5), result: 'credited' }, NOW)).toBe(10)
  })
})

describe('time per frame', () => {
  test.each<[string, Unit, number | undefined]>([
    ['is the average so far', running, 100],
    ['is exact at the end', { run_time: 4000, wu_progress: 1, result: 'credited', end_time: iso(0), eta: '0s' }, 40],
    ['is the client’s estimate before the first percent', { run_time: 50, wu_progress: 0.005, eta: '3m 19s' }, 2],
    ['is the estimate without a run time', { wu_progress: 0.5, eta: '50s' }, 1],
    ['is what a newer client says', { tpf_secs: 12.5, run_time: 4000, wu_progress: 1 }, 12.5],
    [
      'is unknown for a unit that ended early',
      { run_time: 10, result: 'dumped', end_time: iso(0), eta: '5m 0s' },
      undefined,
    ],
    ['is unknown at the beginning', { state: 'RUN', wu_progress: 0 }, undefined],
    ['is unknown without anything', {}, undefined],
    ['ignores an estimate of nothing', { wu_progress: 0, eta: '0s' }, undefined],
  ])('%s', (_, unit, seconds) => {
    const rounded = tpfSeconds(unit, NOW)?.toFixed(6)
    expect(rounded).toBe(seconds?.toFixed(6))
  })

  it('is a positive length of time or unknown, whatever the numbers', () => {
    const unit = fc.record(
      { run_time: fc.double(), wu_progress: fc.double(), eta: fc.constantFrom('', '0s', '5m 3s') },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(unit, some => {
        const seconds = tpfSeconds(some, NOW)
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true)
      }),
    )
  })
})

describe('the deadline', () => {
  const withEta = (eta: string, more: Partial<Unit> = {}): Unit => ({ ...running, eta, ...more })

  it('is counted from the assignment', () => {
    expect([assignedAt(running), timeoutAt(running), deadlineAt(running)]).toEqual([
      NOW - 86_400_000,
      NOW + 43_200_000,
      NOW + 172_800_000,
    ])
    expect([assignedAt({}), timeoutAt({}), deadlineAt({})]).toEqual([undefined, undefined, undefined])
    expect(deadlineAt({ assignment: { time: iso(0), deadline: 0 } })).toBeUndefined()
  })

  test.each<[string, Unit, string]>([
    ['in time', withEta('11h 59m'), 'none'],
    ['after the timeout', withEta('12h 1m'), 'timeout'],
    ['after the deadline', withEta('2d 1h'), 'deadline'],
    ['paused and too late', withEta('3d 0h', { pause_reason: 'Paused' }), 'deadline'],
    ['over', withEta('0s', { assignment: { time: iso(-100), deadline: 99 } }), 'passed'],
    ['over already', withEta('2d 1h', { end_time: iso(0), result: 'credited' }), 'none'],
    ['of a unit without an assignment', { eta: '9d 0h' }, 'none'],
    ['without an estimate', withEta('???'), 'none'],
  ])('warns: %s', (_, unit, risk) => {
    expect(deadlineRisk(unit, NOW)).toBe(risk)
  })

  it('has a warning for every risk', () => {
    expect(deadlineWarning('none')).toBeUndefined()
    expect(deadlineWarning('timeout')).toContain('no bonus')
    expect(deadlineWarning('deadline')).toContain('miss its deadline')
    expect(deadlineWarning('passed')).toContain('has passed')
    expect(etaSeconds(running)).toBe(160)
  })
})
