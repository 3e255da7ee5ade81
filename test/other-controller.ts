import type { FleetClient } from '../programs/network/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../src/protocol/json.ts'

/** A second dashboard that controls the same client. */
export function otherController({ client }: FleetClient) {
  let sent = 0
  return {
    /** Commands have increasing times in the past, so that they never block a command of the current second. */
    configure: (config: JsonObject): void => {
      sent++
      client
        .attach(() => undefined)
        .receive({ cmd: 'config', config, time: new Date(Date.UTC(2020, 0, 1, 0, 0, sent)).toISOString() })
    },
    /** The groups of the client with their settings, as it sends them to a new connection. */
    groups: (): Readonly<Record<string, JsonObject>> => {
      const received: Json[] = []
      client.attach(content => received.push(content)).detach()
      const [first] = received
      const groups = isJsonObject(first) && isJsonObject(first['groups']) ? first['groups'] : {}
      return Object.fromEntries(
        Object.entries(groups).map(([name, group]) => [
          name,
          isJsonObject(group) && isJsonObject(group['config']) ? group['config'] : {},
        ]),
      )
    },
  }
}
