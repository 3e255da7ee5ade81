import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import {
  assignedAt,
  coreOf,
  currentPpd,
  deadlineAt,
  deadlineRisk,
  deadlineWarning,
  etaSeconds,
  isComplete,
  isGuess,
  ppdOf,
  unknownEta,
  isStale,
  projectOf,
  rcgOf,
  runTime,
  timeLeft,
  timeoutAt,
  tpfSeconds,
  unitType,
  workShare,
} from './unit-progress.ts'
import { hasEnded, isWorking } from './unit-meaning.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
function iso(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString().replace('.000', '')
}

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
  eta: '1h 36m',
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
    expect(isWorking({ ...running, wait: iso(5) }, NOW)).toBe(true)
    expect(isWorking({ state: 'RUN', wait: iso(5) }, NOW)).toBe(false)
    expect(isWorking({ ...running, wait: iso(-5) }, NOW)).toBe(true)
    expect(isWorking({ ...running, state: 'CORE' }, NOW)).toBe(false)
    expect(isWorking({ ...running, paused: true }, NOW)).toBe(true)
  })

  it('makes points only while it works, and reports when its numbers are old', () => {
    const paused = { ...running, pause_reason: 'Paused' }
    const ended: Unit = { ...running, result: 'credited', end_time: iso(-5) }
    expect([running, paused, ended, { state: 'RUN' }].map(unit => currentPpd(unit, NOW))).toEqual([98_765, 0, 0, 0])
    expect([running, paused, ended].map(unit => isStale(unit, NOW))).toEqual([false, true, false])
    expect([running, ended, { result: 'dumped' }, { end_time: iso(0) }].filter(hasEnded)).toEqual([ended])
  })

  it('reports what it is', () => {
    expect(projectOf(running)).toBe(18_422)
    expect(coreOf(running)).toBe('0xaa')
    expect(rcgOf(running)).toBe('3, 7, 41')
    expect(projectOf({})).toBeUndefined()
    expect(coreOf({})).toBeUndefined()
    expect(rcgOf({})).toBeUndefined()
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

describe('a computer that slept', () => {
  /** Ten hours since the start, of which it slept eight; at half of the work, two hours are left. */
  const slept: Unit = { state: 'RUN', pid: 7, run_time: 0, start_time: iso(-36_000), wu_progress: 0.5, eta: '2h 0m' }

  it('has the time per frame and the run time that its progress and ETA tell', () => {
    expect(tpfSeconds(slept, NOW)).toBe(144)
    expect(runTime(slept, NOW)).toBe(7200)
  })

  it('has a run time also when its clock is ahead, so that the run begins in the future', () => {
    const ahead = { ...slept, start_time: iso(3600) }
    expect(tpfSeconds(ahead, NOW)).toBe(144)
    expect(runTime(ahead, NOW)).toBe(7200)
  })

  it('never has less run time than its earlier runs, and rounding is no contradiction', () => {
    expect(runTime({ ...slept, run_time: 9000 }, NOW)).toBe(9000)
    expect(runTime({ ...slept, start_time: iso(-7500) }, NOW)).toBe(7500)
    // Four seconds may be three or five.
    expect(runTime({ ...slept, wu_progress: 0.925, eta: '4s', start_time: iso(-38) }, NOW)).toBe(38)
  })

  it('and any other: time per frame, run time and time left agree while it runs', () => {
    const share = fc.integer({ min: 10, max: 990 }).map(thousandths => thousandths / 1000)
    fc.assert(
      fc.property(share, fc.nat(500_000), fc.integer({ min: 60, max: 500_000 }), (done, since, left) => {
        const unit: Unit = {
          state: 'RUN',
          pid: 1,
          run_time: 0,
          start_time: iso(-since),
          wu_progress: done,
          eta: `${left}s`,
        }
        const ratio = ((tpfSeconds(unit, NOW) ?? 0) * (1 - done) * 100) / left
        expect(ratio).toBeGreaterThan(1 / 1.3)
        expect(ratio).toBeLessThan(1.3)
        expect((runTime(unit, NOW) ?? 0) / ((tpfSeconds(unit, NOW) ?? 0) * done * 100)).toBeCloseTo(1, 6)
      }),
    )
  })
})

describe('an odd estimate', () => {
  const odd = (eta: string): Unit => ({ ...running, eta })

  test.each([['-1d -3h'], ['24855d -3h'], ['24855d'], ['']])('%j is not known', eta => {
    expect(etaSeconds(odd(eta))).toBeUndefined()
    expect(unknownEta(odd(eta))).toBeUndefined()
    expect(deadlineRisk(odd(eta), NOW)).toBe('none')
  })

  it('is taken where it means something, and another word is shown as it is', () => {
    expect(['1y 20d', '2 hours 03 mins'].map(eta => etaSeconds(odd(eta)))).toEqual([33_264_000, 7380])
    expect(unknownEta(odd('eta-soon'))).toBe('eta-soon')
  })

  it('of the first percent, or a guess before the core reports, warns of nothing', () => {
    const early = { ...running, eta: '1y 20d', wu_progress: 0.004 }
    expect(deadlineRisk(early, NOW)).toBe('none')
    expect(isGuess(early, NOW)).toBe(true)
    const guessed = [{ ...running, wu_progress: 0 }, { state: 'RUN' }, { state: 'CORE' }, running]
    expect(guessed.map(unit => isGuess(unit, NOW))).toEqual([true, true, false, false])
    expect(tpfSeconds({ state: 'RUN', pid: 1, eta: '3h 0m' }, NOW)).toBeUndefined()
  })
})

describe('an ended unit', () => {
  const ended = (part: Partial<Unit>): Unit => ({ state: 'UPLOAD', result: 'credited', end_time: iso(-5), ...part })

  it('has no time left, whatever its last estimate was', () => {
    expect(['1s', '3h 0m'].map(eta => timeLeft(ended({ eta }), NOW))).toEqual([undefined, undefined])
    expect(unknownEta(ended({ eta: 'eta-soon' }))).toBeUndefined()
  })

  it('that reports no progress or points did not report them, and is complete when it was credited', () => {
    const none = ended({ wu_progress: 0, ppd: 0 })
    expect(workShare(none)).toBeUndefined()
    expect(ppdOf(none)).toBeUndefined()
    expect(isComplete(none)).toBe(true)
    const dumped = ended({ result: 'dumped', wu_progress: 0, ppd: 0 })
    expect(workShare(dumped)).toBe(0)
    expect(ppdOf(dumped)).toBeUndefined()
    expect(isComplete(dumped)).toBe(false)
  })
})

describe('the deadline', () => {
  const withEta = (eta: string, more: Partial<Unit> = {}): Unit => ({ ...running, eta, ...more })

  it('is counted from the assignment', () => {
    expect(assignedAt(running)).toEqual(NOW - 86_400_000)
    expect(timeoutAt(running)).toEqual(NOW + 43_200_000)
    expect(deadlineAt(running)).toEqual(NOW + 172_800_000)
    expect(assignedAt({})).toBeUndefined()
    expect(timeoutAt({})).toBeUndefined()
    expect(deadlineAt({})).toBeUndefined()
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
  ])('warns: %s [12.10]', (_, unit, risk) => {
    expect(deadlineRisk(unit, NOW)).toBe(risk)
  })

  it('has a warning for every risk', () => {
    expect(deadlineWarning('none')).toBeUndefined()
    expect(deadlineWarning('timeout')).toContain('no bonus')
    expect(deadlineWarning('deadline')).toContain('miss its deadline')
    expect(deadlineWarning('passed')).toContain('has passed')
    expect(etaSeconds(running)).toBe(5760)
  })
})
