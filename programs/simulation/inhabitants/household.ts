import type { SimulatedClient } from '../../network/clients/index.ts'
import type { FleetClient } from '../../network/index.ts'
import { createHome, type Home, type HomeAccount, type HomeParts } from './homes.ts'

type HouseholdParts = HomeParts & { readonly account: HomeAccount }

const FIRST_PORT = 18_251
const COUNT = 2
/** The numbers of other machines are below. */
const FIRST_SLOT = 1000

/** Computers of the account whose clients are processes of their own: they are copied, reinstalled, removed and added again. */
export function createHousehold(parts: HouseholdParts) {
  let homes: readonly Home[] = []
  let clients: readonly FleetClient[] = []
  const ids = new Set<string>()
  const listeners: ((id: string, client: SimulatedClient) => void)[] = []
  /** By computer: as its client was last. */
  const last = new Map<Home, FleetClient>()

  const clientOf = (home: Home, client: SimulatedClient): FleetClient => {
    const { id } = home.disk()
    return {
      slot: FIRST_SLOT + homes.indexOf(home),
      id,
      client,
      isOnline: () => home.client() === client && home.isAwake() && home.isOnline(),
      kill: home.kill,
      revive: home.start,
    }
  }

  const whenStarted = (home: Home, client: SimulatedClient): void => {
    const one = clientOf(home, client)
    last.set(home, one)
    ids.add(one.id)
    for (const listener of listeners) listener(one.id, client)
  }

  const isCopy = (home: Home): boolean => homes.some(other => other !== home && other.disk().id === home.disk().id)

  return {
    all: () => homes,
    /** Switches them on, the first time. */
    wake: (): void => {
      if (homes.length > 0) return
      homes = Array.from({ length: COUNT }, (_, profile) =>
        createHome({ ...parts, name: `household-${profile + 1}`, port: FIRST_PORT + profile, profile, whenStarted }),
      )
      for (const home of homes) home.start()
    },
    /** Those that have an id of their own; the same list while nothing changes. */
    clients: (): readonly FleetClient[] => {
      const now = homes.flatMap(home => {
        const one = last.get(home)
        return one === undefined || one.id !== home.disk().id || isCopy(home) ? [] : [one]
      })
      const isSame = now.length === clients.length && now.every((one, index) => one === clients[index])
      if (!isSame) clients = now
      return clients
    },
    /** Those that share an id with another one that runs. */
    copies: (): readonly Home[] => homes.filter(isCopy),
    /** Ids that any of them has, or had. */
    ids: (): ReadonlySet<string> => ids,
    /** `started`: a client runs, and has told nobody anything yet. */
    whenStarted: (started: (id: string, client: SimulatedClient) => void): void => void listeners.push(started),
  }
}

export type Household = ReturnType<typeof createHousehold>
