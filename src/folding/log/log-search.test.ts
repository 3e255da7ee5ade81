import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEmptyQuery, isNarrower, findMatches, patternError, lineMatcher } from './log-search.ts'

function query(pattern: string, errors = false, warnings = false) {
  return { pattern, errors, warnings }
}
const lines = ['12:00:00:I1:WU20:Completed', '12:00:01:W :WU20:Retrying', '12:00:02:E :WU21:Failed', 'more']
function passing(pattern: string, errors = false, warnings = false) {
  return lines.filter(lineMatcher(query(pattern, errors, warnings)))
}

describe('A query', () => {
  it('passes lines that match its pattern, ignoring case', () => {
    expect(passing('wu20')).toEqual(lines.slice(0, 2))
    expect(passing('^more$')).toEqual(['more'])
  })

  it('with levels also requires one of them', () => {
    expect(passing('wu20', true)).toEqual([])
    expect(passing('wu20', true, true)).toEqual([lines[1]])
    expect(passing('', true, true)).toEqual(lines.slice(1, 3))
  })

  it('filters nothing by an invalid pattern [5.19]', () => {
    expect(passing('(')).toEqual(lines)
    expect(passing('(', true)).toEqual([lines[2]])
  })

  it('is empty without pattern and levels', () => {
    expect(isEmptyQuery(query(''))).toBe(true)
    expect(isEmptyQuery(query('x'))).toBe(false)
    expect(isEmptyQuery(query('', false, true))).toBe(false)
  })
})

describe('A pattern', () => {
  it('is invalid with the browser’s message', () => {
    expect(patternError('')).toBeUndefined()
    expect(patternError('a+')).toBeUndefined()
    expect(patternError('(a')).toBe('Unterminated group')
  })

  it('marks all matches except empty ones', () => {
    expect(findMatches('wu\\d', 'WU1 wu2 wu')).toEqual([0, 3, 4, 7])
    expect(findMatches('x*', 'axxb')).toEqual([1, 3])
    expect(findMatches('', 'a')).toEqual([])
    expect(findMatches('(', '(')).toEqual([])
    expect(findMatches('a', 'a'.repeat(1000))).toHaveLength(400)
  })
})

describe('A narrower query', () => {
  it.each([
    ['', 'c', true],
    ['clock', 'clock skew .* step 8\\d', true],
    ['a|b', 'a|bc', true],
    ['fo', 'fo|bar', false],
    ['fo', 'fo*', false],
    ['fo', 'fo{2}', false],
    ['a\\x4', 'a\\x41', false],
    ['a{1', 'a{1}', false],
    ['b', 'a', false],
    ['(', '(a)', false],
  ])('%j, then %j: %s', (earlier, pattern, expected) => {
    expect(isNarrower(query(pattern), query(earlier))).toBe(expected)
  })

  it('asks for the same levels', () => {
    expect(isNarrower(query('ab', true), query('a'))).toBe(false)
    expect(isNarrower(query('ab', true), query('a', true))).toBe(true)
  })

  it('matches no line that the earlier one does not', () => {
    const part = fc.array(fc.constantFrom(...Array.from('abAB01|.*+?^$()[]{}\\xucdwkn<>=!:-, ')), { maxLength: 8 })
    const line = fc.array(fc.constantFrom(...Array.from('abAB01xucdwkn- ')), { maxLength: 12 })
    fc.assert(
      fc.property(part, part, fc.array(line, { maxLength: 20 }), (begin, added, shown) => {
        const earlier = query(begin.join(''))
        const typed = query([...begin, ...added].join(''))
        fc.pre(isNarrower(typed, earlier))
        const passesEarlier = lineMatcher(earlier)
        const texts = shown.map(characters => characters.join(''))
        expect(texts.filter(lineMatcher(typed)).filter(text => !passesEarlier(text))).toEqual([])
      }),
      { numRuns: 2000, maxSkipsPerRun: 1000 },
    )
  })
})
