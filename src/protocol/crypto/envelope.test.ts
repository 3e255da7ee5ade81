import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64Url } from './base64.ts'
import { randomBytes } from './bytes.ts'
import type { SessionCipher } from './envelope.ts'
import { createBroadcast, createLogin, createSessionCipher, openClientLogin, verifyBroadcast } from './envelope.ts'
import { createIvSet } from './iv-set.ts'
import type { AccountKeys } from './keys.ts'
import { compactText, generateKeyPair, importAccountKeys, signText, verifyText } from './keys.ts'
import type { ClientCipher } from '../../../test/client-envelope.ts'
import { createClientCipher, createClientLogin, gzip } from '../../../test/client-envelope.ts'
import type { Broadcast, FromClient, ClientLogin, ToClient } from '../relay/relay-message.ts'
import { decodeAccountMessage, decodeClientToNodeMessage, decodeRelayMessage } from '../relay/relay-message.ts'
import { createSealer, openPayload } from './sealing.ts'

const TIME = '2026-11-20T14:53:27Z'

function aesKey(bytes = randomBytes(32)) {
  return crypto.subtle.importKey('raw', bytes, 'AES-CBC', false, ['encrypt', 'decrypt'])
}

function fromClient(text: string): FromClient {
  const decoded = decodeRelayMessage(text)
  if (!decoded.ok || decoded.value.type !== 'message') throw new Error(`no message: ${text}`)
  return decoded.value
}

function toClient(text: string): ToClient {
  const decoded = decodeAccountMessage(text)
  if (!decoded.ok || decoded.value.type !== 'message') throw new Error(`no message: ${text}`)
  return decoded.value
}

describe('Between an account and a client', () => {
  let account: AccountKeys
  let client: AccountKeys
  beforeAll(async () => {
    ;[account, client] = await Promise.all([generateKeyPair(2048), generateKeyPair(2048)])
  })

  const clientLogin = (text: string): ClientLogin => {
    const decoded = decodeClientToNodeMessage(text)
    if (!decoded.ok || decoded.value.type !== 'login') throw new Error('no login')
    return decoded.value
  }

  it('a client’s login shares a session key', async () => {
    const side = await createClientLogin(client, account.publicKey, TIME)
    const login = await openClientLogin(account, clientLogin(side.login))
    if (!login.ok) throw new Error(login.fault.kind)
    expect(login.value.id).toBe(client.id)
    const cipher = createSessionCipher({ client: login.value.id, session: 'sid', key: login.value.sessionKey })
    expect(await side.cipher.open(toClient(await cipher.sealOpen()))).toEqual({
      ok: true,
      value: { type: 'session-open', session: 'sid' },
      faults: [],
    })
    expect(await side.cipher.open(toClient(await cipher.sealCommand({ cmd: 'restart' })))).toEqual({
      ok: true,
      value: { type: 'message', session: 'sid', content: { cmd: 'restart' } },
      faults: [],
    })
    expect(await cipher.open(fromClient(await side.cipher.seal('sid', ['config', 'user', 'Ünï 🧬'])))).toEqual({
      ok: true,
      value: ['config', 'user', 'Ünï 🧬'],
      faults: [],
    })
  })

  it('a login with another signature is refused [8.10]', async () => {
    const login = clientLogin((await createClientLogin(client, account.publicKey, TIME)).login)
    expect(
      await openClientLogin(account, { ...login, payload: { ...login.payload, time: '2026-11-20T14:53:28Z' } }),
    ).toEqual({ ok: false, fault: { kind: 'invalid-machine-signature' } })
    expect(await openClientLogin(account, { ...login, pubkey: account.publicKey })).toEqual({
      ok: false,
      fault: { kind: 'invalid-machine-signature' },
    })
    expect(await openClientLogin(account, { ...login, pubkey: 'nonsense' })).toEqual({
      ok: false,
      fault: { kind: 'invalid-machine-signature' },
    })
  })

  it('a login for another account is refused [8.10]', async () => {
    const other = await generateKeyPair(2048)
    const login = clientLogin((await createClientLogin(client, other.publicKey, TIME)).login)
    expect(await openClientLogin(account, login)).toEqual({
      ok: false,
      fault: { kind: 'wrong-account', login: other.id, account: account.id },
    })
  })

  it('a login whose key cannot be opened is refused', async () => {
    const payload = { time: TIME, account: account.id, key: 'AAAA' }
    const signature = encodeBase64Url(await signText(client.sign, compactText(payload)))
    expect(await openClientLogin(account, { type: 'login', payload, signature, pubkey: client.publicKey })).toEqual({
      ok: false,
      fault: { kind: 'undecryptable' },
    })
  })

  it('an account signs its login over the bytes that it sends [6.7]', async () => {
    const text = await createLogin(account, { time: TIME, session: 'x\u2028y' })
    const decoded = decodeAccountMessage(text)
    if (!decoded.ok || decoded.value.type !== 'login') throw new Error('no login')
    const { payload, pubkey, signature } = decoded.value
    expect({ payload, pubkey }).toEqual({ payload: { time: TIME, session: 'x\u2028y' }, pubkey: account.publicKey })
    expect(text).toContain(`"payload":{"time":"${TIME}","session":"x\\u2028y"}`)
    expect(await verifyText(pubkey, signature, `{"time":"${TIME}","session":"x\\u2028y"}`)).toBe(true)
  })

  it('a broadcast verifies with the keys in the order sent, and not when anything was changed', async () => {
    const payload = { cmd: 'config', time: TIME, config: { user: 'Zoë <b>', team: 42, groups: {} }, a: [1, null] }
    const decoded = decodeRelayMessage(await createBroadcast(account, payload))
    if (!decoded.ok || decoded.value.type !== 'broadcast') throw new Error('no broadcast')
    const broadcast: Broadcast = decoded.value
    expect(broadcast.payload).toEqual(payload)
    expect(await verifyBroadcast(account.publicKey, broadcast)).toBe(true)
    expect(await verifyBroadcast(client.publicKey, broadcast)).toBe(false)
    expect(
      await verifyBroadcast(account.publicKey, { ...broadcast, payload: { ...broadcast.payload, cmd: 'restart' } }),
    ).toBe(false)
    expect(await verifyBroadcast(account.publicKey, { ...broadcast, signature: '!' })).toBe(false)
  })

  it.each([[{ cpus: 1.5 }], [{ big: 2 ** 53 }], [{ 5: 'x' }], [{ inner: { list: [{ 0: 1 }] } }], [{ zero: -0 }]])(
    'the payload %j is never signed, since verifiers write it differently',
    async extra => {
      await expect(createBroadcast(account, { cmd: 'config', time: TIME, ...extra })).rejects.toThrow(TypeError)
    },
  )
})

