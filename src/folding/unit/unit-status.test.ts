import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { pauseReasonText } from './pause-reasons.ts'
import { statusAppearance, unitProgress, unitReason, unitStatus } from './unit-status.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
function iso(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString().replace('.000', '')
}
const later = iso(30)
const earlier = iso(-30)

function client(isFinishing: boolean): ClientData {
  return {
    info: {},
    config: {},
    groups: { '': { config: { paused: false, finish: isFinishing } } },
    units: [],
  }
}

describe('the state that is shown', () => {
  test.each<[string, Unit, boolean, string, string]>([
    ['a plain state', { state: 'RUN' }, false, 'RUN', 'Running'],
    ['waiting before a result', { state: 'RUN', wait: later, result: 'failed' }, true, 'RUN_WAIT', 'Run Wait'],
    [
      'held back rather than waiting: it does not go on when the wait is over',
      { state: 'ASSIGN', wait: later, pause_reason: 'Paused' },
      false,
      'PAUSE',
      'Paused',
    ],
    ['running, whatever wait is left over', { state: 'RUN', pid: 7, wait: later, delay: 512 }, false, 'RUN', 'Running'],
    [
      'finished and held back',
      { state: 'UPLOAD', pause_reason: 'Paused', progress: 0, wu_progress: 1 },
      false,
      'UNSENT',
      'Not Sent',
    ],
    ['a dump under way in a paused group', { state: 'DUMP', pause_reason: 'Paused' }, false, 'DUMP', 'Dumping'],
    ['a wait that is over means nothing', { state: 'UPLOAD', wait: earlier, delay: 8 }, false, 'UPLOAD', 'Uploading'],
    ['waiting in a state without a variant', { state: 'THINK', wait: later }, false, 'WAIT', 'Waiting'],
    ['running in a group that finishes', { state: 'RUN' }, true, 'FINISH', 'Finishing'],
    ['only what runs is finishing', { state: 'DOWNLOAD' }, true, 'DOWNLOAD', 'Downloading'],
    [
      'stopped in RUN is paused, not finishing',
      { state: 'RUN', pause_reason: 'Waiting for idle system' },
      true,
      'PAUSE',
      'Paused',
    ],
    ['paused before its result', { state: 'RUN', pause_reason: 'Paused', result: 'failed' }, false, 'PAUSE', 'Paused'],
    ['the scheduler’s flag alone does not pause', { state: 'RUN', paused: true }, false, 'RUN', 'Running'],
    ['a result before the state', { state: 'UPLOAD', result: 'credited' }, false, 'CREDITED', 'Credited'],
    [
      'the result of a unit that ended while paused',
      { state: 'DUMP', pause_reason: 'Paused', result: 'dumped', end_time: earlier },
      false,
      'DUMPED',
      'Dumped',
    ],
    ['an unknown state', { state: 'Quantum<b>' }, false, 'Quantum<b>', 'Quantum<b>'],
    ['an unknown result', { state: 'RUN', result: 'exploded' }, false, 'exploded', 'exploded'],
    ['no state at all', {}, false, '', '???'],
  ])('%s', (_, unit, isFinishing, key, word) => {
    expect(unitStatus(unit, client(isFinishing), NOW)).toBe(key)
    expect(statusAppearance(key).label).toBe(word)
  })

  test.each(['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'])('%s has a wait variant of its own', state => {
    const key = unitStatus({ state, wait: later }, undefined, NOW)
    expect(key).toBe(`${state}_WAIT`)
    expect(statusAppearance(key)).toMatchObject({
      label: `${state.charAt(0)}${state.slice(1).toLowerCase()} Wait`,
      tone: 'waiting',
      icon: 'wait',
    })
  })

  it('has a label, an icon and a tone for every state [4.2]', () => {
    const words = {
      ASSIGN: ['Assigning', 'assign', 'transfer'],
      DOWNLOAD: ['Downloading', 'download', 'transfer'],
      CORE: ['Core', 'core', 'transfer'],
      RUN: ['Running', 'run', 'running'],
      FINISH: ['Finishing', 'finish', 'finishing'],
      UPLOAD: ['Uploading', 'upload', 'transfer'],
      CLEAN: ['Ended', 'done', 'done'],
      DONE: ['Done', 'done', 'done'],
      WAIT: ['Waiting', 'wait', 'waiting'],
      PAUSE: ['Paused', 'pause', 'paused'],
      UNSENT: ['Not Sent', 'pause', 'paused'],
      DUMP: ['Dumping', 'dump', 'failed'],
      DUMPED: ['Dumped', 'dump', 'failed'],
      EXPIRED: ['Expired', 'fail', 'failed'],
      ABORTED: ['Aborted', 'dump', 'unknown'],
      MISSING: ['Missing Data', 'fail', 'failed'],
      RETRIES: ['Max Retries', 'fail', 'failed'],
      FAILED: ['Failed', 'fail', 'failed'],
      REJECTED: ['Rejected', 'fail', 'failed'],
      CREDITED: ['Credited', 'done', 'done'],
    }
    const seen = Object.keys(words).map(key => [
      key,
      [statusAppearance(key).label, statusAppearance(key).icon, statusAppearance(key).tone],
    ])
    expect(Object.fromEntries(seen)).toEqual(words)
  })

  it('is the same object for the same state, so that nothing is rendered again', () => {
    expect(statusAppearance('RUN')).toBe(statusAppearance('RUN'))
    expect(statusAppearance('')).toBe(statusAppearance(''))
    expect(statusAppearance('constructor')).toMatchObject({ label: 'constructor', tone: 'unknown', icon: 'unknown' })
  })

  it('always has a word', () => {
    const field = fc.option(fc.oneof(fc.string(), fc.constantFrom('RUN', 'credited', later, earlier)), {
      nil: undefined,
    })
    fc.assert(
      fc.property(field, field, field, field, fc.boolean(), (state, result, reason, wait, isFinishing) => {
        const unit = { state, result, pause_reason: reason, wait }
        const fields = Object.fromEntries(Object.entries(unit).filter(([, value]) => value !== undefined))
        expect(statusAppearance(unitStatus(fields, client(isFinishing), NOW)).label).not.toBe('')
      }),
    )
  })
})

