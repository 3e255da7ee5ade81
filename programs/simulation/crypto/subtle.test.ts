import { constants, createPublicKey, privateDecrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import { createChances } from '../time/chance.ts'
import { encryptOaep, rsaPairOf } from './rsa.ts'
import { createSubtle } from './subtle.ts'

const chance = createChances(1)('crypto')
const real = crypto.subtle
const simulated = createSubtle(real, chance)
const text = new TextEncoder().encode('fold proteins for fun')
const iv = Uint8Array.from({ length: 16 }, (_, at) => at)

test('a digest is that of WebCrypto', async () => {
  expect(await simulated.digest('SHA-256', text)).toEqual(await real.digest('SHA-256', text))
})

test.each([
  ['AES-CBC', { name: 'AES-CBC', iv }],
  ['AES-GCM', { name: 'AES-GCM', iv: iv.slice(0, 12), additionalData: text }],
])('%s gives the same bytes, and each side opens what the other one sealed', async (name, algorithm) => {
  const key = await real.importKey('raw', new Uint8Array(32).fill(7), name, false, ['encrypt', 'decrypt'])
  const sealed = await real.encrypt(algorithm, key, text)
  expect(await simulated.encrypt(algorithm, key, text)).toEqual(sealed)
  expect(new Uint8Array(await simulated.decrypt(algorithm, key, sealed))).toEqual(text)
})

test('what was changed on its way cannot be opened, as in WebCrypto', async () => {
  const algorithm = { name: 'AES-GCM', iv: iv.slice(0, 12) }
  const key = await real.importKey('raw', new Uint8Array(32).fill(7), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const sealed = new Uint8Array(await real.encrypt(algorithm, key, text))
  sealed[0] = (sealed[0] ?? 0) ^ 1
  await expect(simulated.decrypt(algorithm, key, sealed)).rejects.toThrow(DOMException)
})

test('bits derived from a passphrase are those of WebCrypto', async () => {
  const key = await real.importKey('raw', text, 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: iv, iterations: 1000 }
  const derived = await real.deriveBits(algorithm, key, 256)
  expect(await simulated.deriveBits(algorithm, key, 256)).toEqual(derived)
  expect(await simulated.deriveBits(algorithm, key, 256)).toEqual(derived)
})

const signing = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 1024,
  publicExponent: Uint8Array.of(1, 0, 1),
}
const encrypting = { ...signing, name: 'RSA-OAEP' }

test('a signature is that of WebCrypto, and fits on both sides', async () => {
  const { privateKey, publicKey } = await real.generateKey(signing, false, ['sign', 'verify'])
  const signature = await real.sign(signing.name, privateKey, text)
  expect(await simulated.sign(signing.name, privateKey, text)).toEqual(signature)
  expect(await simulated.verify(signing.name, publicKey, signature, text)).toBe(true)
  expect(await simulated.verify(signing.name, publicKey, signature, iv)).toBe(false)
})

test('each side decrypts what the other one encrypted by RSA-OAEP', async () => {
  const { privateKey, publicKey } = await real.generateKey(encrypting, false, ['encrypt', 'decrypt'])
  const ours = await simulated.encrypt(encrypting, publicKey, text)
  expect(new Uint8Array(await real.decrypt(encrypting, privateKey, ours))).toEqual(text)
  const theirs = await real.encrypt(encrypting, publicKey, text)
  expect(new Uint8Array(await simulated.decrypt(encrypting, privateKey, theirs))).toEqual(text)
})

test('a key that must not leave is not exported, and one without a usage is not used', async () => {
  const { privateKey, publicKey } = await real.generateKey(signing, false, ['sign', 'verify'])
  await expect(simulated.exportKey('pkcs8', privateKey)).rejects.toThrow('not extractable')
  await expect(simulated.sign(signing.name, publicKey, text)).rejects.toThrow('may not sign')
})

test('an RSA key follows from its seed, and works with OpenSSL and WebCrypto', async () => {
  const [one, same, other] = [3, 3, 4].map(seed => rsaPairOf(1024, createChances(seed)('key')))
  const pkcs8 = (pair: typeof one) => pair?.privateKey.export({ format: 'der', type: 'pkcs8' })
  expect(pkcs8(one)).toEqual(pkcs8(same))
  expect(pkcs8(one)).not.toEqual(pkcs8(other))
  expect(one?.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 1024, publicExponent: 65_537n })
  const spki = createPublicKey(one?.privateKey ?? '').export({ format: 'der', type: 'spki' })
  const key = await real.importKey('spki', new Uint8Array(spki), encrypting, false, ['encrypt'])
  const sealed = await real.encrypt(encrypting, key, text)
  const opened = privateDecrypt(
    { key: one?.privateKey ?? '', padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    new Uint8Array(sealed),
  )
  expect(new Uint8Array(opened)).toEqual(text)
})

test('RSA-OAEP is repeated by its seed', () => {
  const { publicKey } = rsaPairOf(1024, createChances(3)('key'))
  const encrypt = (seed: number) => encryptOaep(publicKey, text, createChances(seed)('padding'))
  expect(encrypt(1)).toEqual(encrypt(1))
  expect(encrypt(1)).not.toEqual(encrypt(2))
})

test('a generated pair is extractable as asked', async () => {
  const pair = await simulated.generateKey({ ...signing, length: 0 }, true, ['sign', 'verify'])
  expect('privateKey' in pair && pair.privateKey.extractable).toBe(true)
  expect('privateKey' in pair && pair.privateKey.usages).toEqual(['sign'])
})
