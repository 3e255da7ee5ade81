import { decodeBase64, encodeBase64, encodeBase64Url } from './base64.ts'
import { type Bytes, ownBytes, sha256, utf8Bytes } from './bytes.ts'
import { modulusOf } from './der.ts'
import { type Json, type JsonObject, isJsonList } from '../json.ts'

/** An account's key pair. It can be cloned and stored; the private keys may be non-extractable. */
export type AccountKeys = {
  /** SPKI, standard base64, padded. */
  readonly publicKey: string
  /** base64url of the SHA-256 of the modulus. */
  readonly id: string
  readonly sign: CryptoKey
  readonly decrypt: CryptoKey
}

const SIGNING = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
/** The algorithm of `decrypt`. */
export const ENCRYPTING = { name: 'RSA-OAEP', hash: 'SHA-256' }
const EXPONENT = new Uint8Array([1, 0, 1])

/** A new RSA pair with exponent 65537. `bits`: 4096 on the real network. */
export async function generateKeyPair(bits = 4096, extractable = false): Promise<AccountKeys> {
  const pair = await crypto.subtle.generateKey({ ...SIGNING, modulusLength: bits, publicExponent: EXPONENT }, true, [
    'sign',
    'verify',
  ])
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey)
  return importAccountKeys(new Uint8Array(pkcs8), encodeBase64(new Uint8Array(spki)), extractable)
}

/** Imports a PKCS#8 private key. Rejects when it is invalid. */
export async function importAccountKeys(
  pkcs8: Uint8Array,
  publicKey: string,
  extractable = false,
): Promise<AccountKeys> {
  const bytes = ownBytes(pkcs8)
  const [sign, decrypt, id] = await Promise.all([
    crypto.subtle.importKey('pkcs8', bytes, SIGNING, extractable, ['sign']),
    crypto.subtle.importKey('pkcs8', bytes, ENCRYPTING, extractable, ['decrypt']),
    idOf(publicKey),
  ])
  return { publicKey, id, sign, decrypt }
}

/** Whether the private key belongs to the public one; a server's may not. */
export async function isKeyPair({ publicKey, sign }: AccountKeys): Promise<boolean> {
  return verifyText(publicKey, await signText(sign, publicKey), publicKey)
}

/** PKCS#8 of extractable keys; rejects for others. */
export async function exportPrivateKey(keys: AccountKeys): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.sign))
}

/** The id of an account or a client. Takes SPKI as bytes or base64; rejects with a TypeError for anything else. */
export async function idOf(spki: Uint8Array | string): Promise<string> {
  const id = await idOfKey(spki)
  if (id === undefined) throw new TypeError('Not an RSA public key')
  return id
}

/** As `idOf`, for untrusted keys: `undefined` when it is not an RSA public key. */
export async function idOfKey(spki: Uint8Array | string): Promise<string | undefined> {
  const bytes = typeof spki === 'string' ? decodeBase64(spki) : spki
  const modulus = bytes && modulusOf(bytes)
  return modulus && encodeBase64Url(await sha256(ownBytes(modulus)))
}

export async function signText(key: CryptoKey, text: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign(SIGNING, key, utf8Bytes(text)))
}

/** Whether `signature` (bytes, or base64 of either kind) is that of `text` by the owner of `publicKey` (SPKI base64). */
export async function verifyText(publicKey: string, signature: Uint8Array | string, text: string): Promise<boolean> {
  const spki = decodeBase64(publicKey)
  const signed = typeof signature === 'string' ? decodeBase64(signature) : ownBytes(signature)
  if (!spki || !signed) return false
  try {
    const key = await crypto.subtle.importKey('spki', spki, SIGNING, false, ['verify'])
    return await crypto.subtle.verify(SIGNING, key, signed, utf8Bytes(text))
  } catch {
    return false
  }
}

/** `undefined` when it was not encrypted for these keys. */
export async function decryptWith(keys: AccountKeys, encrypted: Bytes): Promise<Bytes | undefined> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(ENCRYPTING, keys.decrypt, encrypted))
  } catch {
    return undefined
  }
}

/** A payload as verifiers serialize it: compact, in the order sent, U+2028 and U+2029 escaped (docs/protocol.md §15). */
export function compactText(payload: object): string {
  return JSON.stringify(payload).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/**
 * The text of a payload to sign and send. Throws a TypeError for what verifiers would serialize differently: numbers that
 * are not safe integers, and keys that look like integers.
 */
export function signedText(payload: JsonObject): string {
  assertSignable(payload)
  return compactText(payload)
}

const INTEGER_LIKE = /^(?:0|[1-9]\d*)$/

function assertSignable(value: Json): void {
  if (typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0))) {
    throw new TypeError(`A signed payload can only contain integers, not ${value}`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (!isJsonList(value) && INTEGER_LIKE.test(key))
      throw new TypeError(`A signed payload cannot have the key "${key}"`)
    assertSignable(item)
  }
}
