import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSessionCipher, openClientLogin } from '../../../src/protocol/crypto/envelope.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { generateKeyPair } from '../../../src/protocol/crypto/keys.ts'
import { decodeNodeToClientMessage, decodeRelayMessage } from '../../../src/protocol/relay/relay-message.ts'
import { generateRsaKey } from '../keys.ts'
import { createClientLogin } from './client-cipher.ts'

/** The client's side here against the account's side in src/protocol. */
const account = await generateKeyPair(2_048)
const client = await generateRsaKey(1_024)
const accountKey = createPublicKey({ key: Buffer.from(account.publicKey, 'base64'), format: 'der', type: 'spki' })
const NOW = Date.UTC(2026, 10, 20, 12, 0, 0)

async function meet() {
  const login = createClientLogin(client, { key: accountKey, id: account.id }, NOW)
  const connect = decodeRelayMessage(`{"type":"connect","client":${login.text}}`)
  if (!connect.ok || connect.value.type !== 'connect') throw new Error('The login cannot be read')
  const opened = await openClientLogin(account, connect.value.client)
  if (!opened.ok) throw new Error(opened.fault.kind)
  return {
    login,
    opened: opened.value,
    page: createSessionCipher({ client: client.id, session: 's "1"', key: opened.value.sessionKey }),
  }
}

function orderOf(text: string) {
  const order = decodeNodeToClientMessage(text)
  if (!order.ok || order.value.type !== 'message') throw new Error('No message')
  return order.value
}

test('an account accepts the login, which has the time', async () => {
  const { login, opened } = await meet()

  expect(opened.id).toBe(client.id)
  expect(JSON.parse(login.text)).toMatchObject({ payload: { time: '2026-11-20T12:00:00Z' } })
})

test.each<[string, Json, boolean]>([
  ['a change', ['units', 0, 'eta', '2h 5m'], false],
  ['text beyond ASCII', ['config', 'user', 'Jürgen 🧬\u2028'], false],
  ['a long list, zipped', ['log', Array.from({ length: 500 }, (_, line) => `12:00:00:I1:line ${line}`)], true],
  ['frames, written without spaces', ['viz', 'unit', 'frames', 0, [[0.5, 1, -2]]], false],
])('%s is decrypted unchanged', async (_what, content, isZipped) => {
  const { login, page } = await meet()
  const text = login.cipher.seal('s "1"', content)
  const message = decodeRelayMessage(text)
  if (!message.ok || message.value.type !== 'message') throw new Error('No message')

  expect(message.value.compression).toBe(isZipped ? 'gzip' : undefined)
  expect(await page.open(message.value)).toEqual({ ok: true, value: content, faults: [] })
})

test('a command is decrypted once; a replay is rejected', async () => {
  const { login, page } = await meet()
  const order = orderOf(await page.sealCommand({ cmd: 'state', state: 'pause' }))

  expect(login.cipher.open(order)).toEqual({
    type: 'message',
    session: 's "1"',
    content: { cmd: 'state', state: 'pause' },
  })
  expect(login.cipher.open(order)).toBeUndefined()
})

test.each([
  ['a short IV', { iv: 'AAAA', payload: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['what was sealed with another key', { iv: 'AAAAAAAAAAAAAAAAAAAAAA', payload: 'AAAAAAAAAAAAAAAAAAAAAA' }],
])('%s is rejected', async (_what, order) => {
  const { login } = await meet()

  expect(login.cipher.open(order)).toBeUndefined()
})