describe('A session', () => {
  const pair = async (limitless: { session?: string } = {}) => {
    const key = await aesKey()
    return {
      key,
      machine: createClientCipher('machine-1', key),
      account: createSessionCipher({ client: 'machine-1', session: limitless.session ?? 'sid', key }),
    }
  }

  const seal = async (client: ClientCipher, content: number | string, session = 'sid') =>
    fromClient(await client.seal(session, content))

  it('opens messages in the order in which they came, however long each takes', async () => {
    const { machine: client, account } = await pair()
    const long = 'x'.repeat(3_000_000)
    const messages = [await seal(client, long), ...(await Promise.all([1, 2, 3].map(n => seal(client, n))))]
    const order: unknown[] = []
    await Promise.all(
      messages.map(message => account.open(message).then(result => order.push(result.ok && result.value))),
    )
    expect(order).toEqual([long, 1, 2, 3])
  })

  it('zips what is longer than 10,000 bytes and reads it again', async () => {
    const { machine: client, account } = await pair()
    const message = await seal(client, 'y'.repeat(20_000))
    expect(message.compression).toBe('gzip')
    expect(message.payload.length).toBeLessThan(1000)
    expect(await account.open(message)).toEqual({ ok: true, value: 'y'.repeat(20_000), faults: [] })
    expect((await seal(client, 'y'.repeat(5000))).compression).toBeUndefined()
  })

  it('refuses a message that is replayed', async () => {
    const { machine: client, account } = await pair()
    const message = await seal(client, 1)
    expect(await account.open(message)).toMatchObject({ ok: true, value: 1 })
    expect(await account.open(message)).toEqual({ ok: false, fault: { kind: 'iv-reused' } })
  })

  it('refuses a message of its own that is sent back to it', async () => {
    const { account } = await pair()
    const { iv, payload } = toClient(await account.sealCommand({ cmd: 'restart' }))
    expect(await account.open({ type: 'message', client: 'machine-1', session: 'sid', iv, payload })).toEqual({
      ok: false,
      fault: { kind: 'iv-reused' },
    })
  })

  it('refuses what is for another session or client, outside or inside [8.10]', async () => {
    const { machine: client, account, key } = await pair()
    const wrong = { ok: false, fault: { kind: 'wrong-session' } }
    expect(await account.open(await seal(client, 1, 'other'))).toEqual(wrong)
    expect(await account.open({ ...(await seal(client, 1, 'other')), session: 'sid' })).toEqual(wrong)
    const stranger = createClientCipher('machine-2', key)
    expect(await account.open(await seal(stranger, 1))).toEqual(wrong)
  })

  it('refuses what it cannot decrypt', async () => {
    const { machine: client, account } = await pair()
    const other = await pair()
    const undecryptable = { ok: false, fault: { kind: 'undecryptable' } }
    // Padding that another key makes fits by chance once in 256 times.
    const foreign = { ok: false, fault: { kind: expect.stringMatching(/^(?:undecryptable|not-json)$/) as string } }
    expect(await account.open(await seal(other.machine, 'a value of some length'))).toEqual(foreign)
    const message = await seal(client, 1)
    expect(await account.open({ ...message, iv: 'AAAA' })).toEqual(undecryptable)
    expect(await account.open({ ...message, payload: '***' })).toEqual(undecryptable)
    expect(await account.open({ ...message, compression: 'gzip' })).toEqual(undecryptable)
  })

  it('refuses what is not JSON inside, and goes on', async () => {
    const { machine: client, account, key } = await pair()
    const { iv, payload } = await createSealer(key).seal('{"session":"sid",')
    expect(await account.open({ type: 'message', client: 'machine-1', session: 'sid', iv, payload })).toEqual({
      ok: false,
      fault: { kind: 'not-json' },
    })
    expect(await account.open(await seal(client, 2))).toEqual({ ok: true, value: 2, faults: [] })
  })

  it('refuses a small message that unzips to more than 64 MiB', async () => {
    const { account, key } = await pair()
    const bomb = await gzip(new Uint8Array(64 * 1024 * 1024 + 1))
    const { iv, payload } = await createSealer(key).seal(bomb)
    expect(
      await account.open({ type: 'message', client: 'machine-1', session: 'sid', iv, payload, compression: 'gzip' }),
    ).toEqual({ ok: false, fault: { kind: 'too-large', limit: 64 * 1024 * 1024 } })
  })

  it('reports when a key has seen too many IVs, and can still tell the client to restart [8.10, 12.6]', async () => {
    const key = await aesKey()
    const ivs = createIvSet(1)
    const sealer = createSealer(key, ivs)
    await sealer.seal('{}')
    const { iv, payload } = await createSealer(key).seal('{}')
    expect(await openPayload(key, ivs, { iv, payload })).toEqual({ ok: false, fault: { kind: 'too-many-ivs' } })
    expect(decodeBase64((await sealer.seal('{}')).iv)?.length).toBe(16)
  })

  it('uses UTF-8 and takes either alphabet, padded or not [12.14]', async () => {
    const { machine: client, account } = await pair()
    const text = '蛋白质 🧬 ñ'
    const message = await seal(client, text)
    const standard = message.payload.replaceAll('-', '+').replaceAll('_', '/')
    const padded = standard + '='.repeat((4 - (standard.length % 4)) % 4)
    expect(await account.open({ ...message, payload: padded })).toEqual({ ok: true, value: text, faults: [] })
  })
})

