import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  checkEmail,
  checkClientName,
  checkNode,
  checkPasskey,
  checkPassphrase,
  checkPassphrases,
  checkRequiredUser,
  checkTeam,
  checkTeamName,
  checkTeamUrl,
  checkUser,
  daysOf,
  newGroupName,
  isAnonymous,
  teamNumber,
  userToSend,
  withScheme,
} from './validation.ts'
import { checkNewAccount, checkRegistration, checkSignIn, hasNoErrors } from '../account/registration.ts'

const LENGTH = 'User name must be empty or between 2 and 100 characters'
const CHARACTERS = 'User name cannot contain any of the following: <>;&: or tab'
function hex(count: number): string {
  return 'a1'.repeat(20).slice(0, count)
}

describe('user names', () => {
  test.each<[string, string | undefined]>([
    ['', undefined],
    ['ab', undefined],
    ['Zoë 折り紙', undefined],
    ['a'.repeat(100), undefined],
    ['🧬🧬', undefined],
    ['a', LENGTH],
    ['🧬', LENGTH],
    ['a'.repeat(101), LENGTH],
    ...['<', '>', ';', '&', ':', '\t'].map((bad): [string, string] => [`ab${bad}`, CHARACTERS]),
  ])('%j: %s [5.3, 9.1]', (user, message) => {
    expect(checkUser(user)).toBe(message)
  })

  it('are required for a new account [3.2, 5.9]', () => {
    expect(checkRequiredUser('')).toBe('A user name between 2 and 100 characters is required')
    expect(checkRequiredUser('a')).toBe(LENGTH)
    expect(checkRequiredUser('ab')).toBeUndefined()
  })

  it('are anonymous when empty or "anonymous" [5.8]', () => {
    expect(['', ' ', 'anonymous', 'ANONYMOUS ', undefined, 5, 'me'].filter(isAnonymous)).toEqual([
      '',
      ' ',
      'anonymous',
      'ANONYMOUS ',
      undefined,
      5,
    ])
    expect(userToSend('')).toBe('Anonymous')
    expect(userToSend('me')).toBe('me')
  })
})

describe('teams, passkeys, passphrases and email', () => {
  test.each<[string, string | undefined, number]>([
    ['', undefined, 0],
    ['0', undefined, 0],
    ['1234', undefined, 1234],
    ['-1', 'Invalid team number', 0],
    ['1.5', 'Invalid team number', 0],
    ['12a', 'Invalid team number', 0],
    [' 1', 'Invalid team number', 0],
    ['2147483647', undefined, 2_147_483_647],
    ['2147483648', 'A team number can be at most 2,147,483,647', 0],
    ['5000000000', 'A team number can be at most 2,147,483,647', 0],
    ['9'.repeat(30), 'A team number can be at most 2,147,483,647', 0],
  ])('team %j: %s [5.2, 9.2]', (team, message, number) => {
    expect(checkTeam(team)).toBe(message)
    expect(teamNumber(team)).toBe(number)
  })

  test.each<[string, string | undefined, string | undefined]>([
    ['', undefined, undefined],
    [hex(29), 'Invalid passkey', 'Invalid passkey'],
    [hex(30), 'Invalid passkey', undefined],
    [hex(31), undefined, undefined],
    [hex(32), undefined, undefined],
    [hex(32).toUpperCase(), undefined, undefined],
    [hex(33), 'Invalid passkey', 'Invalid passkey'],
    [`${hex(31)}g`, 'Invalid passkey', 'Invalid passkey'],
  ])('passkey %j: strictly %s, loosely %s [5.4, 9.1]', (passkey, strict, loose) => {
    expect(checkPasskey(passkey)).toBe(strict)
    expect(checkPasskey(passkey, 'loose')).toBe(loose)
  })

  it('passphrases are long enough and equal [5.1, 5.5, 9.1]', () => {
    const short = 'Your passphrase must be at least 10 characters long'
    expect(checkPassphrase('123456789')).toEqual(short)
    expect(checkPassphrase('1234567890')).toBeUndefined()
    expect(checkPassphrases('123456789', '123456789')).toBe(short)
    expect(checkPassphrases('1234567890', '1234567891')).toBe('Passphrases do not match')
    expect(checkPassphrases('1234567890', '1234567890')).toBeUndefined()
  })

  test.each<[string, string | undefined]>([
    ['', 'A valid email address is required'],
    ['  ', 'A valid email address is required'],
    ['a@b.de', undefined],
    ['a@b.d', 'Invalid email address'],
    ['@b.de', 'Invalid email address'],
    ['nobody', 'Invalid email address'],
    [`${'a'.repeat(64)}@b.de`, undefined],
    [`${'a'.repeat(65)}@b.de`, 'Invalid email address'],
    [`a@${'b'.repeat(255)}`, undefined],
    [`a@${'b'.repeat(256)}`, 'Invalid email address'],
  ])('email %j: %s [5.6, 9.1]', (email, message) => {
    expect(checkEmail(email)).toBe(message)
  })
})

