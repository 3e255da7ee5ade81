import { createTurns } from '../../../src/folding/shared/turns.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import type { ServerNews } from '../news.ts'
import type { AccountNews } from '../machines/account/account.events.ts'
import type { Topic } from '../store/lease-store.ts'
import type { AccountClient, EndedUnit, ServerStore } from '../store/store.ts'

export type FollowerDeps = {
  readonly store: Pick<ServerStore, 'accountClients' | 'incidents' | 'units'>
  readonly isCoordinating: () => boolean
  readonly onAccountClients: (clients: readonly AccountClient[]) => void
  readonly sendToFleet: (event: AccountNews) => void
  readonly publish: (event: ServerNews) => void
  /** Units that were stored. */
  readonly onUnits: (units: readonly EndedUnit[]) => void
  /** Somebody may have signed out. */
  readonly lookAtSessions: () => Promise<void>
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export type Follower = {
  /** Something may have changed: looks at once. */
  readonly look: (topic: Topic) => void
  /** Whether clients of the account are reached through the server that coordinates. */
  readonly connectAccount: (isWanted: boolean) => void
  readonly stop: () => void
}

/** Hints may be lost: everything is looked at this often anyway. */
const LOOK_MS = 20_000
/** Units that ended longer ago are no news. */
const NEWS_MS = 2 * 3_600_000
const MOST_ENDED = 200
const MOST_UNITS = 1000

/** What other servers store, for the pages and programs that follow this one. */
export function createFollower(deps: FollowerDeps): Follower {
  const { store, publish, sendToFleet, now } = deps
  let accountClients: readonly AccountClient[] = []
  let isAccountConnected = false
  let incidents: ReadonlyMap<string, string> | undefined
  let units: ReadonlySet<string> | undefined
  const inTurn = createTurns()

  const lookAtIncidents = async (): Promise<void> => {
    const found = await store.incidents.load(MOST_ENDED)
    const texts = new Map(found.map(incident => [keyOf(incident), JSON.stringify(incident)]))
    const before = incidents
    incidents = texts
    const changed = found.filter(incident => before?.get(keyOf(incident)) !== texts.get(keyOf(incident)))
    if (before !== undefined && changed.length > 0 && !deps.isCoordinating())
      publish({ type: 'incidents', incidents: changed })
  }
  const lookAtUnits = async (): Promise<void> => {
    const { units: found } = await store.units({ from: now() - NEWS_MS }, MOST_UNITS)
    const before = units
    units = new Set(found.map(({ key }) => key))
    const fresh = found.filter(({ key }) => before?.has(key) === false)
    if (fresh.length > 0) deps.onUnits(fresh)
  }
  const lookAtAccount = async (): Promise<void> => {
    accountClients = await store.accountClients()
    deps.onAccountClients(accountClients)
  }
  const looks: Readonly<Record<Topic, () => Promise<void> | void>> = {
    holdings: () => undefined,
    schedules: () => {
      if (!deps.isCoordinating()) publish({ type: 'schedules' })
    },
    incidents: lookAtIncidents,
    units: lookAtUnits,
    account: lookAtAccount,
    shared: () => {
      if (!deps.isCoordinating()) publish({ type: 'shared' })
    },
    sessions: deps.lookAtSessions,
  }
  const waiting = new Set<Topic>()
  const look = (topic: Topic): void => {
    if (waiting.has(topic)) return
    waiting.add(topic)
    inTurn(() => {
      waiting.delete(topic)
      return looks[topic]()
    }).catch(deps.onError)
  }
  const timer = setInterval(() => {
    for (const topic of ['incidents', 'units', 'account', 'sessions'] as const) look(topic)
  }, LOOK_MS)

  return {
    look,
    connectAccount: isWanted => {
      const isConnected = isWanted && !deps.isCoordinating()
      if (isConnected === isAccountConnected) return
      isAccountConnected = isConnected
      if (deps.isCoordinating()) return
      for (const { id, isListed } of accountClients)
        if (isListed)
          sendToFleet(
            isConnected
              ? { type: 'relay.clientConnected', id, at: now() }
              : { type: 'relay.clientDisconnected', id, at: now() },
          )
    },
    stop: () => clearInterval(timer),
  }
}

function keyOf({ key, resolvedAt }: StoredIncident): string {
  return `${key} ${resolvedAt ?? ''}`
}
