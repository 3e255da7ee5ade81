import * as v from 'valibot'
import { type Result, bad, good } from '../fault.ts'
import { type JsonObject, isJsonObject, parseMessage } from '../json.ts'
import { field, object, personalText, plainText } from '../schema.ts'
import { firstFault, wrongType } from '../shape.ts'

/** Unencrypted messages between accounts, clients and relay nodes (docs/protocol.md §11). */

const clientLogin = object({
  type: v.literal('login'),
  payload: object({ time: plainText, account: personalText('id'), key: plainText }),
  signature: plainText,
  pubkey: personalText('publicKey'),
})

const accountLogin = object({
  type: v.literal('login'),
  payload: object({ time: plainText, session: personalText('secret') }),
  signature: plainText,
  pubkey: personalText('publicKey'),
})

const connect = object({ type: v.literal('connect'), client: clientLogin })
const disconnect = object({ type: v.literal('disconnect'), id: personalText('id') })

const fromClient = object({
  type: v.literal('message'),
  client: personalText('id'),
  session: personalText('secret'),
  iv: plainText,
  payload: plainText,
  compression: field(plainText),
})

const toClient = object({ type: v.literal('message'), id: personalText('id'), iv: plainText, payload: plainText })
const sessionClose = object({ type: v.literal('session-close'), session: personalText('secret') })

const broadcast = object({
  type: v.literal('broadcast'),
  payload: object({ cmd: plainText, time: plainText }),
  signature: plainText,
})

export type ClientLogin = v.InferOutput<typeof clientLogin>
export type AccountLogin = v.InferOutput<typeof accountLogin>
export type FromClient = v.InferOutput<typeof fromClient>
export type ToClient = v.InferOutput<typeof toClient>
export type Broadcast = v.InferOutput<typeof broadcast>
export type Connect = v.InferOutput<typeof connect>
export type Disconnect = v.InferOutput<typeof disconnect>
export type SessionClose = v.InferOutput<typeof sessionClose>

/** Node to account. */
export type RelayMessage = Connect | Disconnect | FromClient | Broadcast
/** Account to node. */
export type AccountMessage = AccountLogin | ToClient | Broadcast
/** Client to node. */
export type ClientToNodeMessage = ClientLogin | FromClient
/** Node to client. */
export type NodeToClientMessage = ToClient | SessionClose | Broadcast

function decoder<T>(schemas: Readonly<Record<string, v.GenericSchema<T>>>) {
  return (textOfMessage: string): Result<T> => {
    const parsed = parseMessage(textOfMessage)
    if (!parsed.ok) return parsed
    const message = parsed.value
    if (!isJsonObject(message)) return bad(wrongType([], 'object', message))
    const type = message['type']
    const schema = typeof type === 'string' && Object.hasOwn(schemas, type) ? schemas[type] : undefined
    if (!schema) return bad({ kind: 'unsupported-message', type: typeof type === 'string' ? type : '' })
    // Return the message, not the schema's copy: a signature covers the keys in the order sent.
    return v.is(schema, message) ? good(message, parsed.faults) : bad(firstFault(schema, message))
  }
}

export const decodeRelayMessage: (text: string) => Result<RelayMessage> = decoder<RelayMessage>({
  connect,
  disconnect,
  message: fromClient,
  broadcast,
})

export const decodeAccountMessage: (text: string) => Result<AccountMessage> = decoder<AccountMessage>({
  login: accountLogin,
  message: toClient,
  broadcast,
})

export const decodeClientToNodeMessage: (text: string) => Result<ClientToNodeMessage> = decoder<ClientToNodeMessage>({
  login: clientLogin,
  message: fromClient,
})

export const decodeNodeToClientMessage: (text: string) => Result<NodeToClientMessage> = decoder<NodeToClientMessage>({
  message: toClient,
  'session-close': sessionClose,
  broadcast,
})

/** The content of an encrypted message to a client. */
export type SessionMessage =
  | { readonly type: 'session-open'; readonly session: string }
  | { readonly type: 'message'; readonly session: string; readonly content: JsonObject }
