import type { Fault } from '../../protocol/fault.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
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

export function isStream({ cmd }: JsonObject): boolean {
  return STREAMS.includes(cmd)
}

export function isEndOfStream(command: JsonObject): boolean {
  return isStream(command) && (command['enable'] === false || command['unit'] === '')
}

/** The streams that a client was asked for. It ends them when its full state is requested, so they are sent again. */
export function createStreams() {
  const streams = new Map<unknown, JsonObject>()
  /** Frames of the molecule that have come, without a gap. */
  let frames = 0
  const shown = (cmd: string): JsonObject | undefined => {
    const command = streams.get(cmd)
    return command === undefined || isEndOfStream(command) ? undefined : command
  }
  return {
    remember(command: JsonObject): void {
      if (!isStream(command)) return
      if (command['cmd'] === 'viz') frames = Number(command['frame'])
      streams.set(command['cmd'], command)
    },
    /** Later requests ask for what is missing. */
    noteFrame(unit: string, index: number): void {
      const command = streams.get('viz')
      if (command?.['unit'] !== unit || index !== frames) return
      frames = index + 1
      streams.set('viz', { ...command, frame: frames })
    },
    all: (): readonly JsonObject[] => [...streams.values()],
    /** The log, while a screen shows it. */
    log: (): JsonObject | undefined => shown('log'),
    /** The molecule, while a screen shows it and the client has more of it. */
    molecule(units: readonly Unit[]): JsonObject | undefined {
      const command = shown('viz')
      const unit = units.find(({ id }) => id === command?.['unit'])
      return unit?.frames !== undefined && frames < unit.frames ? command : undefined
    },
    history: (): JsonObject | undefined => streams.get('wus'),
  }
}
