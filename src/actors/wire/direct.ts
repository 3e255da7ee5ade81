import { utf8Text } from '../../protocol/crypto/bytes.ts'
import { readAgeMessage } from '../../protocol/client/age-message.ts'
import { type ClientFact, decodeClientMessage, decodeInParts } from '../../protocol/client/client-message.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import type { HubDeps, LinkReport, Socket } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/** One client's own socket. */
export type Direct = {
  readonly send: (command: JsonObject) => void
  readonly close: () => void
}

/**
 * A client's own socket, or a server's: every text is one message. After an unreadable one a second socket is opened, since a client
 * sends its full state to a new connection. It replaces the first when the state has arrived.
 */
export function openDirect(
  url: SocketUrl,
  deps: HubDeps,
  offset: () => number,
  report: (at: number, facts: readonly LinkReport[]) => void,
): Direct {
  const { openSocket, now } = deps
  const streams = createStreams()
  const beganAt = now()
  let isOpen = true
  let replacement: Socket | undefined

  const dropReplacement = (): void => {
    replacement?.close()
    replacement = undefined
  }

  const post = (socket: Socket, command: JsonObject): void => socket.send(JSON.stringify(command))

  const reportFacts = (facts: readonly ClientFact[]): void => {
    report(now(), facts)
    if (facts.some(fact => fact.type === 'fault.found' && isLoss(fact.fault))) requestFullState()
  }

  /** A server says how old what it has is. Returns whether the message was that. */
  const takeAge = (text: string): boolean => {
    const message = readAgeMessage(text)
    if (message === undefined) return false
    const at = now()
    const asOf = message.age === undefined ? undefined : at - message.age
    report(at, [
      { type: 'session.dated', asOf },
      { type: 'session.seen', until: (asOf ?? at) + offset() },
    ])
    return true
  }

  const closed = (): void => {
    isOpen = false
    dropReplacement()
    report(now(), [{ type: 'socket.closed' }])
  }

  const takeOver = (socket: Socket): void => {
    current.close()
    current = socket
    replacement = undefined
    for (const command of streams.all()) post(socket, command)
  }

  const openReplacement = (): void => {
    if (!isOpen) return
    dropReplacement()
    let hasTakenOver = false
    const socket = openSocket(url, {
      opened: () => undefined,
      received: data => {
        const text = textOf(data)
        if (takeAge(text)) return
        const facts = decodeClientMessage(text)
        if (!hasTakenOver && facts.some(({ type }) => type === 'snapshot.received')) {
          hasTakenOver = true
          takeOver(socket)
        }
        if (hasTakenOver) reportFacts(facts)
        else requestFullState()
      },
      closed: () => {
        if (hasTakenOver) closed()
        else requestFullState()
      },
    })
    replacement = socket
  }

  const requestFullState = createResync(deps, openReplacement)

  let current = openSocket(url, {
    opened: () => {
      const at = now()
      report(at, [{ type: 'socket.opened', took: Math.max(0, at - beganAt) }])
    },
    received: data => {
      const text = textOf(data)
      if (!takeAge(text)) for (const facts of decodeInParts(text)) reportFacts(facts)
    },
    refused: fault => report(now(), [{ type: 'fault.found', fault }]),
    closed,
  })
  return {
    send: command => {
      streams.remember(command)
      post(current, command)
    },
    close: () => {
      isOpen = false
      dropReplacement()
      current.close()
    },
  }
}

function textOf(data: string | ArrayBuffer): string {
  return typeof data === 'string' ? data : utf8Text(data)
}
