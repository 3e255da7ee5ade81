import type { JsonObject } from '../../src/protocol/json.ts'

/** Rows that a client keeps. */
const MOST_ROWS = 500

/** Finished units. `story` tells of those before the client's life here, oldest first, and is asked only when needed. */
export const createHistory = (story: () => readonly JsonObject[]) => {
  let rows: JsonObject[] | undefined
  const kept = (): JsonObject[] => (rows ??= story().slice(-MOST_ROWS))
  return {
    add: (row: JsonObject): void => {
      const all = kept()
      all.push(row)
      if (all.length > MOST_ROWS) all.shift()
    },
    newestFirst: (): readonly JsonObject[] => [...kept()].reverse(),
    /** Oldest first, for the store; undefined while nobody has asked and the story can be told again. */
    snapshot: (): readonly JsonObject[] | undefined => rows?.slice(),
  }
}

export type History = ReturnType<typeof createHistory>
