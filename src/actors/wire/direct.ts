import { utf8Text } from '../../protocol/crypto/bytes.ts'
import type { ClientFact } from '../../protocol/client-message.ts'
import { decodeClientMessage } from '../../protocol/client-message.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import type { HubDeps, LinkFact, Socket } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/** One client's own socket. */
export type Direct = {
  readonly send: (command: JsonObject) => void
  readonly close: () => void
}

/**
 * A client's own socket: every text is one message. After one that could not be read a second socket is opened, since
 * a client tells everything to whoever comes, and takes the place of the first as soon as it has been told.
 */
export const openDirect = (
  url: SocketUrl,
  deps: HubDeps,
  tell: (at: number, facts: readonly LinkFact[]) => void,
): Direct => {
  const { openSocket, now } = deps
  const streams = createStreams()
  let isOpen = true
  let next: Socket | undefined

  const dropNext = (): void => {
    next?.close()
    next = undefined
  }

  const post = (socket: Socket, command: JsonObject): void => socket.send(JSON.stringify(command))

  const hear = (facts: readonly ClientFact[]): void => {
    tell(now(), facts)
    if (facts.some(fact => fact.type === 'fault.found' && isLoss(fact.fault))) askForAll()
  }

  const closed = (): void => {
    isOpen = false
    dropNext()
    tell(now(), [{ type: 'socket.closed' }])
  }

  const takeOver = (socket: Socket): void => {
    current.close()
    current = socket
    next = undefined
    for (const command of streams.all()) post(socket, command)
  }

  const openNext = (): void => {
    if (!isOpen) return
    dropNext()
    let hasTakenOver = false
    const socket = openSocket(url, {
      opened: () => undefined,
      received: data => {
        const facts = factsOf(data)
        if (!hasTakenOver && facts.some(({ type }) => type === 'snapshot.received')) {
          hasTakenOver = true
          takeOver(socket)
        }
        if (hasTakenOver) hear(facts)
        else askForAll()
      },
      closed: () => {
        if (hasTakenOver) closed()
        else askForAll()
      },
    })
    next = socket
  }

  const askForAll = createResync(deps, openNext)

  let current = openSocket(url, {
    opened: () => tell(now(), [{ type: 'socket.opened' }]),
    received: data => hear(factsOf(data)),
    refused: fault => tell(now(), [{ type: 'fault.found', fault }]),
    closed,
  })
  return {
    send: command => {
      streams.note(command)
      post(current, command)
    },
    close: () => {
      isOpen = false
      dropNext()
      current.close()
    },
  }
}

const factsOf = (data: string | ArrayBuffer): readonly ClientFact[] =>
  decodeClientMessage(typeof data === 'string' ? data : utf8Text(data))
