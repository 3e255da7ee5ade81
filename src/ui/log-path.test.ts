import { expect, it } from 'vitest'
import { logPath } from './log-path.ts'

it('the log of a unit is what its machine says of it, and of no unit whose number begins alike', () => {
  const path = logPath('a b', 20)
  const query = new URL(path, 'https://dashboard.test').searchParams.get('q') ?? ''
  const lines = [
    '12:00:00:I1:WU20:Completed 1 out of 2 steps',
    '12:00:00:I1:WU200:Completed 1 out of 2 steps',
    '12:00:00:I1:WU120:Completed 1 out of 2 steps',
  ]
  expect([path, lines.map(line => new RegExp(query, 'i').test(line))]).toEqual([
    '/a%20b/log?q=WU20:',
    [true, false, false],
  ])
  expect([logPath('a'), logPath('a', undefined)]).toEqual(['/a/log', '/a/log'])
})
