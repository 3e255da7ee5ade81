import type { Excess } from '../../src/folding/client/client-excess.ts'
import { traitsOf } from '../../src/folding/client/client-key.ts'
import { distinctNames } from '../../src/folding/client/identity.ts'
import { text } from '../../src/folding/shared/read.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import { NOBODY, readMember, stateOf, type FleetSnapshot, type Member } from './machines/server/server.selectors.ts'
import type { LabelledClient, Place } from './place.ts'

type Context = FleetSnapshot['context']

/** `account`: clients of the account, by their ids. */
type AllPlaces = { readonly all: readonly Place[]; readonly account: ReadonlyMap<string, Place> }

/** What was listed last of a place. */
type Entry = {
  readonly place: Place
  ref: ClientRef | undefined
  unfollow: () => void
  seen: Member
  /** Undefined while it is not listed. */
  index: number | undefined
  client: LabelledClient | undefined
}

export type Listing = {
  /** The same list while nothing changed, and the same object for each client that did not. */
  readonly list: (fleet: FleetSnapshot | undefined) => readonly LabelledClient[]
  /** Places were added or left, or have other labels. */
  readonly renew: () => void
}

/** Lists all clients, as several parts of the server do each second: only what changed is looked at. */
export function createListing({ all, account }: AllPlaces): Listing {
  const entries = new Map<string, Entry>()
  /** What may have changed. */
  const noted = new Set<Entry>()
  let listed: readonly LabelledClient[] = []
  let last: Context | undefined
  let isRenewed = true

  const follow = (entry: Entry, ref: ClientRef | undefined): void => {
    if (entry.ref === ref) return
    entry.unfollow()
    const note = (): unknown => noted.add(entry)
    const subscription = ref?.subscribe({ next: note, error: note })
    entry.ref = ref
    entry.unfollow = () => subscription?.unsubscribe()
    note()
  }
  const followAll = (members: Context['members'] | undefined): void => {
    for (const place of all) {
      const entry = entries.get(place.member) ?? newEntry(place)
      entries.set(place.member, entry)
      follow(entry, members?.[place.member]?.ref)
    }
  }
  const noteOthers = <T>(before: readonly ReadonlyMap<string, T>[], now: typeof before): void =>
    now.forEach((shard, index) => {
      const former = before[index]
      if (former === shard) return
      for (const [id, value] of shard) {
        const entry = former?.get(id) === value ? undefined : entries.get(id)
        if (entry !== undefined) noted.add(entry)
      }
    })
  const noteChanges = (context: Context | undefined): void => {
    if (isRenewed || context?.members !== last?.members) followAll(context?.members)
    if (context !== undefined && last !== undefined) {
      noteOthers(last.reports, context.reports)
      noteOthers(last.roster, context.roster)
    }
    last = context
    // One that sent too much is left alone for some time only.
    for (const { excess, member } of listed) {
      const entry = excess === undefined ? undefined : entries.get(member)
      if (entry !== undefined) noted.add(entry)
    }
  }

  /** Returns whether it may be listed elsewhere now, or by another name. */
  const readAgain = (entry: Entry, fleet: FleetSnapshot | undefined): boolean => {
    const { place, seen: before } = entry
    const seen = readMember(fleet, place.member)
    entry.seen = seen
    if (isSame(before, seen) && entry.client?.excess === excessOf(place, seen)) return false
    const { client } = entry
    entry.client = client === undefined ? undefined : clientOf(place, seen, client.name)
    return (
      before.id !== seen.id || before.data?.info !== seen.data?.info || nameOf(place, before) !== nameOf(place, seen)
    )
  }

  const listAll = (): readonly LabelledClient[] => {
    const isOfAccount = ({ place }: Entry): boolean => account.has(place.member)
    // The direct way is preferred: a client of the settings is not listed once more for the account.
    const direct = new Set([...entries.values()].flatMap(entry => (isOfAccount(entry) ? [] : (entry.seen.id ?? []))))
    const isShown = (entry: Entry): boolean =>
      !entry.place.isGone && !(isOfAccount(entry) && direct.has(entry.seen.id ?? entry.place.member))
    const shown = [...entries.values()].filter(isShown)
    const names = distinctNames(
      shown.map(entry => {
        const { place, seen } = entry
        return {
          name: nameOf(place, seen),
          id: isOfAccount(entry) ? place.member : text(seen.data?.info.id),
          address: isOfAccount(entry) ? undefined : place.address,
          traits: traitsOf(seen.data?.info),
        }
      }),
    )
    for (const entry of entries.values()) entry.index = undefined
    return shown.map((entry, index) => {
      const { place, seen, client } = entry
      const name = names[index] ?? place.address
      entry.index = index
      const isKept = client?.name === name && client.label === place.label
      return (entry.client = isKept ? client : clientOf(place, seen, name))
    })
  }

  return {
    list: fleet => {
      noteChanges(fleet?.context)
      if (noted.size === 0 && !isRenewed) return listed
      const changed = [...noted]
      noted.clear()
      const isMoved = changed.filter(entry => readAgain(entry, fleet)).length > 0
      if (isMoved || isRenewed) {
        isRenewed = false
        listed = listAll()
        return listed
      }
      const others = changed.filter(({ index, client }) => index !== undefined && listed[index] !== client)
      if (others.length === 0) return listed
      const next = [...listed]
      for (const { index, client } of others) if (index !== undefined && client !== undefined) next[index] = client
      listed = next
      return listed
    },
    renew: () => {
      isRenewed = true
    },
  }
}

function newEntry(place: Place): Entry {
  return {
    place,
    ref: undefined,
    unfollow: () => undefined,
    seen: NOBODY,
    index: undefined,
    client: undefined,
  }
}

function isSame(one: Member, other: Member): boolean {
  return (
    one.report === other.report &&
    one.id === other.id &&
    one.data === other.data &&
    one.heardAt === other.heardAt &&
    one.asOf === other.asOf &&
    one.excess === other.excess
  )
}

function nameOf({ config, address }: Place, { report }: Member): string {
  return config.name ?? report?.ownName ?? address
}

function clientOf(place: Place, seen: Member, name: string): LabelledClient {
  const { number, address, config, label, member } = place
  const { id, isConnected, problem, summary, data, lastMessageAt, asOf } = stateOf(seen, address)
  const { commands, tags, name: givenName } = config
  const excess = excessOf(place, seen)
  return {
    name,
    id,
    isConnected,
    problem,
    summary,
    data,
    lastMessageAt,
    asOf,
    number,
    address,
    commands,
    tags,
    givenName,
    excess,
    label,
    member,
  }
}

/** Found here, or by the server that holds the client. */
function excessOf({ exchange }: Place, { excess }: Member): Excess | undefined {
  return exchange.excess() ?? excess
}
