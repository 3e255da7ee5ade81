import type { Logger } from 'pino'
import type { Identity } from '../access/access.ts'
import { every } from '../event-loop.ts'
import type { LinkRoute } from '../gateway/client-link.ts'
import type { Place } from '../place.ts'
import type { Places } from '../places.ts'
import type { Topic } from '../store/lease-store.ts'
import type { Cluster, ClusterConnection, ClusterParts } from './cluster.ts'
import type { PersonChange } from './peers.ts'
import { COORDINATION } from './plan-holdings.ts'

type Held = Pick<Place, 'member' | 'address'>

/** This server among those of its database. Alone, it holds everything. */
export type Membership = {
  readonly isAlone: boolean
  /** Whether it does what one server does for all. */
  readonly coordinates: () => boolean
  readonly holds: (place: Held) => boolean
  /** Where a client is reached: `ownRoute` if it is held here, undefined while nobody is known to hold it. */
  readonly routeOf: (place: Held, ownRoute: LinkRoute | undefined) => LinkRoute | undefined
  /** Tells the others. */
  readonly notify: (topic: Topic) => void
  /** Tells the server that coordinates, if that is another one. */
  readonly notifyCoordinator: (change: PersonChange) => void
  /** Passes a request on to the server that coordinates. */
  readonly forward: (request: Request, identity: Identity, body: unknown) => Promise<Response>
  readonly join: (parts: Omit<ClusterParts, 'onChange' | 'machines' | 'log'>) => Promise<void>
  /** Begins with what this server holds. */
  readonly begin: () => Promise<void>
  /** Ends the lease: others take over at once. */
  readonly leave: () => Promise<void>
  /** No change of holdings is followed any more. */
  readonly stop: () => void
}

export type MembershipDeps = {
  readonly connection: ClusterConnection | undefined
  readonly places: Pick<Places, 'account' | 'byUrl'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Begins or ends to coordinate. */
  readonly coordinate: (isHeld: boolean) => Promise<void>
  /** A client of the settings is held by another server than before. */
  readonly onMoved: (place: Place) => void
}

const LOOK_MS = 1000

export function createMembership({ connection, places, log, coordinate, onMoved }: MembershipDeps): Membership {
  let cluster: Cluster | undefined
  let isStopping = false
  const lastHolders = new Map<string, string | undefined>()
  const holderOf = (resource: string): string | undefined =>
    connection === undefined ? 'here' : cluster?.holderOf(resource)
  const holderOfPlace = ({ member, address }: Held): string | undefined =>
    holderOf(places.account.has(member) ? COORDINATION : address)
  const coordinates = (): boolean => holderOf(COORDINATION) === 'here'
  const look = (): void => {
    if (cluster === undefined || isStopping) return
    coordinate(coordinates()).catch((error: unknown) => {
      log.error({ err: error }, 'this server could not begin to coordinate')
    })
    for (const place of places.byUrl.values()) {
      const holder = holderOf(place.address)
      if (lastHolders.get(place.address) === holder) continue
      lastHolders.set(place.address, holder)
      onMoved(place)
    }
  }
  const stopLooking = connection === undefined ? undefined : every(LOOK_MS, look)
  const takesOver = (): Response => Response.json({ error: 'Another server takes over: try again' }, { status: 503 })

  return {
    isAlone: connection === undefined,
    coordinates,
    holds: place => holderOfPlace(place) === 'here',
    routeOf: (place, ownRoute) => {
      const holder = holderOfPlace(place)
      return holder === 'here'
        ? ownRoute
        : holder === undefined
          ? undefined
          : cluster?.peers.machine(holder, place.address)
    },
    notify: topic => cluster?.notify(topic),
    notifyCoordinator: change => {
      const holder = holderOf(COORDINATION)
      if (holder === undefined || holder === 'here') return
      // If it does not arrive, the change is seen, as one that was made at the client.
      cluster?.peers.personChanged(holder, change).catch((error: unknown) => {
        log.warn({ err: error }, 'the coordinating server was not told of a command')
      })
    },
    forward: async (request, identity, body) => {
      const holder = holderOf(COORDINATION)
      if (holder === undefined || holder === 'here' || cluster === undefined) return takesOver()
      const moved = new AbortController()
      const watch = setInterval(() => {
        if (![holder, undefined].includes(holderOf(COORDINATION))) moved.abort()
      }, LOOK_MS)
      return cluster.peers
        .forward(holder, request, identity, body, moved.signal)
        .catch(takesOver)
        .finally(() => clearInterval(watch))
    },
    join: async parts => {
      cluster = await connection?.start({
        ...parts,
        machines: [...places.byUrl.values()].map(({ address }) => address),
        log,
        // Links end at once, and what clients reported is stored under the same keys as by the next server.
        onChange: look,
      })
    },
    begin: async () => {
      if (connection === undefined) await coordinate(true)
      else look()
    },
    leave: () => cluster?.stop() ?? Promise.resolve(),
    stop: () => {
      isStopping = true
      stopLooking?.()
    },
  }
}
