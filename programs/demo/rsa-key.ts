import { Buffer } from 'buffer'
import { bytesOf, numberOf } from './big-numbers.ts'

const INTEGER = 2
const BIT_STRING = 3
const OCTET_STRING = 4
const SEQUENCE = 0x30

/** The integers of a DER structure, in their order, also of those that are packed in strings. */
function integersOf(der: Uint8Array): readonly bigint[] {
  const found: bigint[] = []
  for (let at = 0; at + 1 < der.length;) {
    const type = der[at]
    let length = der[at + 1] ?? 0
    at += 2
    if (length >= 0x80) {
      const count = length - 0x80
      length = Number(numberOf(der.subarray(at, at + count)))
      at += count
    }
    const content = der.subarray(at, at + length)
    at += length
    if (type === INTEGER) found.push(numberOf(content))
    else if (type === SEQUENCE || type === OCTET_STRING) found.push(...integersOf(content))
    // Its first byte says how many bits at its end are not used: none.
    else if (type === BIT_STRING) found.push(...integersOf(content.subarray(1)))
  }
  return found
}

/** An RSA key: the part of Node's `KeyObject` that the network uses. `size`: of its modulus in bytes. */
export type Key = {
  readonly asymmetricKeyType: 'rsa'
  readonly asymmetricKeyDetails: { readonly modulusLength: number }
  readonly n: bigint
  readonly e: bigint
  readonly d: bigint | undefined
  readonly size: number
  readonly export: (options: { readonly format: string }) => Buffer | { readonly n: string }
}

function keyOf(der: Uint8Array, n: bigint | undefined, e: bigint | undefined, d: bigint | undefined): Key {
  if (n === undefined || e === undefined) throw new Error('This is no RSA key.')
  const size = Math.ceil(n.toString(16).length / 2)
  return {
    asymmetricKeyType: 'rsa',
    asymmetricKeyDetails: { modulusLength: 8 * size },
    n,
    e,
    d,
    size,
    export: ({ format }) => (format === 'jwk' ? { n: bytesOf(n, size).toString('base64url') } : Buffer.from(der)),
  }
}

type Written = { readonly key: Uint8Array }

/** Reads SPKI. */
export function publicKeyOf({ key }: Written): Key {
  const [n, e] = integersOf(key)
  return keyOf(key, n, e, undefined)
}

/** Reads PKCS #8, which begins with the versions of both its forms. */
export function privateKeyOf({ key }: Written): Key {
  const [, , n, e, d] = integersOf(key)
  return keyOf(key, n, e, d)
}
