import type { FleetClient, Network } from '../../network/index.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import { DIRECT_ID } from '../../src/folding/client/client.ts'
import { decodeClientContent } from '../../src/protocol/client-message.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import type { FoldingState } from '../../src/protocol/commands.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import type { OpenPage } from '../world.ts'

/** A command that somebody gave. */
export type Asked = {
  readonly at: number
  readonly page: OpenPage
  readonly ref: ClientRef
  /** The id of the client that it is for. */
  readonly client: string
  readonly state: FoldingState
  /** What the client has received of it: a state and a group each. */
  readonly orders: string[]
}

export type Received = {
  readonly at: number
  readonly client: string
  readonly command: JsonObject
  readonly asked: Asked | undefined
}

/** What really happened, independently of what any page believes. */
export type Books = {
  readonly asked: (page: OpenPage, ref: ClientRef, state: FoldingState) => void
  readonly commands: () => readonly Asked[]
  readonly received: () => readonly Received[]
  /** What the client would tell a new reader now. */
  readonly stateOf: (client: FleetClient) => ClientData | undefined
  readonly clients: () => readonly FleetClient[]
}

const stateOf = ({ client }: FleetClient): ClientData | undefined => {
  const told: Json[] = []
  client.attach(content => void told.push(content)).detach()
  const fact = decodeClientContent(told[0] ?? null).find(({ type }) => type === 'snapshot.received')
  return fact?.type === 'snapshot.received' ? fact.data : undefined
}

/** A machine that is to finish what it has paused is told to fold first. */
const isPartOf = (asked: FoldingState, state: unknown): boolean =>
  state === asked || (asked === 'finish' && state === 'fold')

/** Books hold this many entries of each kind: what is older has been checked. */
const KEPT = 200

const keepLast = (list: unknown[]): void => {
  if (list.length > 2 * KEPT) list.splice(0, list.length - KEPT)
}

export const createBooks = (network: Network, now: () => number): Books => {
  const commands: Asked[] = []
  const received: Received[] = []
  const clients = (): readonly FleetClient[] => [network.local, ...network.clients()]

  const idOf = (ref: ClientRef): string => (ref.id.startsWith('@') || ref.id === DIRECT_ID ? network.local.id : ref.id)

  const note = (client: string, command: Json): void => {
    if (!isJsonObject(command) || command['cmd'] !== 'state') return
    const { state, group } = command
    const order = `${JSON.stringify(state)} ${typeof group === 'string' ? group : ''}`
    const meant = commands.filter(one => one.client === client && isPartOf(one.state, state)).reverse()
    // The last click whose command has not come yet, or else the last one, which then has come twice.
    const asked = meant.find(({ orders }) => !orders.includes(order)) ?? meant[0]
    asked?.orders.push(order)
    received.push({ at: now(), client, command, asked })
    keepLast(received)
  }

  for (const { id, client } of clients()) {
    const attach = client.attach.bind(client)
    const watched: typeof attach = send => {
      const connection = attach(send)
      return {
        ...connection,
        receive: command => {
          note(id, command)
          return connection.receive(command)
        },
      }
    }
    Object.assign(client, { attach: watched })
  }

  return {
    asked: (page, ref, state) => {
      commands.push({ at: now(), page, ref, client: idOf(ref), state, orders: [] })
      keepLast(commands)
    },
    commands: () => commands,
    received: () => received,
    stateOf,
    clients,
  }
}
