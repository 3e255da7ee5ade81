import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import type { ClientConnection, SimulatedClient } from '../clients/types.ts'

/** The encrypted sessions of one relay connection. Each is a reader of the client. */
export function createSessions(client: SimulatedClient, send: (session: string, content: Json) => void) {
  const ports = new Map<string, ClientConnection>()

  const end = (session: string): void => {
    ports.get(session)?.detach()
    ports.delete(session)
  }

  const open = (session: string): void => {
    end(session)
    ports.set(
      session,
      client.attach(content => send(session, content)),
    )
  }

  return {
    /** False: a real client would drop its relay connection (docs/protocol.md §11.5). */
    handle: ({ type, session, content }: JsonObject): boolean => {
      if (typeof session !== 'string') return false
      if (type === 'session-open') {
        open(session)
        return true
      }
      if (type !== 'message') return true
      const port = ports.get(session)
      return port !== undefined && isJsonObject(content) && port.receive(content) === 'ok'
    },
    end,
    endAll: (): void => {
      for (const session of [...ports.keys()]) end(session)
    },
  }
}
