import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createManualClock } from '../../../test/network/manual-clock.ts'
import { createSchedule } from './schedule.ts'

it('runs tasks by time, then in the order given, and never canceled ones', () => {
  const task = fc.record({ at: fc.integer({ min: 0, max: 50 }), isCancelled: fc.boolean() })
  fc.assert(
    fc.property(fc.array(task, { maxLength: 60 }), tasks => {
      const clock = createManualClock(0)
      const schedule = createSchedule(clock)
      const ran: number[] = []
      const cancels = tasks.map(({ at }, index) => schedule.at(at, () => ran.push(index)))
      for (const [index, { isCancelled }] of tasks.entries()) if (isCancelled) cancels[index]?.()
      clock.advance(60)
      const expected = tasks
        .map(({ at, isCancelled }, index) => ({ at, index, isCancelled }))
        .filter(({ isCancelled }) => !isCancelled)
        .sort((a, b) => a.at - b.at || a.index - b.index)
        .map(({ index }) => index)
      expect(ran).toEqual(expected)
    }),
  )
})

it('reports a task that fails, and runs the others', () => {
  const clock = createManualClock(0)
  const failed: unknown[] = []
  const schedule = createSchedule(clock, error => failed.push(error))
  const ran: string[] = []
  const mistake = new Error('A mistake')
  schedule.at(10, () => {
    throw mistake
  })
  schedule.at(10, () => ran.push('second'))
  schedule.at(20, () => ran.push('third'))
  clock.advance(30)
  expect(ran).toEqual(['second', 'third'])
  expect(failed).toEqual([mistake])
})

it('runs tasks that a task adds for the same time, and none after a stop', () => {
  const clock = createManualClock(0)
  const schedule = createSchedule(clock)
  const ran: string[] = []
  schedule.at(10, () => {
    ran.push('first')
    schedule.at(10, () => ran.push('second'))
    schedule.at(20, () => ran.push('never'))
  })
  clock.advance(10)
  schedule.stop()
  clock.advance(100)
  expect(ran).toEqual(['first', 'second'])
})