const captures = '../shared/captures'

describe.skipIf(!existsSync(`${captures}/relay-account.jsonl`))(
  'The recorded relay (skipped when ../shared/captures is absent)',
  () => {
    type Line = { dir: string; type: string; raw: string; socket?: string }
    const lines = () =>
      readFileSync(`${captures}/relay-account.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Line)

    it('opens with its real key, and every message reports what was noted beside it', async () => {
      const { pkcs8, spki } = JSON.parse(readFileSync(`${captures}/relay-account-key.json`, 'utf8')) as {
        pkcs8: string
        spki: string
      }
      const account = await importAccountKeys(decodeBase64(pkcs8) ?? new Uint8Array(), spki)
      expect(account.id).toBe('3jTFyp89VdfvbStZT-XinT7fxtaKRZ4Hufski4cKBD0')
      const ciphers = new Map<string, SessionCipher>()
      const sessions = new Map([
        ['A', '8Lq7DN0vNus80s09'],
        ['B', 'axhZ5CFoyA1uQDtN'],
      ])
      const opened: unknown[] = []
      const noted: unknown[] = []
      const broadcasts: boolean[] = []
      for (const { dir, type, raw, socket = '' } of lines()) {
        if (type === 'decoded') noted.push(JSON.parse(raw))
        if (dir !== 'in' || type !== 'text') continue
        const decoded = decodeRelayMessage(raw)
        if (!decoded.ok) throw new Error(decoded.fault.kind)
        const message = decoded.value
        const session = sessions.get(socket) ?? ''
        if (message.type === 'broadcast') broadcasts.push(await verifyBroadcast(spki, message))
        if (message.type === 'disconnect') ciphers.delete(socket)
        if (message.type === 'connect') {
          const login = await openClientLogin(account, message.client)
          if (!login.ok) throw new Error(login.fault.kind)
          expect(login.value.id).toBe('7jpWGH1vP4RtjXhInDj_sUnK-Y2yqGvUd5XDuUjxHN4')
          ciphers.set(socket, createSessionCipher({ client: login.value.id, session, key: login.value.sessionKey }))
        }
        if (message.type === 'message') {
          const result = await ciphers.get(socket)?.open(message)
          opened.push(result?.ok ? { session, content: result.value } : result)
        }
      }
      expect(opened.length).toBe(60)
      expect(opened).toEqual(noted)
      expect(broadcasts).toEqual([true, true, true, true, true])
    })
  },
)
