import { decodeBase64, encodeBase64 } from './base64.ts'
import { type Result, bad, good } from '../fault.ts'
import type { Json, JsonObject } from '../json.ts'
import { type AccountKeys, compactText, decryptWith, idOfKey, signedText, signText, verifyText } from './keys.ts'
import { createOrderedQueue } from '../ordered-queue.ts'
import type { Broadcast, FromClient, ClientLogin } from '../relay/relay-message.ts'
import { createSealer, openPayload } from './sealing.ts'

/** The account's side of relay messages (docs/protocol.md §11.3, §11.4). */

/** The login message of an account's socket, as text to send. `time`: ISO; the node takes ±15 minutes. */
export async function createLogin(
  keys: AccountKeys,
  payload: { readonly time: string; readonly session: string },
): Promise<string> {
  const { text, signature } = await signPayload(keys, { time: payload.time, session: payload.session })
  return `{"type":"login","payload":${text},"pubkey":${JSON.stringify(keys.publicKey)},"signature":"${signature}"}`
}

/** A signed broadcast, as text to send. Throws a TypeError for a payload that verifiers would serialize differently. */
export async function createBroadcast(
  keys: AccountKeys,
  payload: JsonObject & { readonly cmd: string; readonly time: string },
): Promise<string> {
  const { text, signature } = await signPayload(keys, payload)
  return `{"type":"broadcast","payload":${text},"signature":"${signature}"}`
}

/** Verifies a broadcast, since nodes do not. `publicKey`: the account's, SPKI base64. */
export function verifyBroadcast(publicKey: string, message: Broadcast): Promise<boolean> {
  return verifyText(publicKey, message.signature, compactText(message.payload))
}

export type OpenedLogin = {
  /** The client's id, from its key. */
  readonly id: string
  readonly sessionKey: CryptoKey
  /** The session key as received, encrypted: identifies a login. */
  readonly encryptedKey: Uint8Array
}

/** Checks signature, account and key of a client's login, which the node forwards in `connect`. */
export async function openClientLogin(keys: AccountKeys, login: ClientLogin): Promise<Result<OpenedLogin>> {
  const id = await idOfKey(login.pubkey)
  const isSigned = await verifyText(login.pubkey, login.signature, compactText(login.payload))
  if (id === undefined || !isSigned) return bad({ kind: 'invalid-machine-signature' })
  const { account, key } = login.payload
  if (account !== keys.id) return bad({ kind: 'wrong-account', login: account, account: keys.id })
  const encrypted = decodeBase64(key)
  const bytes = encrypted && (await decryptWith(keys, encrypted))
  if (encrypted === undefined || bytes?.length !== 32) return bad({ kind: 'undecryptable' })
  const sessionKey = await crypto.subtle.importKey('raw', bytes, 'AES-CBC', false, ['encrypt', 'decrypt'])
  return good({ id, sessionKey, encryptedKey: encrypted })
}

export type SessionCipher = {
  /** The message that requests a client's snapshot. */
  sealOpen(): Promise<string>
  sealCommand(content: JsonObject): Promise<string>
  /** The content of a client's message. Results come in the order of the calls. Never rejects. */
  open(message: FromClient): Promise<Result<Json>>
}

/**
 * One session with a client's key. Use one cipher for the lifetime of the key, since no IV may be used twice with it, in
 * either direction.
 */
export function createSessionCipher(options: {
  readonly client: string
  readonly session: string
  readonly key: CryptoKey
}): SessionCipher {
  const { client, session, key } = options
  const sealer = createSealer(key)
  const inOrder = createOrderedQueue()

  const seal = async (text: string): Promise<string> => {
    const { iv, payload } = await sealer.seal(text)
    return `{"type":"message","id":${JSON.stringify(client)},"iv":"${iv}","payload":"${payload}"}`
  }

  return {
    sealOpen: () => seal(JSON.stringify({ type: 'session-open', session })),
    sealCommand: content => seal(JSON.stringify({ type: 'message', session, content })),
    open: message => inOrder(openMessage(message)),
  }

  async function openMessage(message: FromClient): Promise<Result<Json>> {
    if (message.client !== client || message.session !== session) return bad({ kind: 'wrong-session' })
    const opened = await openPayload(key, sealer.ivs, message)
    if (!opened.ok) return opened
    if (opened.value['session'] !== session) return bad({ kind: 'wrong-session' })
    return good(opened.value['content'] ?? null, opened.faults)
  }
}

async function signPayload(keys: AccountKeys, payload: JsonObject) {
  const text = signedText(payload)
  return { text, signature: encodeBase64(await signText(keys.sign, text)) }
}
