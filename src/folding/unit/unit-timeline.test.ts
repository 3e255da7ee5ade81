import { expect, it } from 'vitest'
import type { Moment } from './unit-record.ts'
import { unitTimeline } from './unit-timeline.ts'

function at(minutes: number): number {
  return Date.UTC(2026, 0, 1, 12, minutes)
}
function iso(minutes: number): string {
  return new Date(at(minutes)).toISOString()
}
const assignment = { time: iso(0), timeout: 600, deadline: 1200 }

function moment(minutes: number, status: string, progress: number, more: Partial<Moment> = {}): Moment {
  return { at: at(minutes), status, progress, ppd: 1, ...more }
}

const moments = [
  moment(1, 'RUN', 0.1),
  moment(2, 'RUN', 0.2),
  moment(3, 'PAUSE', 0.2),
  moment(8, 'RUN', 0.15, { isAfterGap: true }),
]

it('tells what happened to a unit, newest first, with what is ahead', () => {
  expect(unitTimeline({ id: 'u', state: 'RUN', assignment }, 'RUN', { moments }, [])).toEqual([
    { at: at(20), what: 'deadline' },
    { at: at(10), what: 'timeout' },
    { at: at(8), what: { status: 'RUN' }, detail: '15.0%' },
    { at: at(8), what: 'lost', detail: '15.0%' },
    { at: at(3), what: 'unseen' },
    { at: at(3), what: { status: 'PAUSE' }, detail: '20.0%' },
    { at: at(1), what: { status: 'RUN' }, detail: '10.0%' },
    { at: at(0), what: 'assigned' },
  ])
})

it('ends with how the unit ended, and the credit of its own assignment', () => {
  const unit = { id: 'u', result: 'credited', end_time: iso(8), assignment }
  const credits = [
    { user: 'somebody', credit: 7, assign_time: iso(-90), credit_time: iso(9) },
    { user: 'me', credit: 1234, assign_time: iso(0), credit_time: iso(9) },
  ]
  expect(unitTimeline(unit, 'credited', { moments }, credits).slice(0, 3)).toEqual([
    { at: at(9), what: 'logged', detail: '1,234' },
    { at: at(8), what: { status: 'credited' } },
    { at: at(3), what: 'unseen' },
  ])
  expect(unitTimeline({ id: 'u' }, '', undefined, [])).toEqual([])
})
