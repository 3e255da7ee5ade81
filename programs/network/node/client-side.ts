import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { decodeClientToNodeMessage } from '../../../src/protocol/relay/relay-message.ts'
import { createPacedReader } from './paced-reader.ts'
import { serveLoggedIn, signerOf } from './logins.ts'
import type { PageOptions } from './page-side.ts'
import type { Rooms } from './room.ts'

type Client = { account: string; id: string; login: string }

/**
 * Serves a client's socket, `/ws/client` (docs/protocol.md §11.2). Messages are forwarded unchanged; the node cannot
 * decrypt them.
 */
export function serveClient(
  socket: WebSocket,
  stream: Socket,
  rooms: Rooms,
  { now, loginMs, paceMs, isAccount }: PageOptions & { paceMs: number },
): void {
  const passOn = (text: string, { account, id }: Client): void => {
    const message = decodeClientToNodeMessage(text)
    if (!message.ok || message.value.type !== 'message' || message.value.client !== id) socket.terminate()
    else rooms.of(account).toPage(message.value.session, text)
  }

  let client: Client | undefined
  const inbox = createPacedReader(socket, paceMs, text => {
    if (client !== undefined) passOn(text, client)
  })

  serveLoggedIn<Client>(socket, stream, {
    loginMs,
    identify: async text => {
      const message = decodeClientToNodeMessage(text)
      if (!message.ok || message.value.type !== 'login') return undefined
      const { account } = message.value.payload
      const signer = signerOf(message.value, now())
      if (signer === undefined || !(await isAccount(account))) return undefined
      return { account, id: signer.id, login: JSON.stringify(message.value) }
    },
    enter: entered => {
      client = entered
      rooms.of(entered.account).enterClient(entered.id, socket, entered.login)
    },
    handle: text => inbox.add(text),
    leave: ({ account, id }) => {
      inbox.clear()
      rooms.of(account).leaveClient(id, socket)
      rooms.removeIfEmpty(account)
    },
  })
}
