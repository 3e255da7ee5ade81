import type { JsonObject } from '../../../src/protocol/json.ts'

const MAX_ROWS = 500

/**
 * History rows of finished units. `seedRows` gives those from before the first start, oldest first, and is called at
 * the first access.
 */
export function createHistory(seedRows: () => readonly JsonObject[]) {
  let rows: JsonObject[] | undefined
  const stored = (): JsonObject[] => (rows ??= seedRows().slice(-MAX_ROWS))
  return {
    add: (row: JsonObject): void => {
      const all = stored()
      all.push(row)
      if (all.length > MAX_ROWS) all.shift()
    },
    newestFirst: (): readonly JsonObject[] => [...stored()].reverse(),
    /** Oldest first, for the store; undefined if never accessed, since `seedRows` can be generated again. */
    snapshot: (): readonly JsonObject[] | undefined => rows?.slice(),
  }
}

export type History = ReturnType<typeof createHistory>
