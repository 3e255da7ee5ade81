import { createHash, generateKeyPairSync, sign as nodeSign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64.ts'
import {
  compactText,
  decryptWith,
  exportPrivateKey,
  generateKeyPair,
  idOf,
  idOfKey,
  importAccountKeys,
  isKeyPair,
  signedText,
  signText,
  verifyText,
} from './keys.ts'
import { encryptTo } from '../../../test/client-envelope.ts'

describe("An account's keys", () => {
  it('have an id derived from the modulus [3.20]', async () => {
    for (const modulusLength of [1024, 2048]) {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength })
      const { n = '' } = publicKey.export({ format: 'jwk' })
      const modulus = Buffer.from(n, 'base64url')
      const spki = publicKey.export({ type: 'spki', format: 'der' })
      const id = createHash('sha256').update(modulus).digest('base64url')
      expect(await idOf(spki)).toBe(id)
      expect(await idOf(spki.toString('base64'))).toBe(id)
    }
  })

  it('have no id when they are not RSA keys', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    for (const wrong of [
      spki,
      new Uint8Array(),
      new Uint8Array([0x30, 0x84, 1, 2]),
      new Uint8Array([0x30, 3, 0x30, 1, 0]),
    ]) {
      expect(await idOfKey(wrong)).toBeUndefined()
    }
    await expect(idOf('nonsense')).rejects.toThrow(TypeError)
  })

  it('sign and verify like other implementations', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const keys = await importAccountKeys(pkcs8, publicKey)
    const text = '{"name":"Zoë 🧬"}'
    const signature = nodeSign('sha256', Buffer.from(text), pair.privateKey)
    expect(encodeBase64(await signText(keys.sign, text))).toBe(signature.toString('base64'))
    expect(await verifyText(publicKey, signature, text)).toBe(true)
    expect(await verifyText(publicKey, signature.toString('base64url'), text)).toBe(true)
    expect(await verifyText(publicKey, signature, `${text} `)).toBe(false)
    expect(await verifyText('AAAA', signature, text)).toBe(false)
  })

  it('decrypt what was encrypted for them, and nothing else', async () => {
    const [keys, others] = await Promise.all([generateKeyPair(2048), generateKeyPair(2048)])
    const secret = new Uint8Array(32).fill(7)
    const encrypted = await encryptTo(keys.publicKey, secret)
    expect(await decryptWith(keys, encrypted)).toEqual(secret)
    expect(await decryptWith(others, encrypted)).toBeUndefined()
  })

  it('are checked to belong together', async () => {
    const [one, other] = await Promise.all([generateKeyPair(2048, true), generateKeyPair(2048)])
    expect(await isKeyPair(one)).toBe(true)
    expect(await isKeyPair(await importAccountKeys(await exportPrivateKey(one), other.publicKey))).toBe(false)
  })

  it('export the private key only when extractable', async () => {
    const open = await generateKeyPair(2048, true)
    const pkcs8 = await exportPrivateKey(open)
    const again = await importAccountKeys(pkcs8, open.publicKey)
    expect(await verifyText(open.publicKey, await signText(again.sign, 'x'), 'x')).toBe(true)
    expect({ sign: again.sign.extractable, decrypt: again.decrypt.extractable }).toEqual({
      sign: false,
      decrypt: false,
    })
    await expect(exportPrivateKey(again)).rejects.toThrow()
    expect(decodeBase64(open.publicKey)?.length).toBe(294)
  })

  it('can be posted to a worker', async () => {
    const keys = await generateKeyPair(2048)
    const copy = structuredClone(keys)
    expect(await verifyText(keys.publicKey, await signText(copy.sign, 'x'), 'x')).toBe(true)
  })
})

describe('The text that is signed', () => {
  it('is compact, in the order given, with line separators escaped', () => {
    expect(signedText({ time: '2026', b: [1, true, null], a: 'ü\u2028\u2029"\\\n' })).toBe(
      '{"time":"2026","b":[1,true,null],"a":"ü\\u2028\\u2029\\"\\\\\\n"}',
    )
  })

  it('of others may contain what we would not sign', () => {
    expect(compactText({ cpus: 1.5 })).toBe('{"cpus":1.5}')
  })
})
