import { useSelector } from './use-selector.ts'
import { createContext, use, useMemo, useSyncExternalStore } from 'react'
import type { Condition } from '../../folding/incidents/incident.ts'
import type { ClockRef } from '../../machines/app/clock/clock.machine.ts'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../machines/connection/client/client.machine.ts'
import { selectClientKey } from '../../machines/connection/client/client.selectors.ts'
import { selectLogTime } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { useSystem } from './system-context.ts'
import { whileSeen } from './while-seen.ts'

/** The client that a panel or a client's screen shows. */
export const ClientContext = createContext<ClientRef | undefined>(undefined)

export function useClient(): ClientRef {
  const client = use(ClientContext)
  if (client === undefined) throw new Error('useClient needs a ClientContext.')
  return client
}

export type Primitive = string | number | boolean | undefined

/**
 * The time at which a client's data are evaluated, in epoch milliseconds: `now` while it is connected, else the time of
 * its last report, since its state after that is unknown.
 */
export function effectiveNow(snapshot: ClientSnapshot, now: number): number {
  return snapshot.context.connectedAt === undefined ? (snapshot.context.heardAt ?? now) : now
}

/** A value of the client that does not depend on the time. */
export function useClientSelector<T extends Primitive>(select: (snapshot: ClientSnapshot) => T): T {
  return useSelector(useClient(), select)
}

/** The time in the client's log of what is wrong with a part of it; undefined when nothing is, or it is not known. */
export function useLogTime(isAbout: (condition: Condition) => boolean): number | undefined {
  return useSelector(useSystem().incidents, selectLogTime(useClientSelector(selectClientKey), isAbout))
}

/** Subscribes to a client and the time. */
export function subscribeAt(client: ClientRef, clock: ClockRef) {
  return whileSeen(onChange => {
    const subscriptions = [client.subscribe(onChange), clock.subscribe(onChange)]
    return () => subscriptions.forEach(subscription => subscription.unsubscribe())
  })
}

/**
 * A value of the client at this moment. Evaluated whenever the client or the time changes; renders again only when the
 * result differs, so the result must be a primitive.
 */
export function useClientAt<T extends Primitive>(derive: (snapshot: ClientSnapshot, now: number) => T): T {
  const client = useClient()
  const { clock } = useSystem()
  const subscribe = useMemo(() => subscribeAt(client, clock), [client, clock])
  return useSyncExternalStore(subscribe, () => {
    const snapshot = client.getSnapshot()
    return derive(snapshot, effectiveNow(snapshot, selectNow(clock.getSnapshot())))
  })
}
