import { describe, expect, it } from 'vitest'
import type { Account } from '../../protocol/api/api.ts'
import { accountBody, accountForm, checkAccountForm, configForClients } from './account-form.ts'

const account: Account = {
  user: 'Ada',
  team: 4242,
  cause: 'Cancer',
  node: 'node1.example.org:9000',
  config: { dark: true, columns: ['Project'], newer: { kept: 1 } },
}
const form = accountForm(account, '0123456789abcdef0123456789abcdef')

describe('the form of an account', () => {
  it('begins with what the account reports', () => {
    expect(form).toEqual({
      user: 'Ada',
      team: '4242',
      cause: 'cancer',
      node: 'node1.example.org:9000',
      avatar: '',
      config: { dark: true, columns: ['Project'], newer: { kept: 1 } },
      secrets: { passkey: '0123456789abcdef0123456789abcdef' },
    })
    expect(accountForm({}, '')).toEqual({
      user: '',
      team: '',
      cause: 'any',
      node: '',
      avatar: '',
      config: {},
      secrets: { passkey: '' },
    })
  })

  it('is saved as the API wants it, with what newer dashboards keep in the config', () => {
    expect(accountBody({ ...form, user: '', team: '', cause: 'Any', secrets: { passkey: '' } })).toEqual({
      user: 'Anonymous',
      team: 0,
      passkey: '',
      cause: 'any',
      node: 'node1.example.org:9000',
      avatar: '',
      config: { dark: true, columns: ['Project'], newer: { kept: 1 } },
    })
  })

  it('reports what is wrong with what was typed', () => {
    expect(
      checkAccountForm({ ...form, user: 'A', team: '1.5', node: 'here', secrets: { passkey: 'xyz' } }, form),
    ).toEqual({
      user: 'User name must be empty or between 2 and 100 characters',
      team: 'Invalid team number',
      node: 'Node must be a host name such as node1.example.org, optionally with :port',
      passkey: 'Invalid passkey',
    })
  })

  it('finds nothing wrong with what the server itself allowed [10.11]', () => {
    const odd = accountForm({ user: '<Ada>', node: 'localhost:7402' }, '0123')
    expect(checkAccountForm(odd, odd)).toEqual({})
    expect(checkAccountForm({ ...odd, user: '<Ada>!' }, odd)).toEqual({
      user: 'User name cannot contain any of the following: <>;&: or tab',
    })
  })

  it('names the changes that are sent to clients, and nothing that is not theirs', () => {
    expect(configForClients(form, { ...form, avatar: 'x', node: 'node2.example.org', config: {} })).toEqual({})
    expect(configForClients(form, { ...form, user: '', team: '7', secrets: { passkey: '' } })).toEqual({
      user: 'Anonymous',
      team: 7,
      passkey: '',
    })
  })
})