describe('the progress that is shown', () => {
  test.each<[string, Unit, number | undefined]>([
    ['the work in RUN', { state: 'RUN', wu_progress: 0.42, progress: 0.9 }, 0.42],
    ['nothing yet in RUN', { state: 'RUN' }, 0],
    ['the transfer in DOWNLOAD', { state: 'DOWNLOAD', progress: 0.106 }, 0.106],
    ['the transfer in UPLOAD, not the finished work', { state: 'UPLOAD', progress: 0.2, wu_progress: 1 }, 0.2],
    ['a transfer that has not begun', { state: 'DOWNLOAD' }, 0],
    ['the finished work while nothing of it was sent', { state: 'UPLOAD', progress: 0, wu_progress: 1 }, 1],
    ['the finished work that is held back', { state: 'UPLOAD', progress: 0, pause_reason: 'Paused' }, 1],
    ...['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'].map((state): [string, Unit, number] => [
      `the elapsed share of the delay in ${state}`,
      { state, progress: 0.4, wait: iso(100), delay: 400, wu_progress: 1 },
      0.75,
    ]),
    ['the finished work while its wait has no delay', { state: 'UPLOAD', progress: 0.4, wait: iso(64) }, 1],
    [
      'not known of a credited unit that reports no work',
      { state: 'UPLOAD', wu_progress: 0, result: 'credited', end_time: earlier },
      undefined,
    ],
    ['the core’s download', { state: 'CORE', progress: 0.3 }, 0.3],
    ['the work of a unit loaded from disk', { state: 'CORE', wu_progress: 0.5, pause_reason: 'Paused' }, 0.5],
    ['no less than nothing of a delay', { state: 'RUN', wait: iso(64), delay: 32 }, 0],
    ['all of a delay of nothing', { state: 'RUN', wait: iso(1), delay: 0 }, 1],
    ['the work while waiting without a delay', { state: 'RUN', wait: iso(8), wu_progress: 0.9 }, 0.9],
    [
      'the work of an ended unit',
      { state: 'UPLOAD', progress: 0.1, wu_progress: 1, result: 'credited', end_time: earlier },
      1,
    ],
    ['never more than everything', { state: 'RUN', wu_progress: 5 }, 1],
    ['unknown without a state', {}, undefined],
  ])('is %s [4.3]', (_, unit, share) => {
    expect(unitProgress(unit, NOW)).toBe(share)
  })
})

describe('why a unit is stopped', () => {
  test.each<[string, Unit, string | undefined]>([
    ['nothing to say while it runs', { state: 'RUN' }, undefined],
    ['a pause', { state: 'RUN', pause_reason: 'Paused' }, 'Paused. Press Fold to resume.'],
    ['an unknown reason', { state: 'RUN', pause_reason: 'Full moon' }, 'Full moon'],
    ['a wait', { state: 'RUN', wait: later }, 'Core stopped.'],
    [
      'a wait with the server’s error',
      { state: 'ASSIGN', wait: later, error: 'No appropriate assignment' },
      'The last answer that came: The project has no work for this hardware and these settings at the moment (No appropriate assignment).',
    ],
    ['a wait in an unknown state', { state: 'X', wait: later }, 'Waiting to continue.'],
    [
      'an error between two attempts',
      { state: 'ASSIGN', error: 'HTTP 503' },
      'Last answer: The server is overloaded or being serviced (HTTP 503)',
    ],
    [
      'an answer to results that is not good',
      { state: 'UPLOAD', result: 'failed', end_time: earlier },
      'The results were sent, and the server did not call them good. They may be credited all the same.',
    ],
    ['an end', { state: 'UPLOAD', result: 'rejected', end_time: earlier }, 'The server rejected the results.'],
  ])('%s', (_, unit, words) => {
    expect(unitReason(unit, undefined, NOW)).toBe(words)
  })

  it('has plain words for every reason that clients give', () => {
    for (const reason of [
      'Paused',
      'Waiting for idle system',
      'Pausing on battery',
      'Waiting for GPU detection',
      'Resources not available',
      'Shutting down',
    ]) {
      expect(pauseReasonText(reason)).toMatch(/^[A-Z].{20,}\.$/)
    }
  })
})
