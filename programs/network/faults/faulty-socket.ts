import type { WebSocket } from 'ws'
import { textOf } from '../../host/abrupt-socket.ts'
import { createDirection, type DirectionOptions } from './direction.ts'

export type FaultySocketOptions = Pick<DirectionOptions, 'seed' | 'way' | 'shares' | 'onUnrecoverable'>

/** A socket with faults in both directions. */
export type FaultySocket = {
  readonly release: () => void
  readonly terminate: () => void
}

type Sent = Parameters<WebSocket['send']>[0]
type Emit = (event: string, ...args: unknown[]) => boolean

function bytesOf(data: Sent): Buffer {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  if (Buffer.isBuffer(data)) return data
  throw new Error('Peers of this network send text or buffers.')
}

/** Replaces `send` and `emit` of a socket, so that all its messages pass through the active faults. */
export function injectFaults(socket: WebSocket, { seed, ...options }: FaultySocketOptions): FaultySocket {
  const send = socket.send.bind(socket) as (data: Sent) => void
  const emit = socket.emit.bind(socket) as Emit
  const isOpen = (): boolean => socket.readyState === socket.OPEN
  const out = createDirection({
    ...options,
    seed: seed * 2,
    isOutgoing: true,
    deliver: text => {
      if (isOpen()) send(text)
    },
  })
  const into = createDirection({
    ...options,
    seed: seed * 2 + 1,
    isOutgoing: false,
    deliver: text => {
      if (isOpen()) emit('message', Buffer.from(text, 'utf8'), false)
    },
  })

  const parts: Buffer[] = []
  const sendWithFaults = (data: Sent, how?: { readonly fin?: boolean }): void => {
    parts.push(bytesOf(data))
    if (how?.fin !== false) out.pass(Buffer.concat(parts.splice(0)).toString('utf8'))
  }
  const emitWithFaults: Emit = (event, ...args) => {
    if (event !== 'message') return emit(event, ...args)
    into.pass(textOf(args[0] as WebSocket.RawData))
    return true
  }
  socket.send = sendWithFaults as WebSocket['send']
  socket.emit = emitWithFaults as WebSocket['emit']
  return {
    release: () => {
      out.release()
      into.release()
    },
    terminate: () => socket.terminate(),
  }
}
