import type { FleetClient } from '../network/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../src/protocol/json.ts'

/** Somebody else before another dashboard of the same machine. */
export const otherController = ({ client }: FleetClient) => {
  let told = 0
  return {
    /** Times of long ago, each later than the one before: they never take the second of anybody who says what time it is. */
    configure: (config: JsonObject): void => {
      told++
      client
        .attach(() => undefined)
        .receive({ cmd: 'config', config, time: new Date(Date.UTC(2020, 0, 1, 0, 0, told)).toISOString() })
    },
    /** The groups of the machine with their settings, as it tells a new reader. */
    groups: (): Readonly<Record<string, JsonObject>> => {
      const heard: Json[] = []
      client.attach(content => heard.push(content)).detach()
      const [first] = heard
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
