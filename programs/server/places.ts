import { formatAddress, parseAddress, socketUrl } from '../../src/folding/address/address.ts'
import type { Excess } from '../../src/folding/client/client-excess.ts'
import { distinctNames } from '../../src/folding/client/identity.ts'
import { traitsOf } from '../../src/folding/client/client-key.ts'
import { text } from '../../src/folding/shared/read.ts'
import { shortHash } from '../../src/folding/text/vocabulary.ts'
import type { Subject } from '../../src/folding/schedule/schedule.ts'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { idOfAddress } from '../../src/machines/connection/fleet/fleet.context.ts'
import type { Config, ClientConfig } from './config/schema.ts'
import { createExchange, type Exchange } from './gateway/exchange.ts'
import type { ExcessNews } from './gateway/client-edge.ts'
import type { Later } from './gateway/pacer.ts'
import type { ListedClient } from './news.ts'
import type { ScheduledClient } from './machines/schedules/schedules.events.ts'
import { readMember, stateOf, type FleetSnapshot, type Member } from './machines/server/server.selectors.ts'
import type { AccountClient } from './store/store.ts'

/** One client of the settings, or of the account. */
export type Place = {
  readonly number: number
  /** The id of its connection in the fleet. */
  readonly member: string
  readonly config: ClientConfig
  /** The account no longer lists it. Its number is not used again. */
  isGone: boolean
  /** Its name in metrics and logs, which the client cannot change. */
  label: string
  readonly address: string
  readonly exchange: Exchange
}

/** A client that sent too much. `wait`: milliseconds until it is tried again. */
export type OnExcess = (place: Pick<Place, 'label' | 'address'>, excess: ExcessNews) => void

export type LabelledClient = ListedClient & Pick<Place, 'label' | 'member'>

/** All clients that the server ever had since its start. */
export type Places = {
  readonly all: readonly Place[]
  /** By the URL of a direct connection. */
  readonly byUrl: ReadonlyMap<string, Place>
  /** Clients of the account, by their ids. */
  readonly account: ReadonlyMap<string, Place>
  /** By its number, from 1. */
  readonly numbered: (number: number) => Place | undefined
  readonly at: (address: string) => Place | undefined
  /** Adds clients of the account, and notes those that it no longer lists. */
  readonly placeAccount: (clients: readonly AccountClient[]) => void
  /** With what the fleet knows of them. One that the account lists too is there once. */
  readonly list: (fleet: FleetSnapshot | undefined) => readonly LabelledClient[]
  readonly scheduled: () => readonly ScheduledClient[]
}

/** The address of a client of the account has this before the client's id. */
export const ACCOUNT_PREFIX = 'account:'

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** `now`: epoch milliseconds. */
export function createPlaces(
  config: Pick<Config, 'machines' | 'account'>,
  now: () => number,
  onExcess: OnExcess = () => undefined,
): Places {
  const placed = (place: Omit<Place, 'exchange' | 'label' | 'isGone'>, isGone: boolean): Place => {
    const exchange = createExchange({ now, later, onExcess: excess => onExcess(whole, excess) })
    const whole: Place = { ...place, isGone, label: place.address, exchange }
    return whole
  }
  const all = config.machines.map((client, at) => placed(placeOf(client, at + 1), false))
  const byUrl = new Map(all.map(place => [urlOf(place.address), place]))
  const account = new Map<string, Place>()
  const nameApart = (): void => {
    const labels = distinctNames(
      all.map(({ config: settings, address, member }) => ({
        name: settings.name ?? (account.has(member) ? `${ACCOUNT_PREFIX}${shortHash(member)}` : address),
        // Whoever reads metrics must not learn ids: the API answers whoever has one.
        id: account.has(member) ? shortHash(member) : undefined,
        address: account.has(member) ? undefined : address,
        traits: traitsOf(undefined),
      })),
    )
    for (const [index, place] of all.entries()) place.label = labels[index] ?? place.label
  }
  nameApart()

  /** What was listed last: several parts of the server list all clients each second. */
  const listed = new Map<Place, { readonly seen: Member; readonly machine: LabelledClient }>()
  let named: { readonly of: readonly Nameable[]; readonly names: readonly string[] } = { of: [], names: [] }
  /** Their names, told apart; computed again when one of them says something else of itself. */
  const namesOf = (shown: readonly { readonly place: Place; readonly state: Member }[]): readonly string[] => {
    const { of: before } = named
    const isSame =
      before.length === shown.length &&
      shown.every(({ place, state }, index) => {
        const previous = before[index]
        return previous?.place === place && previous.info === state.data?.info && previous.name === nameOf(place, state)
      })
    if (!isSame) {
      const nameables = shown.map(({ place, state }) => ({ place, info: state.data?.info, name: nameOf(place, state) }))
      const names = distinctNames(
        nameables.map(({ place: { address, member }, info, name }) => ({
          name,
          id: account.has(member) ? member : text(info?.id),
          address: account.has(member) ? undefined : address,
          traits: traitsOf(info),
        })),
      )
      named = { of: nameables, names }
    }
    return named.names
  }

  return {
    all,
    byUrl,
    account,
    numbered: number => all[number - 1],
    at: address => all.find(place => place.address === address),
    placeAccount: clients => {
      for (const { id, name, isListed } of clients) {
        const accountMachine = account.get(id)
        if (accountMachine !== undefined) {
          accountMachine.isGone = !isListed
          continue
        }
        const address = `${ACCOUNT_PREFIX}${id}`
        const settings = {
          address,
          name: name === '' ? undefined : name,
          ...accountClientSettings(config.account, id),
        }
        const place = placed({ number: all.length + 1, member: id, config: settings, address }, !isListed)
        all.push(place)
        account.set(id, place)
      }
      nameApart()
    },
    list: fleet => {
      const seen = all.map(place => {
        const { member } = place
        const now = readMember(fleet, member)
        const before = listed.get(place)
        const isSame =
          before !== undefined &&
          before.seen.report === now.report &&
          before.seen.id === now.id &&
          before.seen.data === now.data &&
          before.seen.heardAt === now.heardAt &&
          before.seen.asOf === now.asOf &&
          before.seen.excess === now.excess
        return isSame ? before.seen : now
      })
      // The direct way is preferred: a client of the settings is not listed once more for the account.
      const direct =
        account.size === 0
          ? new Set<string>()
          : new Set(all.flatMap(({ member }, index) => (account.has(member) ? [] : (seen[index]?.id ?? []))))
      const shown = all.flatMap((place, index) => {
        const state = seen[index]
        const { isGone, member } = place
        return isGone || state === undefined || (account.has(member) && direct.has(state.id ?? member))
          ? []
          : [{ place, state }]
      })
      const names = namesOf(shown)
      return shown.map(({ place, state }, index) => {
        const name = names[index] ?? place.address
        const before = listed.get(place)
        if (
          before?.seen === state &&
          before.machine.name === name &&
          before.machine.label === place.label &&
          before.machine.excess === excessOf(place, state)
        )
          return before.machine
        const client = clientOf(place, state, name)
        listed.set(place, { seen: state, machine: client })
        return client
      })
    },
    scheduled: () => all.filter(({ isGone }) => !isGone).map(scheduledClient),
  }
}

