import type { KeyObject } from 'node:crypto'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { compactText } from '../../../src/protocol/crypto/keys.ts'
import { decodeAccountMessage, type Broadcast } from '../../../src/protocol/relay/relay-message.ts'
import { parseWireTime } from '../clients/time-text.ts'
import { signatureFits } from '../keys.ts'
import { serveLoggedIn, signerOf } from './logins.ts'
import type { Room, Rooms } from './room.ts'

export type PageOptions = {
  now: () => number
  loginMs: number
  isAccount: (id: string) => Promise<boolean>
}

type Page = { account: string; session: string; key: KeyObject }

/** Commands that clients accept as broadcasts (docs/protocol.md §11.4). */
const COMMANDS: ReadonlySet<string> = new Set(['state', 'config', 'restart'])
/** Broadcasts are stored and sent at each login. Enough for the settings of a few hundred groups. */
const MAX_BROADCAST_BYTES = 65_536

/** Serves a page's socket, `/ws/account` (docs/protocol.md §11.3). An invalid message drops it. */
export function servePage(
  socket: WebSocket,
  stream: Socket,
  rooms: Rooms,
  { now, loginMs, isAccount }: PageOptions,
): void {
  /**
   * Unlike the real node, which forwards every broadcast, this one ignores those that clients would not accept: on a
   * bad signature, clients disconnect.
   */
  const broadcast = (message: Broadcast, key: KeyObject, room: Room): void => {
    const { payload, signature } = message
    const seconds = parseWireTime(payload.time)
    if (seconds === undefined) {
      socket.terminate()
      return
    }
    const text = JSON.stringify(message)
    if (!COMMANDS.has(payload.cmd) || Buffer.byteLength(text) > MAX_BROADCAST_BYTES) return
    if (signatureFits(key, compactText(payload), signature)) room.broadcast(payload.cmd, seconds, text)
  }

  serveLoggedIn<Page>(socket, stream, {
    loginMs,
    identify: async text => {
      const message = decodeAccountMessage(text)
      if (!message.ok || message.value.type !== 'login') return undefined
      const signer = signerOf(message.value, now())
      if (signer === undefined || !(await isAccount(signer.id))) return undefined
      return { account: signer.id, key: signer.key, session: message.value.payload.session }
    },
    enter: ({ account, session }) => rooms.of(account).enterPage(session, socket),
    handle: (text, { account, session, key }) => {
      const room = rooms.of(account)
      const message = decodeAccountMessage(text)
      if (!message.ok || !room.isCurrent(session, socket)) socket.terminate()
      else if (message.value.type === 'login') {
        // Another login ends the page's sessions at all clients, which are listed again.
        const isSame = message.value.payload.session === session && signerOf(message.value, now())?.id === account
        if (!isSame) {
          socket.terminate()
          return
        }
        room.leavePage(session, socket)
        room.enterPage(session, socket)
      } else if (message.value.type === 'message')
        room.toClient(message.value.id, session, JSON.stringify(message.value))
      else broadcast(message.value, key, room)
    },
    leave: ({ account, session }) => {
      rooms.of(account).leavePage(session, socket)
      rooms.removeIfEmpty(account)
    },
  })
}
