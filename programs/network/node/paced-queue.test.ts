import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPacedQueue } from './paced-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('one message is delivered per interval, in order', () => {
  const passed: number[] = []
  const queue = createPacedQueue<number>(300, item => {
    passed.push(item)
  })
  for (const item of [1, 2, 3]) queue.add(item)

  vi.advanceTimersByTime(299)
  expect(passed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(passed).toEqual([1])
  vi.advanceTimersByTime(600)
  expect(passed).toEqual([1, 2, 3])
})

test('without an interval everything is delivered at once', () => {
  const passed: number[] = []
  const queue = createPacedQueue<number>(0, item => {
    passed.push(item)
  })
  queue.add(1)

  expect(passed).toEqual([1])
})

test('a long backlog is delivered no faster, without loss and in order', () => {
  const passed: number[] = []
  const queue = createPacedQueue<number>(300, item => {
    passed.push(item)
  })
  for (let said = 1; said <= 2_400; said += 1) queue.add(said)

  vi.advanceTimersByTime(60_000)
  expect(passed.length).toBe(200)
  vi.advanceTimersByTime(660_000)
  expect(passed).toEqual(Array.from({ length: 2_400 }, (_, index) => index + 1))
})

test('cleared items are not delivered', () => {
  const passed: number[] = []
  const queue = createPacedQueue<number>(300, item => {
    passed.push(item)
  })
  queue.add(1)
  queue.clear()
  vi.advanceTimersByTime(1_000)

  expect(passed).toEqual([])
})
