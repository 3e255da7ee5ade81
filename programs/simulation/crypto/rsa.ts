import {
  checkPrimeSync,
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  type KeyObject,
} from 'node:crypto'
import type { Chance } from '../time/chance.ts'

const EXPONENT = 65_537n

function bytesOf(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, value % modulus]
  let [before, now] = [0n, 1n]
  while (current !== 0n) {
    const quotient = previous / current
    ;[previous, current] = [current, previous - quotient * current]
    ;[before, now] = [now, before - quotient * now]
  }
  return ((before % modulus) + modulus) % modulus
}

function primeOf(bits: number, chance: Chance): bigint {
  const bytes = new Uint8Array(bits / 8)
  for (;;) {
    chance.fill(bytes)
    // Both upper bits, so that the product of two has all its bits, and odd.
    bytes[0] = (bytes[0] ?? 0) | 0xc0
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1
    const candidate = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate
  }
}

export type RsaPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject }

/** An RSA key that follows from the chance alone; Node's own generator takes no seed. */
export function rsaPairOf(bits: number, chance: Chance): RsaPair {
  const p = primeOf(bits / 2, chance)
  const q = primeOf(bits / 2, chance)
  if (p === q) return rsaPairOf(bits, chance)
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const text = (value: bigint): string => bytesOf(value).toString('base64url')
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: text(p * q),
      e: text(EXPONENT),
      d: text(d),
      p: text(p),
      q: text(q),
      dp: text(d % (p - 1n)),
      dq: text(d % (q - 1n)),
      qi: text(inverse(q, p)),
    },
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** MGF1 of RFC 8017, B.2.1. */
function maskOf(seed: Uint8Array, length: number): Buffer {
  return Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, count) => {
      const counter = Buffer.alloc(4)
      counter.writeUInt32BE(count)
      return sha256(Buffer.concat([seed, counter]))
    }),
  ).subarray(0, length)
}

function xor(a: Uint8Array, b: Uint8Array): Buffer {
  return Buffer.from(a.map((byte, at) => byte ^ (b[at] ?? 0)))
}

/** RSA-OAEP with SHA-256 (RFC 8017, 7.1.1) whose padding is random by the chance; OpenSSL's cannot be repeated. */
export function encryptOaep(key: KeyObject, message: Uint8Array, chance: Pick<Chance, 'fill'>): Buffer {
  const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  const room = size - 66 - message.length
  if (room < 0) throw new RangeError('The message is too long for this key.')
  const seed = new Uint8Array(32)
  chance.fill(seed)
  const block = Buffer.concat([sha256(Buffer.alloc(0)), Buffer.alloc(room), Buffer.of(1), message])
  const maskedBlock = xor(block, maskOf(seed, block.length))
  const maskedSeed = xor(seed, maskOf(maskedBlock, 32))
  return publicEncrypt(
    { key, padding: constants.RSA_NO_PADDING },
    Buffer.concat([Buffer.of(0), maskedSeed, maskedBlock]),
  )
}
