import type { WebSocket } from 'ws'
import { decodeAccountMessage } from '../../src/protocol/relay-message.ts'
import type { AccountMessage, Broadcast } from '../../src/protocol/relay-message.ts'
import { parseWireTime } from '../clients/time-text.ts'
import { textOf } from './abrupt-socket.ts'
import { signerOf } from './logins.ts'
import type { Room } from './room.ts'
import type { Rooms } from './rooms.ts'

type Seat = { account: string; session: string; room: Room }

/** One page's socket, `/ws/account` (wire.md §11.3). Whatever is not understood drops it. */
export const servePage = (
  socket: WebSocket,
  rooms: Rooms,
  { now, loginMs }: { now: () => number; loginMs: number },
): void => {
  let seat: Seat | undefined
  const deadline = setTimeout(() => {
    socket.terminate()
  }, loginMs)

  const logIn = (message: AccountMessage): Seat | undefined => {
    const account = message.type === 'login' ? signerOf(message, now()) : undefined
    if (message.type !== 'login' || account === undefined) return undefined
    clearTimeout(deadline)
    const room = rooms.of(account)
    room.enterPage(message.payload.session, socket)
    return { account, session: message.payload.session, room }
  }

  const broadcast = (message: Broadcast, room: Room): void => {
    const seconds = parseWireTime(message.payload.time)
    if (seconds === undefined) socket.terminate()
    // The signature is for the receivers to check: the real node passes on whatever it gets.
    else room.broadcast(message.payload.cmd, seconds, JSON.stringify(message))
  }

  const obey = (message: AccountMessage, { session, room }: Seat): void => {
    if (message.type === 'login' || !room.isCurrent(session, socket)) socket.terminate()
    else if (message.type === 'message') room.toMachine(message.id, session, JSON.stringify(message))
    else broadcast(message, room)
  }

  socket.on('message', data => {
    const message = decodeAccountMessage(textOf(data))
    if (!message.ok) {
      socket.terminate()
      return
    }
    if (seat !== undefined) {
      obey(message.value, seat)
      return
    }
    seat = logIn(message.value)
    if (seat === undefined) socket.terminate()
  })
  socket.on('close', () => {
    clearTimeout(deadline)
    if (seat === undefined) return
    seat.room.leavePage(seat.session, socket)
    rooms.tidy(seat.account)
  })
}
