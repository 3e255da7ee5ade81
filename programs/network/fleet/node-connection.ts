import { WebSocket } from 'ws'
import { isJsonObject } from '../../../src/protocol/json.ts'
import { compactText } from '../../../src/protocol/crypto/keys.ts'
import {
  decodeNodeToClientMessage,
  type Broadcast,
  type NodeToClientMessage,
} from '../../../src/protocol/relay/relay-message.ts'
import type { SimulatedClient } from '../clients/types.ts'
import { signatureFits, type RsaKey } from '../keys.ts'
import { endAbruptly, onText, sendBounded } from '../../host/abrupt-socket.ts'
import { createPacedReader } from '../node/paced-reader.ts'
import { createClientLogin, type Account } from './client-cipher.ts'
import { createSessions } from './sessions.ts'

/** Maximum size of a message to a client (docs/protocol.md §11.3). */
const MAX_MESSAGE_BYTES = 1_048_576

export type NodeConnectionOptions = {
  client: SimulatedClient
  key: RsaKey
  account: Account
  url: string
  ca: string | undefined
  commandDelayMs: number
  now: () => number
  onOpen: () => void
  onEnd: () => void
}

export type NodeConnection = { drop(): void }

/** One connection to a relay node. Any invalid message ends it, as in the real client. */
export function connectToNode(options: NodeConnectionOptions): NodeConnection {
  const { client, key, account, url, ca, commandDelayMs, now, onOpen, onEnd } = options
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: 20_000,
    ...(ca === undefined ? {} : { ca }),
  })
  endAbruptly(socket)
  const login = createClientLogin(key, account, now())
  const send = (text: string): void => sendBounded(socket, text)
  const sessions = createSessions(client, (session, content) => send(login.cipher.seal(session, content)))

  const handleBroadcast = ({ payload, signature }: Broadcast): boolean => {
    const isSigned = signatureFits(account.key, compactText(payload), signature)
    if (isSigned && isJsonObject(payload)) client.receiveBroadcast(payload)
    return isSigned
  }

  const handleOrder = (order: NodeToClientMessage): boolean => {
    switch (order.type) {
      case 'session-close': {
        sessions.end(order.session)
        return true
      }
      case 'broadcast':
        return handleBroadcast(order)
      case 'message': {
        const inner = login.cipher.open(order)
        return inner !== undefined && sessions.handle(inner)
      }
    }
  }

  const inbox = createPacedReader(socket, commandDelayMs, text => {
    const order = decodeNodeToClientMessage(text)
    if (!order.ok || !handleOrder(order.value)) socket.terminate()
  })

  socket.on('open', () => {
    socket.send(login.text)
    onOpen()
  })
  onText(socket, text => inbox.add(text))
  socket.on('close', () => {
    inbox.clear()
    sessions.endAll()
    onEnd()
  })
  return {
    drop: () => socket.terminate(),
  }
}
