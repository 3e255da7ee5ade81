import { expect, it } from 'vitest'
import { identityOfText, numberMarks, textMarks } from '../protocol/personal-fields.ts'
import { SECRET_NAMES } from '../protocol/secret-names.ts'
import { identityOfNumberIn } from './known-values.ts'

/** `kindOfField`, `isNamedById` and `identityOfNumberIn` tell these by the fields around them. */
const TOLD_BY_OTHER_FIELDS = ['id', 'name', 'pid', 'url']

it('fields that are not marked the same in all objects are those that are told by the fields around them', () => {
  const ambiguous = [...textMarks, ...numberMarks].filter(([, marks]) => marks.size > 1).map(([name]) => name)
  expect([...new Set(ambiguous)].sort()).toEqual(TOLD_BY_OTHER_FIELDS)
})

it('texts that are marked as secrets are never recorded', () => {
  const secrets = [...textMarks].filter(([, marks]) => marks.has('secret')).map(([name]) => name)
  expect(secrets).toContain('passkey')
  // The id in the answer to a login is that of the session; events have it as one of their `secrets`.
  expect(secrets.filter(name => !SECRET_NAMES.has(name))).toEqual(['id'])
})

it('reports of clients, replies of the API and messages of the relay are marked', () => {
  expect(['mach_name', 'cwd', 'user', 'email', 'avatar', 'client', 'version'].map(identityOfText)).toEqual([
    'machine',
    'path',
    'user',
    'email',
    'picture',
    'id',
    undefined,
  ])
})

it('a donor and a team are known by their numbers, a project and a process are not', () => {
  expect(identityOfNumberIn('id', { id: 1, active_7: 2 })).toBe('person')
  expect(identityOfNumberIn('pid', { pid: 1, active_7: 2 })).toBe('person')
  expect(identityOfNumberIn('id', { id: 1, wus: 2, rank: 3 })).toBe('team')
  expect(identityOfNumberIn('id', { id: 1, manager: 'Ada' })).toBe(undefined)
  expect(identityOfNumberIn('pid', { pid: 1, mach_name: 'atlas' })).toBe(undefined)
  expect(identityOfNumberIn('team', {})).toBe('team')
})
