/**
 * A map for thousands of entries of which one changes at a time: setting one copies its shelf and the list of shelves,
 * and shares the rest.
 */
export type Shelves<T> = readonly ReadonlyMap<string, T>[]

const COUNT = 64

export const emptyShelves = <T>(): Shelves<T> => Array.from({ length: COUNT }, () => new Map<string, T>())

export const onShelf = <T>(shelves: Shelves<T>, id: string): T | undefined => shelves[shelfOf(id)]?.get(id)

export const putOnShelf = <T>(shelves: Shelves<T>, id: string, value: T): Shelves<T> => {
  const at = shelfOf(id)
  return shelves.map((shelf, index) => (index === at ? new Map(shelf).set(id, value) : shelf))
}

export const takeFromShelves = <T>(shelves: Shelves<T>, ids: readonly string[]): Shelves<T> => {
  const gone = new Set(ids)
  return gone.size === 0 ? shelves : shelves.map(shelf => new Map([...shelf].filter(([id]) => !gone.has(id))))
}

/** Every entry, in no order. */
export function* allOnShelves<T>(shelves: Shelves<T>): Generator<readonly [id: string, value: T]> {
  for (const shelf of shelves) yield* shelf
}

/** Whether something has the form of shelves. */
export const isShelves = (value: object): value is Shelves<unknown> =>
  Array.isArray(value) && value.length === COUNT && value.every(shelf => shelf instanceof Map)

/** Shelves with these entries. */
export const shelvesOf = <T>(entries: Iterable<readonly [id: string, value: T]>): Shelves<T> => {
  const shelves = Array.from({ length: COUNT }, () => new Map<string, T>())
  for (const [id, value] of entries) shelves[shelfOf(id)]?.set(id, value)
  return shelves
}

const shelfOf = (id: string): number => {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) | 0
  return Math.abs(hash % COUNT)
}
