import type { SimulatedClient } from '../../network/clients/index.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import { decodeClientContent } from '../../../src/protocol/client/client-message.ts'
import type { Json } from '../../../src/protocol/json.ts'

/** The state that the first message of a client says. */
export function decodedState(content: Json): ClientData | undefined {
  const fact = decodeClientContent(content).find(({ type }) => type === 'snapshot.received')
  return fact?.type === 'snapshot.received' ? fact.data : undefined
}

/** What a client would tell a new reader now. */
export function saidBy(client: SimulatedClient): ClientData | undefined {
  const contents: Json[] = []
  client.attach(content => void contents.push(content)).detach()
  return decodedState(contents[0] ?? null)
}
