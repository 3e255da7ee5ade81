import { decodeBase64, encodeBase64 } from '../src/protocol/crypto/base64.ts'
import { randomBytes, utf8Bytes, type Bytes } from '../src/protocol/crypto/bytes.ts'
import type { Result } from '../src/protocol/fault.ts'
import { bad, good } from '../src/protocol/fault.ts'
import type { Json } from '../src/protocol/json.ts'
import { isJsonObject } from '../src/protocol/json.ts'
import type { AccountKeys } from '../src/protocol/crypto/keys.ts'
import { ENCRYPTING, idOf, signedText, signText } from '../src/protocol/crypto/keys.ts'
import { createOrderedQueue } from '../src/protocol/ordered-queue.ts'
import type { SessionMessage, ToClient } from '../src/protocol/relay/relay-message.ts'
import { createSealer, openPayload } from '../src/protocol/crypto/sealing.ts'

/** The client's side of relay messages (docs/protocol.md §11.2), for simulated clients and tests. */

/** Texts above this many bytes are gzipped. */
const ZIP_ABOVE = 10_000

export type ClientSide = {
  /** Text for the node's socket. */
  readonly login: string
  readonly cipher: ClientCipher
}

export type ClientCipher = {
  /** A message to one session, as text to send. Results come in the order of the calls. */
  seal(session: string, content: Json): Promise<string>
  /** Checks and opens an account's message. */
  open(message: ToClient): Promise<Result<SessionMessage>>
}

/**
 * A client's login with a new random session key, and its cipher: one per connection.
 * `account`: the account's public key, SPKI base64. `time`: ISO, whole seconds.
 */
export async function createClientLogin(client: AccountKeys, account: string, time: string): Promise<ClientSide> {
  const secret = randomBytes(32)
  const key = encodeBase64(await encryptTo(account, secret))
  const text = signedText({ time, account: await idOf(account), key })
  const signature = encodeBase64(await signText(client.sign, text))
  const sessionKey = await crypto.subtle.importKey('raw', secret, 'AES-CBC', false, ['encrypt', 'decrypt'])
  return {
    login: `{"type":"login","payload":${text},"signature":"${signature}","pubkey":${JSON.stringify(client.publicKey)}}`,
    cipher: createClientCipher(client.id, sessionKey),
  }
}

export function createClientCipher(id: string, key: CryptoKey): ClientCipher {
  const sealer = createSealer(key)
  const inOrder = createOrderedQueue()

  const seal = async (session: string, content: Json): Promise<string> => {
    const plain = utf8Bytes(JSON.stringify({ session, content }, undefined, 2))
    const isZipped = plain.length > ZIP_ABOVE
    const { iv, payload } = await sealer.seal(isZipped ? await gzip(plain) : plain)
    const compression = isZipped ? '"compression":"gzip",' : ''
    return `{${compression}"type":"message","client":"${id}","session":${JSON.stringify(session)},"iv":"${iv}","payload":"${payload}"}`
  }

  return {
    seal: (session, content) => inOrder(seal(session, content)),
    async open(message) {
      const opened = await openPayload(key, sealer.ivs, message)
      if (!opened.ok) return opened
      const { type, session, content } = opened.value
      if (typeof session !== 'string') return bad({ kind: 'wrong-session' })
      if (type === 'session-open') return good({ type, session }, opened.faults)
      if (type !== 'message') return bad({ kind: 'unsupported-message', type: typeof type === 'string' ? type : '' })
      if (!isJsonObject(content)) return bad({ kind: 'unknown-message', found: 'no object' })
      return good({ type, session, content }, opened.faults)
    },
  }
}

/** Encrypts with RSA-OAEP for the owner of `publicKey`; rejects when it is not an RSA key. */
export async function encryptTo(publicKey: string, secret: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('spki', decodeBase64(publicKey) ?? new Uint8Array(), ENCRYPTING, false, [
    'encrypt',
  ])
  return new Uint8Array(await crypto.subtle.encrypt(ENCRYPTING, key, secret))
}

export async function gzip(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  )
}
