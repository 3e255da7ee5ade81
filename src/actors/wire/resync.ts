import type { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { HubDeps } from './hub.types.ts'

/** Milliseconds between two requests for the full state, however many messages are unreadable. */
const MIN_INTERVAL = 3000

/** Whether a message was lost, so that the known state may be wrong from then on. */
export function isLoss({ kind }: Fault): boolean {
  return kind === 'not-json' || kind === 'undecryptable'
}

/** Requests the full state after a loss: messages have no numbers and are not repeated. */
export function createResync({ now, later }: Pick<HubDeps, 'now' | 'later'>, requestFullState: () => void) {
  let requestedAt = -Infinity
  let isDue = false
  return (): void => {
    if (isDue) return
    isDue = true
    later(Math.min(MIN_INTERVAL, Math.max(0, requestedAt + MIN_INTERVAL - now())), () => {
      isDue = false
      requestedAt = now()
      requestFullState()
    })
  }
}

const STREAMS: readonly unknown[] = ['log', 'wus', 'viz']

/** The streams that a client was asked for. It ends them when its full state is requested, so they are sent again. */
export function createStreams() {
  const streams = new Map<unknown, JsonObject>()
  return {
    remember(command: JsonObject): void {
      const { cmd } = command
      if (STREAMS.includes(cmd)) streams.set(cmd, command)
    },
    all: (): readonly JsonObject[] => [...streams.values()],
    /** The log and the molecule, while screens show them. */
    shown: (): readonly JsonObject[] =>
      [...streams.values()].filter(
        ({ cmd, enable, unit }) => (cmd === 'log' && enable === true) || (cmd === 'viz' && unit !== ''),
      ),
    history: (): JsonObject | undefined => streams.get('wus'),
  }
}
