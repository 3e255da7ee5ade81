import { useSelector } from '@xstate/react'
import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import type { ClientRef, ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { useSystem } from '../../hooks/system-context.ts'

/** The client whose panel this is. */
export const ClientContext = createContext<ClientRef | undefined>(undefined)

export const useClient = (): ClientRef => {
  const client = use(ClientContext)
  if (client === undefined) throw new Error('A part of a panel is used outside of ClientContext.')
  return client
}

type Primitive = string | number | boolean | undefined

/** While a client is out of reach its time stands still: nobody knows whether it goes on. */
export const momentOf = ({ context }: ClientSnapshot, now: number): number =>
  context.connectedAt === undefined ? (context.heardAt ?? now) : now

/** What a client says, whatever the time is. */
export const useFact = <T extends Primitive>(select: (snapshot: ClientSnapshot) => T): T =>
  useSelector(useClient(), select)

/**
 * What a client means at this moment. Looks again when the client or the time moves on, and renders again only when
 * the outcome differs, which is why it must be a single value.
 */
export const useMoment = <T extends Primitive>(derive: (snapshot: ClientSnapshot, now: number) => T): T => {
  const client = useClient()
  const { clock } = useSystem()
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscriptions = [client.subscribe(onChange), clock.subscribe(onChange)]
      return () => subscriptions.forEach(subscription => subscription.unsubscribe())
    },
    [client, clock],
  )
  return useSyncExternalStore(subscribe, () => {
    const snapshot = client.getSnapshot()
    return derive(snapshot, momentOf(snapshot, clock.getSnapshot().context.now))
  })
}
