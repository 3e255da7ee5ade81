import type { JsonObject } from '../../src/protocol/json.ts'

/** Rows that a client keeps. */
const MAX_ROWS = 500

/** Finished units. `story` tells of those before the client's life here, oldest first, and is asked only when needed. */
export const createHistory = (seedRows: () => readonly JsonObject[]) => {
  let rows: JsonObject[] | undefined
  const stored = (): JsonObject[] => (rows ??= seedRows().slice(-MAX_ROWS))
  return {
    add: (row: JsonObject): void => {
      const all = stored()
      all.push(row)
      if (all.length > MAX_ROWS) all.shift()
    },
    newestFirst: (): readonly JsonObject[] => [...stored()].reverse(),
    /** Oldest first, for the store; undefined while nobody has asked and the story can be told again. */
    snapshot: (): readonly JsonObject[] | undefined => rows?.slice(),
  }
}

export type History = ReturnType<typeof createHistory>
