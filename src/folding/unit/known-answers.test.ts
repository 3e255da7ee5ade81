import { describe, expect, it, test } from 'vitest'
import { coreEndText, plainAnswer } from './known-answers.ts'

describe('an answer', () => {
  test.each<[string, RegExp]>([
    ['No appropriate assignment', /^The project has no work for this hardware/],
    ['HTTP_SERVICE_UNAVAILABLE', /^The server is overloaded/],
    ['HTTP 503', /^The server is overloaded/],
    ['Already received', /^The server has these results already/],
    ['Core returned BAD_WORK_UNIT (114)', /^The computation failed/],
    ['Core returned 114', /^The computation failed/],
    ['Core returned UNKNOWN_ENUM (0xC0000005)', /^The core crashed: it used memory/],
    ['exit code -1073741819', /^The core crashed: it used memory/],
    ['exit code 3221225477', /^The core crashed: it used memory/],
    ['Core returned 0xc0000135', /^The core could not start: a library/],
    ['Core returned GPU_UNAVAILABLE_ERROR (126)', /^The GPU is not available/],
  ])('%s has a plain sentence, and itself beside it', (answer, sentence) => {
    expect(plainAnswer(answer)).toMatch(sentence)
    expect(plainAnswer(answer).endsWith(` (${answer})`)).toBe(true)
  })

  it('that is not known stays as it is', () => {
    for (const answer of ['Full moon', 'WU114', 'Project 12500', '0xC0FFEE00', 'finished 503 of 504 frames', ''])
      expect(plainAnswer(answer)).toBe(answer)
  })
})

test.each<[string, string | undefined]>([
  [
    '\u001b[93m12:00:01:W :WU1:Core returned BAD_WORK_UNIT (114)\u001b[0m',
    'The computation failed: bad data in the work unit, or unstable hardware (Core returned BAD_WORK_UNIT (114))',
  ],
  [
    '12:00:01:I1:WU1:Core returned FINISHED_UNIT (100)',
    'The work unit was completed (Core returned FINISHED_UNIT (100))',
  ],
  ['12:00:01:W :WU1:Core returned NEW_WORD (77)', undefined],
  ['12:00:01:I1:group "BAD_WORK_UNIT" folds', undefined],
  ['12:00:01:W :No DNS', undefined],
])('the log line %j is explained as %j', (line, text) => {
  expect(coreEndText(line)).toBe(text)
})
