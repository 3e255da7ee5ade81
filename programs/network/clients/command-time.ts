import type { Json } from '../../../src/protocol/json.ts'
import { parseWireTime } from './time-text.ts'

const MAX_SECONDS_AHEAD = 65 * 60

export type TimeCheck = 'accepted' | 'not-newer' | 'unreadable' | 'too-far-ahead'

/**
 * The newest accepted time of each command, in epoch seconds. One list for all groups and users, for direct and relayed
 * commands, and kept over restarts (docs/protocol.md §5, time rules).
 */
export function createCommandTimes(restored: Readonly<Record<string, number>> = {}) {
  const newest = new Map<string, number>(Object.entries(restored))
  return {
    /** Checks a command's time and stores it when it is accepted. A command without a time gets the client's own. */
    check: (word: string, time: Json | undefined, now: number): TimeCheck => {
      const nowSeconds = Math.floor(now / 1000)
      const seconds = typeof time === 'string' ? parseWireTime(time) : nowSeconds
      if (seconds === undefined) return 'unreadable'
      if (seconds > nowSeconds + MAX_SECONDS_AHEAD) return 'too-far-ahead'
      const last = newest.get(word)
      if (last !== undefined && seconds <= last) return 'not-newer'
      newest.set(word, seconds)
      return 'accepted'
    },
    snapshot: (): Record<string, number> => Object.fromEntries(newest),
  }
}

export type CommandTimes = ReturnType<typeof createCommandTimes>
