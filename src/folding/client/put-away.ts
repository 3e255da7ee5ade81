/*
 * Clients that a person put away: they are neither listed nor counted until they are heard again. Unlike one that is unlinked or
 * removed, nothing of it is lost.
 */

/** When each was last heard before, by its own id: epoch milliseconds, 0 where that is not known. */
export type PutAway = Readonly<Record<string, number>>

export const MOST_PUT_AWAY = 1000

export function isPutAway(
  putAway: PutAway | undefined,
  client: { readonly key: string | undefined; readonly isConnected: boolean; readonly heardAt: number | undefined },
): boolean {
  const { key, isConnected, heardAt = 0 } = client
  const at = putAway === undefined || key === undefined || !Object.hasOwn(putAway, key) ? undefined : putAway[key]
  return !isConnected && at !== undefined && heardAt <= at
}

/** Those put away before, as far as there is room, and this one. */
export function withPutAway(putAway: PutAway, key: string, heardAt = 0): PutAway {
  const { [key]: _, ...others } = putAway
  return Object.fromEntries([...Object.entries(others), [key, heardAt] as const].slice(-MOST_PUT_AWAY))
}
