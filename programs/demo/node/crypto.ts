import type { KeyObject } from 'node:crypto'
import { Buffer } from 'buffer'
import { cbc } from '@noble/ciphers/aes.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encryptOaep } from '../../simulation/crypto/rsa.ts'
import { publicKeyOf, privateKeyOf, type Key } from '../rsa-key.ts'
import { power, bytesOf, numberOf } from '../big-numbers.ts'

/*
 * The part of node:crypto that the network uses. Its sockets need answers at once, and the browser's own cryptography has
 * none: that makes keys and random numbers.
 */

export { publicKeyOf as createPublicKey, privateKeyOf as createPrivateKey }

type Encoding = 'hex' | 'base64' | 'base64url'

export function randomBytes(length: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
}

export function randomInt(limit: number): number {
  return Math.floor(Math.random() * limit)
}

export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

export function createHash(name: string) {
  if (name !== 'sha256') throw new Error(`The demo does not know the hash ${name}.`)
  const hash = sha256.create()
  const digest = (encoding?: Encoding): Buffer | string => {
    const bytes = Buffer.from(hash.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
  return {
    update(data: string | Uint8Array) {
      hash.update(typeof data === 'string' ? Buffer.from(data, 'utf8') : data)
      return this
    },
    digest,
  }
}

const NOTHING = Buffer.alloc(0)

/** A cipher whose text comes in one part: `turn` encrypts or decrypts it. */
function cipherOf(turn: (bytes: Uint8Array) => Uint8Array) {
  return { update: (bytes: Uint8Array): Buffer => Buffer.from(turn(bytes)), final: (): Buffer => NOTHING }
}

export function createCipheriv(_name: 'aes-256-cbc', key: Uint8Array, iv: Uint8Array) {
  return cipherOf(bytes => cbc(key, iv).encrypt(bytes))
}

export function createDecipheriv(_name: 'aes-256-cbc', key: Uint8Array, iv: Uint8Array) {
  return cipherOf(bytes => cbc(key, iv).decrypt(bytes))
}

export const constants = { RSA_NO_PADDING: 3, RSA_PKCS1_OAEP_PADDING: 4 }

const chance = { fill: (bytes: Uint8Array): void => bytes.set(randomBytes(bytes.length)) }

export function publicEncrypt(
  { key, padding }: { readonly key: Key; readonly padding: number },
  message: Uint8Array,
): Buffer {
  if (padding === constants.RSA_NO_PADDING) return bytesOf(power(numberOf(message), key.e, key.n), key.size)
  return encryptOaep(key as unknown as KeyObject, message, chance)
}

/** What precedes a SHA-256 in a signature (RFC 8017, 9.2). */
const SHA256_PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex')

function signedBlock(text: Uint8Array, { size }: Key): Buffer {
  const end = Buffer.concat([SHA256_PREFIX, sha256(text)])
  return Buffer.concat([Buffer.of(0, 1), Buffer.alloc(size - end.length - 3, 0xff), Buffer.of(0), end])
}

export function sign(_hash: 'sha256', text: Uint8Array, key: Key): Buffer {
  if (key.d === undefined) throw new Error('Only a private key signs.')
  return bytesOf(power(numberOf(signedBlock(text, key)), key.d, key.n), key.size)
}

export function verify(_hash: 'sha256', text: Uint8Array, key: Key, signature: Uint8Array): boolean {
  return (
    signature.length === key.size &&
    bytesOf(power(numberOf(signature), key.e, key.n), key.size).equals(signedBlock(text, key))
  )
}

type KeyPair = { readonly publicKey: Key; readonly privateKey: Key }

export function generateKeyPair(
  _type: 'rsa',
  { modulusLength }: { readonly modulusLength: number },
  callback: (error: unknown, pair?: KeyPair) => void,
): void {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength,
    publicExponent: Uint8Array.of(1, 0, 1),
  }
  const make = async (): Promise<KeyPair> => {
    const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const [spki, pkcs8] = await Promise.all([
      crypto.subtle.exportKey('spki', pair.publicKey),
      crypto.subtle.exportKey('pkcs8', pair.privateKey),
    ])
    return {
      publicKey: publicKeyOf({ key: new Uint8Array(spki) }),
      privateKey: privateKeyOf({ key: new Uint8Array(pkcs8) }),
    }
  }
  make().then(pair => callback(null, pair), callback)
}
