import {
  createCipheriv,
  createDecipheriv,
  constants,
  publicEncrypt,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { isJsonList, isJsonObject, parseMessage, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import { compactText } from '../../../src/protocol/crypto/keys.ts'
import { isoTime } from '../clients/time-text.ts'
import type { RsaKey } from '../keys.ts'

/**
 * The client's side of docs/protocol.md §11.2, with Node's synchronous cryptography for thousands of messages a
 * second. `test/client-envelope.ts` implements the same for browsers; each is tested against the other
 * side.
 */
export type ClientCipher = {
  seal(session: string, content: Json): string
  /** The content of a message from the account, or undefined for anything on which a real client would disconnect. */
  open(message: { readonly iv: string; readonly payload: string }): JsonObject | undefined
}

/** Contents larger than this are compressed before encryption, in bytes. */
const ZIP_ABOVE = 10_000
const MAX_IVS = 1_000_000

const texts = new WeakMap<object, string>()

/**
 * As real clients write JSON: lists of plain values on one line, everything else indented. Readers must accept both.
 */
function writeContent(content: Json): string {
  if (typeof content !== 'object' || content === null) return JSON.stringify(content)
  const cached = texts.get(content)
  if (cached !== undefined) return cached
  const isPlain = isJsonList(content) && content.every(item => typeof item !== 'object' || item === null)
  const isBulk = isJsonList(content) && content[0] === 'viz'
  const text = isPlain || isBulk ? JSON.stringify(content) : JSON.stringify(content, undefined, 2)
  texts.set(content, text)
  return text
}

export function createClientCipher(client: string, key: Buffer): ClientCipher {
  const used = new Set<string>()
  return {
    seal: (session, content) => {
      const name = JSON.stringify(session)
      const plain = Buffer.from(`{\n  "session": ${name},\n  "content": ${writeContent(content)}\n}`, 'utf8')
      const isZipped = plain.length > ZIP_ABOVE
      const iv = randomBytes(16)
      const cipher = createCipheriv('aes-256-cbc', key, iv)
      const payload = Buffer.concat([cipher.update(isZipped ? gzipSync(plain) : plain), cipher.final()])
      const compression = isZipped ? '"compression":"gzip",' : ''
      return `{${compression}"type":"message","client":"${client}","session":${name},"iv":"${iv.toString('base64url')}","payload":"${payload.toString('base64url')}"}`
    },
    open: message => {
      const iv = Buffer.from(message.iv, 'base64')
      const name = iv.toString('base64')
      if (iv.length !== 16 || used.has(name) || used.size >= MAX_IVS) return undefined
      used.add(name)
      try {
        const cipher = createDecipheriv('aes-256-cbc', key, iv)
        const plain = Buffer.concat([cipher.update(Buffer.from(message.payload, 'base64')), cipher.final()])
        const parsed = parseMessage(plain.toString('utf8'))
        return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
      } catch {
        return undefined
      }
    },
  }
}

export type Account = { key: KeyObject; id: string }

/** A login message with a new AES key for the account, and the matching cipher: one for each connection. */
export function createClientLogin(
  client: RsaKey,
  account: Account,
  now: number,
): { text: string; cipher: ClientCipher } {
  const secret = randomBytes(32)
  const sealed = publicEncrypt(
    { key: account.key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    secret,
  )
  const payload = compactText({ time: isoTime(now), account: account.id, key: sealed.toString('base64') })
  const signature = sign('sha256', Buffer.from(payload, 'utf8'), client.privateKey).toString('base64')
  return {
    text: `{"type":"login","payload":${payload},"signature":"${signature}","pubkey":"${client.publicKey}"}`,
    cipher: createClientCipher(client.id, secret),
  }
}
