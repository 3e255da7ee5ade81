import { useCallback, useState } from 'react'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'

/** For a list that is told which rows are in view: has their clients report first, and no others that it had before. */
export function useWatchedClients(): (clients: readonly ClientRef[]) => void {
  const [watched] = useState(() => new Set<ClientRef>())
  return useCallback(
    clients => {
      const inView = new Set(clients)
      for (const client of watched)
        if (!inView.has(client)) {
          watched.delete(client)
          client.send({ type: 'client.unwatch' })
        }
      for (const client of inView)
        if (!watched.has(client)) {
          watched.add(client)
          client.send({ type: 'client.watch' })
        }
    },
    [watched],
  )
}
