import { isJsonList, isJsonObject } from '../../src/protocol/json.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { createSimulatedClient } from '../../programs/network/clients/client.ts'
import { createManualClock } from './manual-clock.ts'
import { defaultClient } from '../../programs/network/clients/profiles/hardware.ts'
import { createSchedule } from '../../programs/network/clients/schedule.ts'
import type { ClientProfile, SimulatedClientOptions } from '../../programs/network/clients/types.ts'

export const NOON = Date.parse('2026-11-20T12:00:00Z')

/** A client without random failures, with two CPUs and no units. */
export const calmClient: ClientProfile = {
  ...defaultClient,
  cpus: 2,
  groups: { '': { cpus: 1 } },
  unitFailureRate: 0,
  transferFailureRate: 0,
}

/** A client with a manual clock. `read` connects a reader that records all messages. */
export function createTestClient(
  profile: Partial<ClientProfile> = {},
  options: Partial<SimulatedClientOptions> = {},
  start = NOON,
) {
  const clock = createManualClock(start)
  const schedule = createSchedule(clock)
  const client = createSimulatedClient({
    id: 'test-machine',
    name: 'vm',
    seed: 7,
    schedule,
    profile: { ...calmClient, ...profile },
    ...options,
  })
  clock.advance(0)
  const read = () => {
    const messages: { readonly at: number; readonly content: Json }[] = []
    const connection = client.attach(content => messages.push({ at: clock.now() - start, content }))
    return {
      connection,
      messages,
      /** Messages since the last call. */
      take: (): readonly Json[] => messages.splice(0).map(({ content }) => content),
      first: (): JsonObject => {
        const first = messages[0]?.content
        if (!isJsonObject(first)) throw new Error('The first message is not an object')
        return first
      },
    }
  }
  /** The state that a new reader gets now. */
  const document = (): JsonObject => {
    const reader = read()
    const first = reader.first()
    reader.connection.detach()
    return first
  }
  const units = (): readonly JsonObject[] => {
    const { units } = document()
    return isJsonList(units) ? units.filter(isJsonObject) : []
  }
  return { clock, schedule, client, read, document, units }
}

export function part(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let at = value
  for (const key of path) {
    if (isJsonList(at)) at = at.at(Number(key))
    else if (isJsonObject(at)) at = at[key]
    else return undefined
  }
  return at
}

/** Changes without those of numbers that change with time. */
export function withoutNumbers(messages: readonly Json[]): readonly (readonly Json[])[] {
  return messages
    .filter(isJsonList)
    .filter(change => !(change[0] === 'units' && typeof change[2] === 'string' && numbers.has(change[2])))
}

const numbers: ReadonlySet<string> = new Set(['eta', 'ppd', 'wu_progress', 'progress', 'frames'])
