import type { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { HubDeps } from './hub.types.ts'

/** Somebody who talks nonsense all the time is not asked more often than this, in ms. */
const APART = 3000

/** Whether a message came of which nobody knows what it said: from then on the state may be another one than is shown. */
export const isLoss = ({ kind }: Fault): boolean => kind === 'not-json' || kind === 'undecryptable'

/** Nothing is numbered on these wires, and nothing is sent twice: after a loss a client is asked for everything anew. */
export const createResync = ({ now, later }: Pick<HubDeps, 'now' | 'later'>, askForAll: () => void) => {
  let askedAt = -Infinity
  let isDue = false
  return (): void => {
    if (isDue) return
    isDue = true
    later(Math.min(APART, Math.max(0, askedAt + APART - now())), () => {
      isDue = false
      askedAt = now()
      askForAll()
    })
  }
}

const STREAMS: readonly unknown[] = ['log', 'wus', 'viz']

/** What a client was told to stream. It has forgotten that when it is asked for everything anew. */
export const createStreams = () => {
  const streams = new Map<unknown, JsonObject>()
  return {
    note(command: JsonObject): void {
      const { cmd } = command
      if (STREAMS.includes(cmd)) streams.set(cmd, command)
    },
    all: (): readonly JsonObject[] => [...streams.values()],
  }
}
