import { expect, it } from 'vitest'
import { withoutSecrets } from './secret-names.ts'

it('removes secrets at any depth, and nothing else', () => {
  const document = {
    config: { user: 'Ada', passkey: 'abc', team: 0 },
    groups: { '': { config: { 'account-token': 'x', paused: false } } },
    units: [{ id: 'u', session: 's', ppd: null }],
  }
  expect(withoutSecrets(document)).toEqual({
    config: { user: 'Ada', team: 0 },
    groups: { '': { config: { paused: false } } },
    units: [{ id: 'u', ppd: null }],
  })
})
