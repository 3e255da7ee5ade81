import { describe, expect, it } from 'vitest'
import {
  decodeAccount,
  decodeApiError,
  decodeArticles,
  decodeCauses,
  decodeCredits,
  decodeDonor,
  decodeLatestVersion,
  decodeLogin,
  decodeClientRecord,
  decodeProject,
  decodeSecret,
  decodeTeam,
} from './api.ts'

function value(found: unknown) {
  return { ok: true, value: found, faults: [] }
}

describe('A reply of the API', () => {
  it('is an account with its settings, as an object or as text [3.1]', () => {
    const config = { dark: true, columns: ['Project'], future: 1 }
    const account = {
      id: 'a',
      created: '2026',
      pubkey: 'p',
      machines: [{ id: 'm', name: 'n' }],
      teams: [{ team: 5, name: 't' }],
    }
    expect(decodeAccount({ ...account, config })).toEqual(value({ ...account, config }))
    expect(decodeAccount({ ...account, config: JSON.stringify(config) })).toEqual(value({ ...account, config }))
    expect(decodeAccount({ ...account, config: '{' })).toEqual({
      ok: true,
      value: account,
      faults: [{ kind: 'wrong-type', path: ['config'], expected: 'object', found: 'string' }],
    })
  })

  it('is used without the parts of a wrong type', () => {
    expect(decodeAccount({ team: '5', user: 'x' })).toEqual({
      ok: true,
      value: { user: 'x' },
      faults: [{ kind: 'wrong-type', path: ['team'], expected: 'number', found: 'string' }],
    })
    expect(
      decodeAccount({ machines: [{ id: 'a' }, { name: 'no id' }, { id: 5, name: 'x' }, { id: 'b' }] }),
    ).toMatchObject({
      ok: true,
      value: { machines: [{ id: 'a' }, { id: 'b' }] },
    })
    expect(decodeAccount([])).toMatchObject({ ok: false, fault: { kind: 'wrong-type', path: [] } })
  })

  it('of another type is rejected', () => {
    for (const decode of [
      decodeAccount,
      decodeDonor,
      decodeTeam,
      decodeProject,
      decodeLogin,
      decodeSecret,
      decodeCredits,
      decodeArticles,
      decodeCauses,
      decodeLatestVersion,
    ]) {
      expect(decode('text').ok).toBe(false)
    }
  })

  it('lists causes: any first, the unspecified one left out, the rest in order [3.7, 7.2]', () => {
    const causes = value(['any', 'alzheimers', 'cancer', 'parkinsons'])
    expect(decodeCauses(['unspecified', 'parkinsons', 'any', 'alzheimers', 'cancer'])).toEqual(causes)
    expect(decodeCauses({ 0: 'unspecified', 1: 'cancer', 2: 'alzheimers', 3: 'parkinsons' })).toEqual(causes)
  })

  it('tells the latest version as three numbers [7.26]', () => {
    expect(decodeLatestVersion([{ version: [8, 5, 7], package: 'x' }])).toEqual(value([8, 5, 7]))
    expect(decodeLatestVersion([]).ok).toBe(false)
    expect(decodeLatestVersion([{ version: [8, 5] }]).ok).toBe(false)
  })

  it('with an error instead of a project is a fault [3.6, 7.4]', () => {
    expect(decodeProject({ id: 18420, manager: 'm', future: [] })).toEqual(
      value({ id: 18420, manager: 'm', future: [] }),
    )
    expect(decodeProject({ error: 'Not found' })).toEqual({
      ok: false,
      fault: { kind: 'unknown-message', found: 'Not found' },
    })
  })

  it('holds a donor, a team, credits, articles, a session, a secret [3.5, 3.10, 7.3]', () => {
    const donor = { id: 1, pid: 2, name: 'Zoë', score: 3, teams: [{ team: 4, name: 't', trank: 5 }] }
    expect(decodeDonor(donor)).toEqual(value(donor))
    expect(decodeTeam({ id: 4, name: 't', score: 1 })).toEqual(value({ id: 4, name: 't', score: 1 }))
    const credits = [{ code: 'OK', user: 'u', team: 1, credit: 14500, assign_time: 'a', credit_time: 'b' }]
    expect(decodeCredits(credits)).toEqual(value(credits))
    expect(decodeArticles([{ slug: 's', title: '<b>' }])).toEqual(value([{ slug: 's', title: '<b>' }]))
    expect(decodeClientRecord({ pubkey: 'p', node: 'n:1', mach_name: 'x' })).toEqual(
      value({ pubkey: 'p', node: 'n:1', mach_name: 'x' }),
    )
    expect(decodeLogin({ id: 'sid' })).toEqual(value({ id: 'sid' }))
    expect(decodeSecret({ secret: 'AAAA' })).toEqual(value('AAAA'))
    expect(decodeSecret({}).ok).toBe(false)
  })

  it('reports what went wrong', () => {
    expect(decodeApiError({ error: 'No such user' })).toBe('No such user')
    expect(decodeApiError({ error: 5 })).toBeUndefined()
    expect(decodeApiError([])).toBeUndefined()
  })
})
