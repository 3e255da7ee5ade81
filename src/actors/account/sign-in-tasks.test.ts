import { beforeAll, describe, expect, it } from 'vitest'
import { exportPrivateKey, generateKeyPair } from '../../protocol/crypto/keys.ts'
import { deriveSecrets, wrapSecret } from '../../protocol/crypto/key-derivation.ts'
import type { Api } from '../network/api.ts'
import { createSessionHolder } from './stored-session.ts'
import { createKeyStore } from './key-store.ts'
import { runSignInTask } from './sign-in-tasks.ts'

describe('a login', () => {
  const email = 'ada@example.org'
  const passphrase = 'a long passphrase'
  let publicKey: string
  let foreign: string
  let secret: string

  beforeAll(async () => {
    const [keys, others] = await Promise.all([generateKeyPair(2048, true), generateKeyPair(2048)])
    publicKey = keys.publicKey
    foreign = others.publicKey
    secret = await wrapSecret(await deriveSecrets(email, passphrase), await exportPrivateKey(keys))
  })

  const logIn = async (pubkey: string) => {
    const session = createSessionHolder()
    const answers: Readonly<Record<string, object>> = {
      '/login': { id: 'sid' },
      '/account/secret': { secret },
      '/account': { created: '2026-01-01', pubkey },
    }
    const api: Api = (call, decode) => {
      const decoded = decode({ ...answers[call.path] })
      if (!decoded.ok) throw new Error(call.path)
      return Promise.resolve({ ok: true, value: decoded.value })
    }
    const outcome = await runSignInTask(
      {
        api,
        session,
        keyStore: createKeyStore(Promise.resolve(undefined), undefined),
        now: () => 0,
        origin: 'https://page.test',
        leaveFor: () => undefined,
        rememberPassword: () => Promise.resolve(),
        keyBits: 2048,
      },
      {
        command: {
          type: 'task.submit',
          mode: 'login',
          email,
          user: '',
          team: '',
          secrets: { passphrase, passphraseAgain: '', passkey: '' },
        },
        signal: new AbortController().signal,
        report: () => undefined,
        providerSession: () => undefined,
        setProviderSession: () => undefined,
      },
    )
    return { outcome, session: session.get() }
  }

  it('succeeds with the two halves of one key', async () => {
    expect(await logIn(publicKey)).toMatchObject({ outcome: { type: 'signIn.succeeded' }, session: 'sid' })
  })

  it('is refused when the server sends the public key of another pair', async () => {
    expect(await logIn(foreign)).toEqual({
      outcome: { type: 'signIn.failed', fault: { kind: 'mismatched' } },
      session: undefined,
    })
  })
})
