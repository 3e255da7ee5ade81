export type StoredBroadcast = { cmd: string; time: number; message: string }

/** The last broadcast of each command of each account: in memory, and passed to `save` to be stored. */
export function createBroadcastStore(
  stored: readonly (StoredBroadcast & { account: string })[],
  save: (account: string, broadcast: StoredBroadcast) => void,
) {
  const accounts = new Map<string, Map<string, StoredBroadcast>>()
  const broadcastsOf = (account: string): Map<string, StoredBroadcast> => {
    const found = accounts.get(account) ?? new Map<string, StoredBroadcast>()
    accounts.set(account, found)
    return found
  }
  for (const { account, ...broadcast } of stored) broadcastsOf(account).set(broadcast.cmd, broadcast)

  return {
    of: (account: string): readonly StoredBroadcast[] => [...(accounts.get(account)?.values() ?? [])],
    /** False, without storing it, if it is not newer in whole seconds than the stored one (docs/protocol.md §11.4). */
    save: (account: string, broadcast: StoredBroadcast): boolean => {
      const broadcasts = broadcastsOf(account)
      const before = broadcasts.get(broadcast.cmd)
      if (before !== undefined && before.time >= broadcast.time) return false
      broadcasts.set(broadcast.cmd, broadcast)
      save(account, broadcast)
      return true
    },
    /** Forgets those that are in memory. */
    forget: () => accounts.clear(),
  }
}

export type BroadcastStore = ReturnType<typeof createBroadcastStore>