describe('names and addresses', () => {
  test.each<[string, boolean]>([
    ['', false],
    ['a', true],
    ['My_machine-2.lan', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['has space', false],
    ['<b>', false],
    ['Zoë', false],
  ])('client name %j fits: %s [5.12, 9.1]', (name, fits) => {
    expect(checkClientName(name) === undefined).toBe(fits)
  })

  test.each<[string, boolean]>([
    ['node1.foldingathome.org', true],
    ['a.b', true],
    ['10.0.0.7', true],
    ['10.0.0.256', false],
    ['999.1', false],
    ['node.1.999', false],
    ['-a.example', false],
    ['localhost', false],
    ['', false],
    ['a..b', false],
    ['.a.b', false],
    ['a.b.', false],
    ['a_b.c', false],
    ['node.org/x', false],
    ['node.org:443', true],
    ['127.0.0.1:7502', true],
    ['node.org:0', false],
    ['node.org:65536', false],
  ])('node %j fits: %s [5.14]', (node, fits) => {
    expect(checkNode(node) === undefined).toBe(fits)
  })

  it('team names have 2 to 100 harmless characters [5.15, 9.1]', () => {
    expect(['ab', 'Team: one', 'a'.repeat(100)].map(checkTeamName)).toEqual([undefined, undefined, undefined])
    for (const bad of ['', 'a', 'a'.repeat(101), ...['<', '>', ';', '&', '"', "'", '\\', '`'].map(c => `ab${c}`)]) {
      expect(checkTeamName(bad)).toMatch(/^Team name /)
    }
  })

  test.each<[string, boolean, string]>([
    ['', true, ''],
    ['example.org', true, 'https://example.org'],
    ['http://example.org/a?b=1', true, 'http://example.org/a?b=1'],
    ['javascript:alert(1)', false, 'https://javascript:alert(1)'],
    ['javascript://%0aalert(1)', false, 'javascript://%0aalert(1)'],
    ['exa mple.org', false, 'https://exa mple.org'],
    ...Array.from('<>;\'"`{}^\\[]|').map((c): [string, boolean, string] => [`a.org/${c}`, false, `https://a.org/${c}`]),
  ])('team URL %j fits: %s [5.16]', (url, fits, saved) => {
    expect(checkTeamUrl(url) === undefined).toBe(fits)
    expect(withScheme(url)).toBe(saved)
  })
})

describe('small fields', () => {
  it('read days and group names [5.13]', () => {
    expect(['36525', '36526', '1e300'].map(daysOf)).toEqual([36_525, undefined, undefined])
    expect(['', ' ', '7', '0.5', '-1', 'x', 'Infinity'].map(daysOf)).toEqual([
      undefined,
      undefined,
      7,
      0.5,
      undefined,
      undefined,
      undefined,
    ])
    expect(newGroupName('  night shift ')).toBe('night shift')
  })
})

describe('whole forms', () => {
  const good = {
    email: 'a@b.de',
    passphrase: '1234567890',
    passphraseAgain: '1234567890',
    user: '',
    team: '',
    passkey: '',
  }

  it('have no errors when valid', () => {
    expect(checkRegistration(good)).toEqual({})
    expect(hasNoErrors(checkRegistration(good))).toBe(true)
    expect(checkNewAccount({ user: 'ab', team: '0', passkey: '' })).toEqual({})
    expect(checkSignIn({ email: 'a@b.de', passphrase: '' }, 'reset')).toEqual({})
  })

  it('have an error for every invalid field', () => {
    expect(
      checkRegistration({
        email: '',
        passphrase: '1',
        passphraseAgain: '2',
        user: 'a',
        team: 'x',
        passkey: 'y',
      }),
    ).toEqual({
      email: 'A valid email address is required',
      passphrase: 'Your passphrase must be at least 10 characters long',
      user: LENGTH,
      team: 'Invalid team number',
      passkey: 'Invalid passkey',
    })
    expect(checkRegistration({ ...good, passphraseAgain: 'else' })).toEqual({
      passphraseAgain: 'Passphrases do not match',
    })
    expect(checkNewAccount({ user: '', team: '', passkey: hex(30) })).toEqual({
      user: 'A user name between 2 and 100 characters is required',
      passkey: 'Invalid passkey',
    })
    expect(checkSignIn({ email: 'x', passphrase: '1' })).toEqual({
      email: 'Invalid email address',
      passphrase: 'Your passphrase must be at least 10 characters long',
    })
    expect(hasNoErrors(checkSignIn({ email: 'x', passphrase: '1' }))).toBe(false)
  })

  it('never throw for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), typed => {
        for (const check of [checkUser, checkTeam, checkPasskey, checkEmail, checkNode, checkTeamName, checkTeamUrl]) {
          expect(['string', 'undefined']).toContain(typeof check(typed))
        }
      }),
    )
  })
})
