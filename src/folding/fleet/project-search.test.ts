import { expect, it } from 'vitest'
import { matchesProject } from './project-search.ts'

const villin = {
  id: 18_420,
  cause: 'covid-19',
  manager: 'M. Lindqvist',
  institution: 'Foldwater University',
  description: '<p>The <em>head</em>piece of <a href="https://strand.test">villin</a> folds.</p>',
}

it.each<[string, string | undefined, boolean, boolean]>([
  // words, cause, matches with its description, and before it is loaded
  ['', undefined, true, true],
  ['184', undefined, true, true],
  ['18420 villin', undefined, true, false],
  ['  VILLIN  lindqvist ', undefined, true, false],
  ['villin chignolin', undefined, false, false],
  ['university', 'covid-19', true, false],
  ['', 'cancer', false, false],
  ['', 'covid-19', true, false],
  ['Covid', undefined, true, false],
  ['strand', undefined, false, false],
])('a search for %j, cause %j, finds it: %j; before its description is loaded: %j', (words, cause, finds, early) => {
  expect(matchesProject(18_420, villin, { words, cause })).toEqual(finds)
  expect(matchesProject(18_420, undefined, { words, cause })).toEqual(early)
})
