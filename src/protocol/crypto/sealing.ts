import { decodeBase64, encodeBase64Url } from './base64.ts'
import { type Bytes, randomBytes, utf8Bytes, utf8Text } from './bytes.ts'
import { type Result, bad, good } from '../fault.ts'
import { gunzip } from '../gzip.ts'
import { type IvSet, createIvSet, IV_BYTES } from './iv-set.ts'
import { type JsonObject, isJsonObject, MAX_MESSAGE_BYTES, parseMessage } from '../json.ts'
import { createOrderedQueue } from '../ordered-queue.ts'

/** AES-256-CBC of UTF-8 JSON, for both ends of a session (docs/protocol.md §11.2, §11.3). */

export type Sealed = { readonly iv: string; readonly payload: string }

export type Sealer = {
  /** The IVs used with this key, in both directions. */
  readonly ivs: IvSet
  /** Base64url, unpadded. Results come in the order of the calls. */
  seal(text: string | Bytes): Promise<Sealed>
}

export function createSealer(key: CryptoKey, ivs: IvSet = createIvSet()): Sealer {
  const inOrder = createOrderedQueue()
  const encrypt = async (text: string | Bytes): Promise<Sealed> => {
    const iv = freshIv(ivs)
    const bytes = typeof text === 'string' ? utf8Bytes(text) : text
    const payload = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, bytes)
    return { iv: encodeBase64Url(iv), payload: encodeBase64Url(new Uint8Array(payload)) }
  }
  return { ivs, seal: text => inOrder(encrypt(text)) }
}

// A full set is no error here: a random IV is new anyway, and a client can still be sent a restart with another key.
function freshIv(ivs: IvSet): Bytes {
  for (;;) {
    const iv = randomBytes(IV_BYTES)
    if (ivs.add(iv) !== 'reused') return iv
  }
}

/** Decrypts a sealed message to a JSON object. The IV is checked synchronously, before any await. */
export async function openPayload(
  key: CryptoKey,
  ivs: IvSet,
  sealed: Sealed & { readonly compression?: string },
): Promise<Result<JsonObject>> {
  const iv = decodeBase64(sealed.iv)
  const encrypted = decodeBase64(sealed.payload)
  if (iv?.length !== IV_BYTES || !encrypted) return bad({ kind: 'undecryptable' })
  const use = ivs.add(iv)
  if (use !== 'added') return bad({ kind: use === 'full' ? 'too-many-ivs' : 'iv-reused' })
  const plain = await decrypt(key, iv, encrypted, sealed.compression === 'gzip')
  if (plain === 'undecryptable') return bad({ kind: 'undecryptable' })
  if (plain === 'too-large') return bad({ kind: 'too-large', limit: MAX_MESSAGE_BYTES })
  const parsed = parseMessage(utf8Text(plain))
  if (!parsed.ok) return parsed
  return isJsonObject(parsed.value)
    ? good(parsed.value, parsed.faults)
    : bad({ kind: 'unknown-message', found: 'no object' })
}

async function decrypt(key: CryptoKey, iv: Bytes, encrypted: Bytes, isZipped: boolean) {
  try {
    const bytes = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, encrypted)
    if (!isZipped) return bytes
    return (await gunzip(new Uint8Array(bytes))) ?? 'too-large'
  } catch {
    return 'undecryptable'
  }
}
