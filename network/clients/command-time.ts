import type { Json } from '../../src/protocol/json.ts'
import { parseWireTime } from './time-text.ts'

const MAX_SECONDS_AHEAD = 65 * 60

export type TimeCheck = 'accepted' | 'not-newer' | 'unreadable' | 'too-far-ahead'

/**
 * The newest accepted time of each command word, in whole seconds: kept for all groups and all users together, over
 * restarts, and by the direct and the relay path alike (docs/protocol.md §5, time rules).
 */
export const createCommandTimes = (restored: Readonly<Record<string, number>> = {}) => {
  const newest = new Map<string, number>(Object.entries(restored))
  return {
    /** Judges and, when accepted, remembers. Without a text the client's own clock counts. */
    check: (word: string, time: Json | undefined, now: number): TimeCheck => {
      const own = Math.floor(now / 1000)
      const seconds = typeof time === 'string' ? parseWireTime(time) : own
      if (seconds === undefined) return 'unreadable'
      if (seconds > own + MAX_SECONDS_AHEAD) return 'too-far-ahead'
      const last = newest.get(word)
      if (last !== undefined && seconds <= last) return 'not-newer'
      newest.set(word, seconds)
      return 'accepted'
    },
    snapshot: (): Record<string, number> => Object.fromEntries(newest),
  }
}

export type CommandTimes = ReturnType<typeof createCommandTimes>
