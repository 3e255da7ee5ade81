import type { WebSocket } from 'ws'
import { decodeMachineMessage } from '../../src/protocol/relay-message.ts'
import { textOf } from './abrupt-socket.ts'
import { signerOf } from './logins.ts'
import { createPacedQueue } from './paced-queue.ts'
import type { Room } from './room.ts'
import type { Rooms } from './rooms.ts'

type Limits = { now: () => number; loginMs: number; paceMs: number }
type Seat = { account: string; id: string; room: Room }

/** One machine's socket, `/ws/client` (wire.md §11.2). Messages go on as they came; the node cannot read them. */
export const serveMachine = (socket: WebSocket, rooms: Rooms, { now, loginMs, paceMs }: Limits): void => {
  let seat: Seat | undefined
  const deadline = setTimeout(() => {
    socket.terminate()
  }, loginMs)

  const logIn = (text: string): Seat | undefined => {
    const message = decodeMachineMessage(text)
    if (!message.ok || message.value.type !== 'login') return undefined
    const id = signerOf(message.value, now())
    if (id === undefined) return undefined
    clearTimeout(deadline)
    const { account } = message.value.payload
    const room = rooms.of(account)
    room.enterMachine(id, socket, JSON.stringify(message.value))
    return { account, id, room }
  }

  const passOn = (text: string, { id, room }: Seat): void => {
    const message = decodeMachineMessage(text)
    if (!message.ok || message.value.type !== 'message' || message.value.client !== id) socket.terminate()
    else room.toPage(message.value.session, text)
  }

  const queue = createPacedQueue<string>(paceMs, text => {
    if (seat !== undefined) passOn(text, seat)
  })

  socket.on('message', data => {
    const text = textOf(data)
    if (seat !== undefined) {
      queue.add(text)
      return
    }
    seat = logIn(text)
    if (seat === undefined) socket.terminate()
  })
  socket.on('close', () => {
    clearTimeout(deadline)
    queue.clear()
    if (seat === undefined) return
    seat.room.leaveMachine(seat.id, socket)
    rooms.tidy(seat.account)
  })
}
