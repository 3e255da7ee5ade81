import { expect, it } from 'vitest'
import { lineMatcher } from '../../../folding/log/log-search.ts'
import { failureLogPath, lineLogPath, lineTimeOf, logPath, searchName } from './log-path.ts'

const unit20 = ['12:00:00:I1:WU20:Completed 1 out of 2 steps', '12:00:00:I1:WU20:Retry #1 in 2 secs']
const otherUnits = ['12:00:00:I1:WU200:Completed 1 out of 2 steps', '12:00:00:I1:WU120:Core returned INTERRUPTED (102)']
const badConnections = [
  '12:00:00:I2:OUT8:< 503 Service Unavailable',
  '12:00:00:E :OUT8:Failed response: CONNECT',
  '12:00:00:W :CON2:DNS lookup failed for assign1.foldingathome.org',
]
const goodConnections = [
  '12:00:00:I2:OUT7:> POST https://assign1.foldingathome.org/api/assign',
  '12:00:00:I2:OUT7:< 200 OK',
  '12:00:00:I2:OUT3:< 101 HTTP_SWITCHING_PROTOCOLS',
]
const failures = [
  '12:00:00:E :WU72:Exception: Failed to read certificate',
  '12:00:00:W :Failed to update GPUs',
  '12:00:00:I1:WU72:Core returned FAILED_2 (1)',
]
const others = [
  '12:00:00:W :REQ9:127.0.0.1:Access denied by Origin: null',
  '12:00:00:I1:REQ9:> HTTP/1.1 401 HTTP_UNAUTHORIZED',
  '12:00:00:I1:Machine state fold',
]

const all = [...unit20, ...otherUnits, ...badConnections, ...goodConnections, ...failures, ...others]

function foundBy(path: string): readonly string[] {
  const pattern = new URL(path, 'https://dashboard.test').searchParams.get('q') ?? ''
  return all.filter(lineMatcher({ pattern, errors: false, warnings: false }))
}

it('the log of a unit has its lines and connection errors, and no lines of units whose number starts alike', () => {
  expect(foundBy(logPath('a b', 20))).toEqual([...unit20, ...badConnections])
})

it('the log of failures has the reasons why units failed', () => {
  expect(foundBy(failureLogPath('a b'))).toEqual([...badConnections, ...failures])
})

it('the path of a line names its time in whole seconds, and is read back', () => {
  const at = Date.parse('2026-11-22T10:20:30.400Z')
  const paths = [lineLogPath('a b', '', at), lineLogPath('a', 'WU1:', at), lineLogPath('a', '', Number.NaN)]
  expect(logPath('a', undefined, at)).toBe('/a/log?at=2026-11-22T10:20:30Z')
  expect(failureLogPath('a', at).endsWith('&at=2026-11-22T10:20:30Z')).toBe(true)
  expect(paths).toEqual(['/a%20b/log?at=2026-11-22T10:20:30Z', '/a/log?q=WU1%3A&at=2026-11-22T10:20:30Z', '/a/log'])
  expect(paths.map(path => lineTimeOf(new URL(path, 'https://dashboard.test').searchParams))).toEqual([
    at - 400,
    at - 400,
    undefined,
  ])
  for (const text of ['', 'yesterday', '2026-99-99T10:20:30Z'])
    expect(lineTimeOf(new URLSearchParams({ at: text })), text).toBeUndefined()
})

it('without a unit the log is not filtered', () => {
  expect(logPath('a b')).toBe('/a%20b/log')
  expect(logPath('a', undefined)).toBe('/a/log')
})

it('a search that a link made has a name, and one that somebody typed has none', () => {
  const queries = [failureLogPath('a'), logPath('a', 45)].map(
    path => new URL(path, 'https://dashboard.test').searchParams.get('q') ?? '',
  )
  expect(queries.map(searchName)).toEqual(['Problems', 'Problems of work unit 45'])
  expect(['', 'WU45:', 'WU45:|x', 'Problems'].map(searchName)).toEqual([undefined, undefined, undefined, undefined])
})
