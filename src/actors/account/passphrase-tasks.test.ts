import { beforeAll, describe, expect, it } from 'vitest'
import type { PassphraseFact } from '../../machines/account/passphrase/passphrase.events.ts'
import type { ApiFault } from '../../protocol/api/api-fault.ts'
import type { Json } from '../../protocol/json.ts'
import { exportPrivateKey, generateKeyPair, type AccountKeys } from '../../protocol/crypto/keys.ts'
import { deriveSecrets, unwrapSecret, wrapSecret } from '../../protocol/crypto/key-derivation.ts'
import type { Api, ApiCall } from '../network/api.ts'
import { runPassphraseTask } from './passphrase-tasks.ts'

const email = 'a@example.org'
const current = 'the old passphrase'
const passphrase = 'the new passphrase'
const lost: ApiFault = { kind: 'unreachable', message: 'no answer in time' }
const unknown: ApiFault = { kind: 'refused', status: 401, message: 'Wrong passphrase' }

let keys: AccountKeys
let pkcs8: Uint8Array
beforeAll(async () => {
  keys = await generateKeyPair(1024, true)
  pkcs8 = await exportPrivateKey(keys)
})

function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : ''
}

type World = {
  /** What comes of saving: the fault, and whether it had its effect all the same. */
  readonly saving?: { readonly fault: ApiFault; readonly isDone: boolean }
  readonly isSessionOver?: boolean
}

/** A server with one account, and what it was asked. */
async function startServer({ saving, isSessionOver = false }: World = {}) {
  const derived = await deriveSecrets(email, current)
  let stored: { password: string; secret: string } = {
    password: derived.password,
    secret: await wrapSecret(derived, pkcs8),
  }
  const calls: string[] = []
  const remembered: string[] = []
  const answer = ({ method, path, data = {} }: ApiCall): Json | ApiFault => {
    if (isSessionOver) return unknown
    if (path === '/account') return { created: 'yesterday' }
    if (method === 'GET') return data['password'] === stored.password ? { secret: stored.secret } : unknown
    if (saving === undefined || saving.isDone)
      stored = { password: textOf(data['password']), secret: textOf(data['secret']) }
    return saving?.fault ?? {}
  }
  const api: Api = (call, decode) => {
    calls.push(`${call.method} ${call.path}`)
    const json = answer(call)
    if (typeof json === 'object' && json !== null && 'kind' in json)
      return Promise.resolve({ ok: false, fault: json as ApiFault })
    const decoded = decode(json)
    return Promise.resolve(
      decoded.ok ? { ok: true, value: decoded.value } : { ok: false, fault: { kind: 'unreadable', message: 'x' } },
    )
  }
  const work = (type: 'task.confirm' | 'task.change', typed = current): Promise<PassphraseFact | undefined> =>
    runPassphraseTask(
      { api, rememberPassword: (_, word) => Promise.resolve(void remembered.push(word)) },
      {
        command: {
          type,
          email: ' A@Example.org',
          publicKey: keys.publicKey,
          secrets: { current: typed, passphrase, passphraseAgain: passphrase },
        },
        signal: new AbortController().signal,
        report: () => undefined,
      },
    )
  return { work, calls, remembered, stored: () => stored }
}

describe('checking the passphrase', () => {
  it('confirms the right one, and changes nothing', async () => {
    const { work, calls } = await startServer()
    expect(await work('task.confirm')).toEqual({ type: 'passphrase.confirmed' })
    expect(calls).toEqual(['GET /account/secret'])
  })

  it('distinguishes a wrong passphrase from an expired session, which have the same status', async () => {
    const wrong = await startServer()
    expect(await wrong.work('task.confirm', 'not the passphrase')).toEqual({
      type: 'passphrase.failed',
      failure: { kind: 'wrong' },
    })
    const over = await startServer({ isSessionOver: true })
    expect(await over.work('task.confirm')).toEqual({ type: 'passphrase.failed', failure: unknown })
  })
})

describe('changing the passphrase', () => {
  it('keeps the key pair, which only the new passphrase decrypts [7.17, 7.18]', async () => {
    const { work, stored, remembered } = await startServer()
    expect(await work('task.change')).toEqual({ type: 'passphrase.changed' })
    const renewed = await deriveSecrets(email, passphrase)
    expect(stored().password).toBe(renewed.password)
    const opened = await unwrapSecret(renewed, stored().secret)
    expect(opened.ok && Buffer.from(opened.value).equals(Buffer.from(pkcs8))).toBe(true)
    const again = await unwrapSecret(await deriveSecrets(email, current), stored().secret)
    expect(again.ok && Buffer.from(again.value).equals(Buffer.from(pkcs8))).toBe(false)
    expect(remembered).toEqual([passphrase])
  })

  it.each([
    ['had its effect', true, { type: 'passphrase.changed' }],
    ['may have had none', false, { type: 'passphrase.failed', failure: { kind: 'unsure' } }],
  ])('asks again when the answer was lost: it %s', async (_, isDone, outcome) => {
    const { work, calls } = await startServer({ saving: { fault: lost, isDone } })
    expect(await work('task.change')).toEqual(outcome)
    expect(calls.at(-1)).toBe('GET /account/secret')
  })

  it('changes nothing without the current passphrase, or when the server refuses', async () => {
    const wrong = await startServer()
    await wrong.work('task.change', 'not the passphrase')
    expect(wrong.calls).not.toContain('PUT /account/secret')
    const refused: ApiFault = { kind: 'refused', status: 400, message: 'No' }
    const { work, remembered } = await startServer({ saving: { fault: refused, isDone: false } })
    expect(await work('task.change')).toEqual({ type: 'passphrase.failed', failure: refused })
    expect(remembered).toEqual([])
  })
})
