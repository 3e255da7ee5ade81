import { WebSocket } from 'ws'
import type { AccountConnection } from '../account/account.ts'
import { textOf } from '../../host/abrupt-socket.ts'
import { fromCallback } from 'xstate'
import type {
  ClientLinkCommand,
  ClientLinkFact,
  DisconnectReason,
  LinkTarget,
} from '../../../src/machines/connection/client/client.events.ts'
import type { Excess } from '../../../src/folding/client/client-excess.ts'
import { readAgeMessage } from '../../../src/protocol/client/age-message.ts'
import type { ClientFact } from '../../../src/protocol/client/client-message.ts'
import { MAX_MESSAGE_BYTES } from '../../../src/protocol/json.ts'
import { excessIn } from '../cluster/peers.ts'
import type { Exchange } from './exchange.ts'
import { createTurns } from './turns.ts'

/** `headers`: of the server that holds the client. A client itself gets none. */
export type LinkRoute = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export type ClientLinkDeps = {
  /** Undefined for an address that is not in the settings. */
  readonly exchangeOf: (url: string) => Exchange | undefined
  /** The address at which a client is reached: its own, or that of the server that holds it; undefined when no server does. */
  readonly routeOf: (url: string) => LinkRoute | undefined
  /** Opens a session with a client of the account; undefined without one. */
  readonly openSession: AccountConnection['openLink'] | undefined
  /** A client of the account that another server holds, by its id. */
  readonly elsewhere: (
    client: string,
  ) => { readonly exchange: Exchange; readonly route: LinkRoute | undefined } | undefined
  readonly now: () => number
}

const HANDSHAKE_MS = 15_000
/** Pages get each message at once. The statechart gets changes together: reports and samples need no more. */
const turns = createTurns({ wait: 250, budget: 8, elapsed: () => performance.now() })
/** Thousands of machines that are reached for at the start, or lost together, leave most of the time to others. */
const attempts = createTurns({ wait: 0, budget: 8, rest: 16, elapsed: () => performance.now() })

/**
 * The connection to one machine: what `clientLink` of the client machine is in Node. It sends no Origin, which clients
 * accept (docs/protocol.md §10). What arrives goes through the machine's exchange first, so pages and statechart see the
 * same messages in the same order.
 */
export function clientLink({ exchangeOf, routeOf, openSession, elsewhere, now }: ClientLinkDeps) {
  return fromCallback<ClientLinkCommand, LinkTarget>(({ input, sendBack, receive }) => {
    const report: (fact: ClientLinkFact) => void = sendBack
    const other = input.kind === 'session' ? elsewhere(input.client) : undefined
    if (input.kind === 'session' && other === undefined && openSession !== undefined) {
      const session = openSession(input.client, report)
      receive(session.accept)
      return session.close
    }
    const exchange = input.kind === 'direct' ? exchangeOf(input.url) : other?.exchange
    if (exchange === undefined) throw new Error('This server connects to its machines only.')

    const closed = (trouble: DisconnectReason, excess: Excess | undefined): ClientLinkFact =>
      excess === undefined
        ? { type: 'link.closed', at: now(), trouble }
        : { type: 'link.closed', at: now(), trouble: 'excessive', excess }
    const route = input.kind === 'direct' ? routeOf(input.url) : other?.route
    const excess = exchange.excess()
    if (route === undefined || excess !== undefined) {
      const timer = setTimeout(() => report(closed('unreachable', excess)))
      return () => clearTimeout(timer)
    }
    let isOver = false
    let refusedFor: Excess | undefined
    let hasOpened = false
    let socket: WebSocket | undefined
    const write = (message: object): void => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    }
    let waiting: ClientFact[] = []
    let cancelFlush: (() => void) | undefined
    const flush = (): void => {
      cancelFlush?.()
      cancelFlush = undefined
      const facts = waiting
      waiting = []
      if (facts.length > 0 && !isOver) exchange.timed(() => report({ type: 'link.reported', at: now(), facts }))
    }
    const take = (facts: readonly ClientFact[]): void => {
      waiting.push(...facts)
      if (facts.every(canWait)) cancelFlush ??= turns.add(flush)
      else flush()
    }
    const end = (): void => {
      if (isOver) return
      isOver = true
      cancelFlush?.()
      exchange.close()
      cancelAttempt()
      socket?.terminate()
    }
    const connect = (): void => {
      const beganAt = now()
      const opened = new WebSocket(route.url, {
        headers: route.headers ?? {},
        perMessageDeflate: false,
        maxPayload: MAX_MESSAGE_BYTES,
        handshakeTimeout: HANDSHAKE_MS,
      })
      socket = opened
      opened.on('error', () => undefined)
      opened.on('unexpected-response', (_, response) => {
        if (route.headers !== undefined) refusedFor = excessIn(response)
        opened.terminate()
      })
      opened.on('open', () => {
        hasOpened = true
        exchange.open(write, limit => {
          end()
          report(closed('excessive', limit))
        })
        report({ type: 'link.opened', at: now(), took: Math.max(0, now() - beganAt) })
      })
      opened.on('ping', exchange.receivePing)
      opened.on('message', raw => {
        if (isOver) return
        const text = textOf(raw)
        const age = route.headers === undefined ? undefined : readAgeMessage(text)
        if (age !== undefined) {
          const at = now()
          const asOf = age.age === undefined ? undefined : at - age.age
          flush()
          exchange.date(asOf)
          report({ type: 'link.dated', at, asOf })
          return
        }
        const { facts, isLost } = exchange.receiveText(text, text.length)
        if (facts.length > 0) take(facts)
        // A client sends its full state to a new connection.
        if (isLost) opened.terminate()
      })
      opened.on('close', () => {
        if (isOver) return
        flush()
        end()
        if (hasOpened) report(closed('closed', refusedFor))
        else attempts.add(() => report(closed('unreachable', refusedFor)))
      })
    }
    const cancelAttempt = attempts.add(connect)

    receive(command => {
      switch (command.type) {
        case 'link.send':
          exchange.command(command.command, () => undefined)
          break
        case 'link.bind':
          exchange.command({ cmd: 'link', token: command.secrets.token, name: command.name }, () => undefined)
          break
        case 'link.check':
        case 'link.watch':
          // A message is passed on when it arrives: nothing here waits for pages.
          break
      }
    })
    return end
  })
}

function canWait({ type }: ClientFact): boolean {
  return type === 'changes.received' || type === 'ping.received'
}
