import { afterEach, expect, it, vi } from 'vitest'
import { rememberPassword } from './remember-password.ts'

class Credential {
  readonly type = 'password'
}
class PasswordCredential extends Credential {
  readonly data: object
  constructor(data: object) {
    super()
    this.data = data
  }
}

afterEach(() => vi.unstubAllGlobals())

function rememberWith(scope: object, store: (credential: unknown) => Promise<unknown>) {
  vi.stubGlobal('Credential', Credential)
  return rememberPassword({ credentials: { store } as unknown as CredentialsContainer, scope })
}

it('offers email and passphrase to the browser’s password manager', async () => {
  const saved: unknown[] = []
  await rememberWith({ PasswordCredential }, credential => Promise.resolve(saved.push(credential)))(
    'ada@example.org',
    'four words it is',
  )
  expect(saved).toEqual([
    new PasswordCredential({ id: 'ada@example.org', name: 'ada@example.org', password: 'four words it is' }),
  ])
})

it('does not reject when the user declines, or without the API', async () => {
  const decline = vi.fn(() => Promise.reject(new Error('Declined')))
  await rememberWith({ PasswordCredential }, decline)('ada@example.org', 'four words it is')
  await rememberWith({}, decline)('ada@example.org', 'four words it is')
  await rememberPassword({ credentials: undefined, scope: { PasswordCredential } })(
    'ada@example.org',
    'four words it is',
  )
  expect(decline).toHaveBeenCalledOnce()
})
