import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  interruptionsOf,
  MOST_RECORDS,
  readRecord,
  recordKey,
  setBacksOf,
  withMoment,
  withSeen,
  type Moment,
  type UnitRecord,
} from './unit-record.ts'

const START = Date.UTC(2026, 10, 20)
const MINUTE = 60_000
const unit = { client: 'c', unit: 'u', owner: undefined }
function moment(minutes: number, progress: number, status = 'RUN'): Moment {
  return {
    at: START + minutes * MINUTE,
    progress,
    ppd: status === 'RUN' ? 1000 : 0,
    status,
  }
}
function recordOf(moments: readonly Moment[]): UnitRecord {
  const [first, ...others] = moments
  if (first === undefined) throw new Error('No moments.')
  return others.reduce(
    (record, next) => withMoment(record, { ...unit, moment: next }),
    withMoment(undefined, { ...unit, moment: first }),
  )
}
function minutesOf({ moments }: UnitRecord) {
  return moments.map(({ at }) => (at - START) / MINUTE)
}

describe('a record of a unit', () => {
  it('has a moment a minute, each change of state, and the latest', () => {
    const record = recordOf([
      ...[0, 0.5, 1, 1.5, 2].map(at => moment(at, at / 100)),
      moment(2.1, 0.02, 'PAUSE'),
      moment(2.2, 0.02),
    ])
    expect(minutesOf(record)).toEqual([0, 1, 2, 2.1, 2.2])
    expect(interruptionsOf(record)).toEqual([{ from: START + 2.1 * MINUTE, to: START + 2.2 * MINUTE, status: 'PAUSE' }])
  })

  it('knows nothing of a time in which it was not seen', () => {
    const record = recordOf([moment(0, 0.1), moment(1, 0.11), moment(20, 0.3), moment(21, 0.31)])
    expect(interruptionsOf(record)).toEqual([{ from: START + MINUTE, to: START + 20 * MINUTE, status: undefined }])
  })

  it('keeps that work was lost', () => {
    const record = recordOf([moment(0, 0.1), moment(1, 0.2), moment(2, 0.15), moment(3, 0.16)])
    expect(setBacksOf(record)).toEqual([{ at: START + 2 * MINUTE, from: 0.2, to: 0.15 }])
  })

  it('ignores a moment that is not later, as when a clock is set', () => {
    const record = recordOf([moment(0, 0.1), moment(1, 0.2)])
    expect(withMoment(record, { ...unit, moment: moment(1, 0.3) })).toBe(record)
  })

  it('belongs to nobody’s account once it was seen directly', () => {
    const owned = withMoment(undefined, { ...unit, owner: 'a', moment: moment(0, 0) })
    const direct = withMoment(owned, { ...unit, moment: moment(1, 0) })
    expect(owned.owner).toBe('a')
    expect(direct.owner).toBeUndefined()
    expect(withMoment(direct, { ...unit, owner: 'a', moment: moment(2, 0) }).owner).toBeUndefined()
  })

  it('is bounded, in order, ends with the latest, and can be read again', () => {
    const steps = fc.array(
      fc.record({
        after: fc.integer({ min: 1000, max: 400_000 }),
        status: fc.constantFrom('RUN', 'RUN', 'RUN', 'PAUSE', 'WAIT'),
        progress: fc.integer({ min: 0, max: 1000 }),
      }),
      { minLength: 1, maxLength: 900 },
    )
    fc.assert(
      fc.property(steps, all => {
        let at = START
        const moments = all.map(({ after, status, progress }) => ({
          at: (at += after),
          ppd: 1,
          status,
          progress: progress / 1000,
        }))
        const record = recordOf(moments)
        const times = record.moments.map(one => one.at)
        expect(times).toEqual([...times].sort((a, b) => a - b))
        expect(times.at(-1)).toBe(at)
        expect(record.moments.length).toBeLessThanOrEqual(360)
        expect(record.moments[0]?.isAfterGap).toBe(true)
        expect(readRecord(structuredClone(record))).toEqual(record)
      }),
      { numRuns: 40 },
    )
  })

  it('of a long run at rest gets coarser, and keeps what happened', () => {
    const minutes = Array.from({ length: 1500 }, (_, at) => moment(at, at / 2000, at === 700 ? 'PAUSE' : 'RUN'))
    const record = recordOf(minutes)
    expect(record.spacing).toBeGreaterThan(MINUTE)
    expect(interruptionsOf(record).map(({ status }) => status)).toEqual(['PAUSE'])
    expect(minutesOf(record)[0]).toBe(0)
  })
})

it('keeps the records that were seen last', () => {
  const seen = Array.from({ length: MOST_RECORDS + 2 }, (_, at) => ({ ...unit, unit: `u${at}`, moment: moment(at, 0) }))
  const { records, dropped } = withSeen(new Map(), seen)
  expect(records.size).toEqual(MOST_RECORDS)
  expect(dropped).toEqual(['u1', 'u0'].map(id => recordKey({ client: 'c', unit: id })))
})

it.each([undefined, {}, { ...unit, spacing: 1, moments: [] }, { ...unit, spacing: 1, moments: [{ at: 'x' }] }])(
  'reads nothing of %o',
  stored => {
    expect(readRecord(stored)).toBeUndefined()
  },
)