/** Each client once: where it is listed at several addresses, one that is connected, else the first. */
export function countedOnce<Client extends Pick<ListedClient, 'id' | 'isConnected'>>(
  clients: readonly Client[],
): readonly Client[] {
  const chosen = new Map<string, Client>()
  for (const client of clients) {
    const current = client.id === undefined ? undefined : chosen.get(client.id)
    if (client.id !== undefined && (current === undefined || (!current.isConnected && client.isConnected)))
      chosen.set(client.id, client)
  }
  return clients.filter(client => client.id === undefined || chosen.get(client.id) === client)
}

/** Clients that the settings and the account no longer have are counted together. */
const OTHER = 'other'

/**
 * The labels of clients by their keys: that of the place where it is, else where it was last. They are the same after a
 * restart, before the clients are connected.
 */
export function labelsOf(
  clients: readonly Pick<LabelledClient, 'id' | 'label'>[],
  seen: readonly { readonly id: string; readonly address: string }[],
  { all }: Pick<Places, 'all'>,
): (key: string) => string {
  const byAddress = new Map(all.map(({ address, label }) => [address, label]))
  const byKey = new Map(seen.map(({ id, address }) => [id, byAddress.get(address)]))
  for (const { id, label } of clients) if (id !== undefined) byKey.set(id, label)
  return key => byKey.get(key) ?? OTHER
}

/** What a schedule keeps: the client, or one of its groups. */
export function subjectOf({ address }: Place, group: string | undefined): Subject {
  return {
    machine: address,
    ...(group === undefined ? {} : { group }),
  }
}

/** What may be sent to a client of the account, and the tags by which schedules name it. */
function accountClientSettings(
  { machines: clients, commands, tags }: Config['account'],
  id: string,
): Pick<ClientConfig, 'commands' | 'tags'> {
  const configured = clients.find(client => client.id === id)
  return { commands: configured?.commands ?? commands, tags: configured?.tags ?? tags }
}

function scheduledClient({ address, config: { commands, tags } }: Place): ScheduledClient {
  return {
    address,
    tags,
    mayAct: commands.includes('state'),
  }
}

type Nameable = { readonly place: Place; readonly info: ClientData['info'] | undefined; readonly name: string }

function nameOf({ config, address }: Place, { report }: Member): string {
  return config.name ?? report?.ownName ?? address
}

function clientOf(
  { number, address, config: { commands, tags, name: givenName }, exchange, label, member }: Place,
  seen: Member,
  name: string,
): LabelledClient {
  const { id, isConnected, problem, summary, data, lastMessageAt, asOf } = stateOf(seen, address)
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
    excess: excessOf({ exchange }, seen),
    label,
    member,
  }
}

/** Found here, or by the server that holds the client. */
function excessOf({ exchange }: Pick<Place, 'exchange'>, { excess }: Member): Excess | undefined {
  return exchange.excess() ?? excess
}

function urlOf(address: string): string {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : socketUrl(parsed)
}

function placeOf(config: ClientConfig, number: number) {
  const parsed = parseAddress(config.address)
  const address = parsed === undefined ? config.address : formatAddress(parsed)
  return { number, member: idOfAddress(address), config, address }
}
