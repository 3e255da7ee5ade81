import { expect, it } from 'vitest'
import { createLog } from './log.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

it('writes the time of day, the level, and colors for warnings and errors', () => {
  const log = createLog(100, () => ['head'])
  log.add(NOON, 'I1', 'plain')
  log.add(NOON + 1000, 'W', 'odd')
  log.add(NOON + 2000, 'E', 'WU3:bad')
  expect(log.read(0, NOON + 3000)).toEqual({
    lines: [
      'head',
      '12:00:00:I1:plain',
      '\u001b[93m12:00:01:W :odd\u001b[0m',
      '\u001b[91m12:00:02:E :WU3:bad\u001b[0m',
    ],
    next: 4,
  })
})

it('formats steps among other lines by time, up to now', () => {
  const log = createLog(100, () => [])
  const end = log.addSpan({ start: NOON + 1000, every: 2000, count: 10, text: index => `step ${index}` })
  log.add(NOON + 2000, 'I1', 'between')
  const first = log.read(0, NOON + 3500)
  expect(first.lines).toEqual(['12:00:01:I1:step 0', '12:00:02:I1:between', '12:00:03:I1:step 1'])
  end(NOON + 6000)
  expect(log.read(first.next, NOON + 60_000).lines).toEqual(['12:00:05:I1:step 2'])
})

it('drops the oldest lines beyond its limit and keeps positions valid', () => {
  const log = createLog(3, () => ['head'])
  for (let index = 0; index < 3; index++) log.add(NOON, 'I1', `line ${index}`)
  const { lines, next } = log.read(0, NOON)
  expect(lines).toEqual(['12:00:00:I1:line 0', '12:00:00:I1:line 1', '12:00:00:I1:line 2'])
  log.add(NOON, 'I1', 'line 3')
  expect(log.read(next, NOON)).toEqual({ lines: ['12:00:00:I1:line 3'], next: next + 1 })
})
