const SEQUENCE = 0x30
const INTEGER = 0x02
const BIT_STRING = 0x03

type Element = { readonly tag: number; readonly content: Uint8Array; readonly rest: Uint8Array }

/**
 * The modulus of an RSA public key in SPKI form: big-endian, without leading zeros. `undefined` if invalid.
 * SPKI = SEQUENCE { SEQUENCE algorithm, BIT STRING { SEQUENCE { INTEGER modulus, INTEGER exponent } } } (RFC 5280, RFC 8017).
 */
export function modulusOf(spki: Uint8Array): Uint8Array | undefined {
  const outer = read(spki, SEQUENCE)
  const algorithm = outer && read(outer.content, SEQUENCE)
  const bits = algorithm && read(algorithm.rest, BIT_STRING)
  const key = bits && read(bits.content.subarray(1), SEQUENCE)
  const modulus = key && read(key.content, INTEGER)?.content
  const first = modulus?.findIndex(byte => byte !== 0)
  return first === undefined || first < 0 ? undefined : modulus?.subarray(first)
}

function read(bytes: Uint8Array, tag: number): Element | undefined {
  const [found, short] = bytes
  if (found !== tag || short === undefined) return undefined
  const lengthBytes = short < 0x80 ? 0 : short - 0x80
  if (lengthBytes > 3) return undefined
  let length = short < 0x80 ? short : 0
  for (let at = 0; at < lengthBytes; at++) length = length * 256 + (bytes[2 + at] ?? 0)
  const start = 2 + lengthBytes
  if (start + length > bytes.length) return undefined
  return { tag, content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) }
}
