import { formatAddress, parseAddress, socketUrl } from '../../src/folding/address/address.ts'
import { distinctNames } from '../../src/folding/client/identity.ts'
import { traitsOf } from '../../src/folding/client/client-key.ts'
import { shortHash } from '../../src/folding/text/vocabulary.ts'
import type { Subject } from '../../src/folding/schedule/schedule.ts'
import { idOfAddress } from '../../src/machines/connection/fleet/fleet.context.ts'
import type { Config, ClientConfig } from './config/schema.ts'
import { createExchange } from './gateway/exchange.ts'
import type { ExcessNews } from './gateway/client-edge.ts'
import type { Later } from './gateway/pacer.ts'
import { createListing } from './listing.ts'
import type { LabelledClient, Place } from './place.ts'
import type { ListedClient } from './news.ts'
import type { ScheduledClient } from './machines/schedules/schedules.events.ts'
import type { FleetSnapshot } from './machines/server/server.selectors.ts'
import type { AccountClient } from './store/store.ts'

/** A client that sent too much. `wait`: milliseconds until it is tried again. */
export type OnExcess = (place: Pick<Place, 'label' | 'address'>, excess: ExcessNews) => void

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
  /** With what the fleet knows of them. One that the account lists too is there once. The same list while nothing changed. */
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

  const listing = createListing({ all, account })

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
      listing.renew()
    },
    list: listing.list,
    scheduled: () => all.filter(({ isGone }) => !isGone).map(scheduledClient),
  }
}

const countedLists = new WeakMap<object, readonly object[]>()

/** Each client once: where it is listed at several addresses, one that is connected, else the first. The same list for the same. */
export function countedOnce<Client extends Pick<ListedClient, 'id' | 'isConnected'>>(
  clients: readonly Client[],
): readonly Client[] {
  const known = countedLists.get(clients) as readonly Client[] | undefined
  if (known !== undefined) return known
  const chosen = new Map<string, Client>()
  for (const client of clients) {
    const current = client.id === undefined ? undefined : chosen.get(client.id)
    if (client.id !== undefined && (current === undefined || (!current.isConnected && client.isConnected)))
      chosen.set(client.id, client)
  }
  const counted = clients.filter(client => client.id === undefined || chosen.get(client.id) === client)
  countedLists.set(clients, counted)
  return counted
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

function urlOf(address: string): string {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : socketUrl(parsed)
}

function placeOf(config: ClientConfig, number: number) {
  const parsed = parseAddress(config.address)
  const address = parsed === undefined ? config.address : formatAddress(parsed)
  return { number, member: idOfAddress(address), config, address }
}
