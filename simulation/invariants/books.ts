import type { FleetClient, Network } from '../../network/index.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
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
  /** How often the client has received it. */
  received: number
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

/** Books hold this many entries of each kind: what is older has been checked. */
const KEPT = 200

const keepLast = (list: unknown[]): void => {
  if (list.length > 2 * KEPT) list.splice(0, list.length - KEPT)
}

export const createBooks = (network: Network, now: () => number): Books => {
  const commands: Asked[] = []
  const received: Received[] = []
  const clients = (): readonly FleetClient[] => [network.local, ...network.clients()]

  const idOf = (ref: ClientRef): string => (ref.id.startsWith('@') || ref.id === '__direct' ? network.local.id : ref.id)

  const note = (client: string, command: Json): void => {
    if (!isJsonObject(command) || command['cmd'] !== 'state') return
    const asked = commands.find(
      one => one.client === client && one.state === command['state'] && (one.received === 0 || one.received > 0),
    )
    const open = commands.find(one => one.client === client && one.state === command['state'] && one.received === 0)
    const meant = open ?? asked
    if (meant !== undefined) meant.received += 1
    received.push({ at: now(), client, command, asked: meant })
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
      commands.push({ at: now(), page, ref, client: idOf(ref), state, received: 0 })
      keepLast(commands)
    },
    commands: () => commands,
    received: () => received,
    stateOf,
    clients,
  }
}
