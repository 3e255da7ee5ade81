import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { readPushKeys } from '../../push/push-keys.ts'
import { isPushService } from '../../push/push-services.ts'
import { openServerStore } from '../../store/sqlite.ts'
import { testMessage } from '../message.ts'
import { push } from './push.ts'

const NOW = Date.parse('2027-01-01T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'foldboard-push-'))
const settings = { kind: 'push', name: 'browser', contact: 'mailto:ana@example.org' } as const

afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllGlobals())

/** A browser with its keys, which can decrypt what a push service passes on. */
function browser(name: string) {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  const secret = randomBytes(16)
  return {
    subscription: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
      keys: { p256dh, auth: secret.toString('base64url') },
    },
    read: (body: Uint8Array): unknown => JSON.parse(decrypted(Buffer.from(body), pair, secret)),
  }
}

/** RFC 8291, one record of RFC 8188. */
function decrypted(body: Buffer, pair: ECDH, secret: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const seed = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), secret, info, 32))
  const key = Buffer.from(hkdfSync('sha256', seed, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', seed, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}

type Call = { readonly url: string; readonly headers: Headers; readonly body: Uint8Array }

/** Push services that answer with a status, by the end of the address. */
function services(statuses: Readonly<Record<string, number>> = {}): readonly Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', (url: string, { headers, body }: { headers: HeadersInit; body: Uint8Array }) => {
    calls.push({ url, headers: new Headers(headers), body })
    return Promise.resolve(new Response(null, { status: statuses[url.split('/').at(-1) ?? ''] ?? 201 }))
  })
  return calls
}

async function start(user?: string) {
  const store = await openServerStore(undefined)
  const keys = readPushKeys(folder)
  return {
    store,
    keys,
    channel: push.open(
      { ...settings, user },
      { subscriptions: store.push, pushKeys: keys, now: () => NOW, mqtt: undefined },
    ),
  }
}

describe('Web Push', () => {
  test('sends each browser a message that only it can read, and that replaces itself when it is repeated', async () => {
    const { store, keys, channel } = await start()
    const [phone, laptop] = [browser('phone'), browser('laptop')]
    await store.push.add({ ...phone.subscription, user: 'ana', created: 1 })
    await store.push.add({ ...laptop.subscription, user: 'bo', created: 2 })
    const calls = services()
    expect(await channel.send(testMessage('m-1', NOW, undefined))).toEqual({ kind: 'sent' })
    expect(calls.map(({ url }) => url.split('/').at(-1)).sort()).toEqual(['laptop', 'phone'])
    for (const { url, headers, body } of calls) {
      expect(headers.get('content-encoding')).toBe('aes128gcm')
      expect(headers.get('authorization')).toContain(keys.publicKey)
      expect(headers.get('ttl')).toBe('86400')
      expect(headers.get('topic')).toBe('m-1')
      expect(Buffer.from(body).toString('latin1')).not.toContain('Foldboard')
      expect((url.endsWith('phone') ? phone : laptop).read(body)).toMatchObject({
        id: 'm-1',
        title: 'Foldboard can reach you',
      })
    }
  })

  test('a message that is too long is shortened: services take 4096 bytes', async () => {
    const { store, channel } = await start()
    const phone = browser('phone')
    await store.push.add({ ...phone.subscription, user: 'ana', created: 1 })
    const calls = services()
    const message = { ...testMessage('m', NOW, undefined), title: '😀'.repeat(500), body: '😀'.repeat(5000) }
    expect(await channel.send(message)).toEqual({ kind: 'sent' })
    expect(calls[0]?.body.length).toBeLessThanOrEqual(4096)
  })

  test('only browsers of the user get the message; without any it fails', async () => {
    const { store, channel } = await start('ana')
    const calls = services()
    await store.push.add({ ...browser('laptop').subscription, user: 'bo', created: 1 })
    expect(await channel.send(testMessage('m', NOW, undefined))).toMatchObject({ kind: 'refused' })
    expect(calls).toEqual([])
  })

  test('a browser that has ended its subscription, and one with keys that are none, are removed', async () => {
    const { store, channel } = await start()
    for (const name of ['gone', 'unknown', 'busy'])
      await store.push.add({ ...browser(name).subscription, user: 'ana', created: 1 })
    const { endpoint } = browser('broken').subscription
    await store.push.add({ endpoint, keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }, user: 'ana', created: 1 })
    await store.push.add({ ...browser('x').subscription, endpoint: 'https://10.0.0.1/x', user: 'ana', created: 1 })
    const calls = services({ gone: 410, unknown: 404, busy: 503 })
    expect(await channel.send(testMessage('m', NOW, undefined))).toMatchObject({ kind: 'failed' })
    expect(calls.map(({ url }) => url).filter(url => url.includes('10.0.0.1'))).toEqual([])
    expect((await store.push.list(undefined)).map(each => each.endpoint.split('/').at(-1))).toEqual(['busy'])
    expect((await store.push.list('bo')).length).toBe(0)
  })

  test.each([
    ['https://fcm.googleapis.com/fcm/send/abc', true],
    ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
    ['https://web.push.apple.com/abc', true],
    ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
    ['http://fcm.googleapis.com/fcm/send/abc', false],
    ['https://fcm.googleapis.com:8443/abc', false],
    ['https://ana@fcm.googleapis.com/abc', false],
    ['https://fcm.googleapis.com.example.org/abc', false],
    ['https://evilpush.apple.com.example.org/', false],
    ['https://notpush.apple.example/', false],
    ['https://127.0.0.1/', false],
    ['https://localhost/', false],
    ['nothing', false],
  ])('%s is an address of a push service: %s', (address, isOne) => {
    expect(isPushService(address)).toBe(isOne)
  })

  test('keys are made once, only for their owner to read', () => {
    const first = readPushKeys(folder)
    expect(readPushKeys(folder)).toEqual(first)
    const path = join(folder, 'push.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o644)
    expect(() => readPushKeys(folder)).toThrow('can be read by others')
    chmodSync(path, 0o600)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, '{}')
    expect(() => readPushKeys(folder)).toThrow('has no keys for Web Push')
    writeFileSync(path, text)
    expect(readPushKeys(folder)).toEqual(first)
  })

  test('subscriptions of one user are limited, and one browser belongs to one user', async () => {
    const { store } = await start()
    for (let at = 0; at < 25; at++)
      await store.push.add({ ...browser(`b${at}`).subscription, user: 'ana', created: at })
    const subscriptions = await store.push.list('ana')
    expect(subscriptions.length).toBe(20)
    expect(subscriptions[0]?.created).toBe(5)
    const shared = subscriptions[3]
    if (shared === undefined) throw new Error('There is no fourth.')
    await store.push.add({ ...shared, user: 'bo' })
    expect((await store.push.list('ana')).length).toBe(19)
    expect((await store.push.list('bo')).length).toBe(1)
    await store.push.remove(shared.endpoint, 'ana')
    expect((await store.push.list('bo')).length).toBe(1)
    await store.push.remove(shared.endpoint, 'bo')
    expect((await store.push.list('bo')).length).toBe(0)
  })
})
