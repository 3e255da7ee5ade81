import { assign, enqueueActions, setup } from 'xstate'
import { parseAddress } from '../../../folding/address/address.ts'
import { backOffDelay } from '../../../folding/shared/back-off.ts'
import type { DirectClient } from '../../../folding/client/direct-clients.ts'
import { shardedGet, shardedDelete } from '../../../folding/shared/sharded-map.ts'
import { replaceSummary } from '../../../folding/client/totals.ts'
import type { ClientInput } from '../client/client.context.ts'
import type { ClientEvent, ClientReport } from '../client/client.events.ts'
import { clientMachine } from '../client/client.machine.ts'
import {
  canBroadcast,
  connectedTwin,
  hasRoomFor,
  idOfAddress,
  namesGiven,
  PART,
  ranksOf,
  type FleetContext,
  type FleetInput,
} from './fleet.context.ts'
import { settingsSystemId } from '../client-settings/client-settings.events.ts'
import type { DialogsEvent } from '../../shared/dialogs/dialogs.events.ts'
import { siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import { compared, concernedBy } from './fleet.comparisons.ts'
import type { FleetEvent, FleetNotification, ClientEntry, ClientGone, RememberedClient } from './fleet.events.ts'
import { hiddenIds, otherConnections, rosterRanked, rosterWithout } from './fleet.roster.ts'

/** How often the account is fetched for clients that its list does not hold. */
const MOST_ASKS = 5

/** Limit of remembered clients that are not in the list. */
const MOST_UNLISTED = 5000

/** Actors, delays and guards of the fleet machine, and the actions that begin, change and end its members. */
export const memberSetup = setup({
  types: { context: {} as FleetContext, events: {} as FleetEvent, input: {} as FleetInput },
  actors: { client: clientMachine },
  delays: {
    nextTurn: 0,
    /** Longer than a connection can be lost without being noticed. */
    suspicionTime: 60_000,
    listRetryDelay: ({ context }) => backOffDelay(context.listRequests.count, { first: 2000, most: 60_000 }),
  },
  guards: {
    isMember: ({ context }, id: string) => context.members[id] !== undefined,
    isLeaving: ({ context }, id: string) => context.leaving.includes(id),
    isListed: ({ context }, id: string) => context.listed.some(client => client.id === id),
    isAddress: (_, address: string) => parseAddress(address) !== undefined,
    canBroadcastTo: ({ context }, ids: readonly string[] | undefined) => ids === undefined && canBroadcast(context),
    canAdd: ({ context }, address: string) => parseAddress(address) !== undefined && hasRoomFor(context, address),
    isAdded: ({ context }, id: string) => context.addresses.some(({ address }) => idOfAddress(address) === id),
  },
  actions: {
    keepAddresses: (_, _params: readonly DirectClient[]): void => undefined,
    // A relay may report any id, so the number of account fetches is limited.
    requestList: enqueueActions(({ context, enqueue }) => {
      const { count, isWaiting } = context.listRequests
      if (isWaiting || count >= MOST_ASKS) return
      enqueue.assign({ listRequests: { count: count + 1, isWaiting: true } })
      enqueue.sendParent({ type: 'fleet.listOutdated' } satisfies FleetNotification)
      enqueue.raise({ type: 'fleet.listDue' }, { delay: 'listRetryDelay', id: 'listDue' })
    }),
    requestListAgain: enqueueActions(({ context, enqueue }) => {
      const { count } = context.listRequests
      const isNeeded = count < MOST_ASKS && strangersOf(context).length > 0
      enqueue.assign({ listRequests: { count: isNeeded ? count + 1 : count, isWaiting: isNeeded } })
      if (!isNeeded) return
      enqueue.sendParent({ type: 'fleet.listOutdated' } satisfies FleetNotification)
      enqueue.raise({ type: 'fleet.listDue' }, { delay: 'listRetryDelay', id: 'listDue' })
    }),
    resetListRequests: assign(({ context: { listRequests, unlisted } }, clients: readonly ClientEntry[]) =>
      clients.some(({ id }) => unlisted.includes(id)) ? { listRequests: { ...listRequests, count: 0 } } : {},
    ),
    clearListRequests: assign(({ context: { listRequests } }) => ({ listRequests: { ...listRequests, count: 0 } })),
    /** A failed client does not affect others. It waits before it reconnects: the same data may cause the same error. */
    restartMember: assign(({ context, spawn }, id: string) => {
      const member = context.members[id]
      if (member === undefined) return {}
      const { address, name, environment, collects, failures, comparison } = member.ref.getSnapshot().context
      const input: ClientInput = {
        id,
        kind: member.kind,
        environment,
        collects,
        failures: failures + 1,
        comparison,
        ...(address === undefined ? {} : { address }),
        ...(name === undefined ? {} : { name }),
      }
      const ref = spawn('client', { id, systemId: `client:${id}`, input })
      return { members: { ...context.members, [id]: { ...member, ref } } }
    }),
    /** Starts the clients of the list that have no actor. */
    startAdded: enqueueActions(({ enqueue }) => {
      enqueue.assign(({ context, spawn }) => {
        const { environment, collects } = context
        const members = { ...context.members }
        for (const { address } of context.addresses) {
          const id = idOfAddress(address)
          if (members[id] !== undefined) continue
          const input: ClientInput = { id, kind: 'direct', address, environment, collects }
          members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input }), kind: 'direct' }
        }
        return { members }
      })
    }),
    rankDirect: assign({ roster: ({ context }) => rosterRanked(context.roster, ranksOf(context)) }),
    /** `reporter`: the member whose report may have told which client it is. */
    renameDirect: enqueueActions(({ context, enqueue }, reporter: string | undefined) => {
      const isNeeded =
        reporter === undefined ||
        (context.members[reporter]?.kind === 'direct' && context.addresses.some(({ name }) => name !== undefined))
      if (!isNeeded) return
      for (const [id, name] of namesGiven(context)) {
        const ref = context.members[id]?.ref
        if (ref !== undefined && ref.getSnapshot().context.name !== name)
          enqueue.sendTo(ref, { type: 'client.renamed', name } satisfies ClientEvent)
      }
    }),
    refuseClient: enqueueActions(({ enqueue }, address: string) => {
      enqueue.sendParent({ type: 'fleet.clientRefused', address } satisfies FleetNotification)
    }),
    stopMembers: enqueueActions(({ context, enqueue, system }, ids: readonly string[]) => {
      const gone = goneWithout(context, ids)
      if (gone.length > 0)
        enqueue.sendParent({ type: 'fleet.machinesGone', machines: gone } satisfies FleetNotification)
      for (const ref of refsOf(context, ids)) enqueue.stopChild(ref)
      for (const { to, event } of withdrawalsOf(system, ids)) enqueue.sendTo(to, event)
      const { comparisons, updates } = comparedWithout(context, ids)
      for (const { ref, comparison } of updates)
        enqueue.sendTo(ref, { type: 'client.compared', comparison } satisfies ClientEvent)
      enqueue.assign(({ context: now }) => ({
        ...uncounted(now, ids),
        comparisons,
        members: without(now.members, ids),
        restartsOwed: now.restartsOwed.filter(id => !ids.includes(id)),
      }))
    }),
    /** Removes clients that left the account. One whose restart is pending stays until it is sent. */
    removeUnlisted: enqueueActions(({ context, enqueue, system }, ids: readonly string[]) => {
      const left = goneWithout(context, ids)
      if (left.length > 0)
        enqueue.sendParent({ type: 'fleet.machinesGone', machines: left } satisfies FleetNotification)
      const leaving = ids.filter(id => context.restartsOwed.includes(id))
      // A client that is listed again is spawned like a new one.
      const gone = [...ids, ...context.leaving].filter(id => !leaving.includes(id))
      for (const ref of refsOf(context, gone)) enqueue.stopChild(ref)
      for (const { to, event } of withdrawalsOf(system, ids)) enqueue.sendTo(to, event)
      const { comparisons, updates } = comparedWithout(context, ids)
      for (const { ref, comparison } of updates)
        enqueue.sendTo(ref, { type: 'client.compared', comparison } satisfies ClientEvent)
      enqueue.assign(({ context: now }) => ({
        ...uncounted(now, ids),
        comparisons,
        members: without(now.members, gone),
        leaving,
      }))
    }),
    assignRestartsOwed: assign(({ context: { restartsOwed } }, { id, report }: { id: string; report: ClientReport }) =>
      restartsOwed.includes(id) === report.isRestartPending
        ? {}
        : {
            restartsOwed: report.isRestartPending ? [...restartsOwed, id] : restartsOwed.filter(other => other !== id),
          },
    ),
    /** A client that is not connected to the relay may have a direct connection. */
    restartThroughTwins: enqueueActions(({ context, enqueue }) => {
      for (const id of context.restartsOwed) {
        const isThere = !context.leaving.includes(id) && shardedGet(context.reports, id)?.isConnected === true
        const twin = isThere ? undefined : connectedTwin(context, id)
        const ref = context.members[id]?.ref
        if (twin === undefined || ref === undefined) continue
        enqueue.sendTo(twin, { type: 'client.restart' } satisfies ClientEvent)
        enqueue.sendTo(ref, { type: 'client.cancelRestart' } satisfies ClientEvent)
      }
    }),
    stopRestartedMembers: enqueueActions(({ context, enqueue }) => {
      const notified = context.leaving.filter(id => !context.restartsOwed.includes(id))
      for (const ref of refsOf(context, notified)) enqueue.stopChild(ref)
      if (notified.length > 0)
        enqueue.assign(({ context: now }) => ({
          members: without(now.members, notified),
          leaving: now.leaving.filter(id => !notified.includes(id)),
        }))
    }),
    assignListed: assign({
      listed: ({ context }, clients: readonly ClientEntry[]) => [
        ...context.listed.filter(({ address }) => address !== undefined),
        ...clients.filter(({ id }) => context.members[id] === undefined),
      ],
    }),
    // In parts: spawning a thousand clients at once would block the page.
    spawnNextListed: assign(({ context, spawn }) => {
      const { environment, collects } = context
      const members = { ...context.members }
      for (const { id, ...client } of context.listed.slice(0, PART)) {
        if (members[id] !== undefined) continue
        const kind = client.address === undefined ? 'relay' : 'direct'
        const input: ClientInput = { id, kind, ...client, environment, collects: collects && kind === 'direct' }
        members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input }), kind }
      }
      return { members, listed: context.listed.slice(PART) }
    }),
    scheduleSpawn: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel('spawnNext')
      if (context.listed.length > 0) enqueue.raise({ type: 'fleet.spawnNext' }, { delay: 'nextTurn', id: 'spawnNext' })
    }),
    notifyJoined: enqueueActions(({ context: { members, listed, unlisted }, enqueue }) => {
      for (const id of unlisted) {
        const ref = members[id]?.ref
        if (ref !== undefined) enqueue.sendTo(ref, { type: 'client.joined' } satisfies ClientEvent)
      }
      enqueue.assign({ unlisted: unlisted.filter(id => listed.some(client => client.id === id)) })
    }),
    spawnRestored: assign(({ context, spawn }, clients: readonly RememberedClient[]) => {
      const members = { ...context.members }
      for (const { id, kind, name } of clients) {
        if (kind === 'direct' || members[id] !== undefined || !context.awaitsAccount) continue
        const input: ClientInput = {
          id,
          kind,
          environment: context.environment,
          ...(name === undefined ? {} : { name }),
        }
        members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input }), kind }
      }
      return { members }
    }),
    notifyRestored: enqueueActions(({ context, enqueue }, clients: readonly RememberedClient[]) => {
      for (const { id, data, at } of clients) {
        const ref = context.members[id]?.ref
        if (ref !== undefined) enqueue.sendTo(ref, { type: 'client.restored', data, at } satisfies ClientEvent)
      }
    }),
    renameListed: enqueueActions(({ context, enqueue }, clients: readonly ClientEntry[]) => {
      for (const { id, name } of clients) {
        const ref = context.members[id]?.ref
        if (ref !== undefined && ref.getSnapshot().context.name !== name)
          enqueue.sendTo(ref, { type: 'client.renamed', name } satisfies ClientEvent)
      }
    }),
    removeUnlistedId: assign({ unlisted: ({ context }, id: string) => context.unlisted.filter(other => other !== id) }),
    addUnlisted: assign(({ context: { unlisted } }, id: string) =>
      unlisted.length < MOST_UNLISTED && !unlisted.includes(id) ? { unlisted: [...unlisted, id] } : {},
    ),
  },
})

/** An actor that is stopped asks nothing any more, and cannot say so itself. */
function withdrawalsOf(system: SiblingSystem, ids: readonly string[]) {
  const to = siblingOf(system, 'dialogs')
  return to === undefined
    ? []
    : ids.map(id => ({ to, event: { type: 'dialogs.withdraw', id: settingsSystemId(id) } satisfies DialogsEvent }))
}

function refsOf({ members }: FleetContext, ids: readonly string[]) {
  return ids.flatMap(id => members[id]?.ref ?? [])
}

/** Reports, roster and totals without these members. */
function uncounted({ reports, roster, totals }: FleetContext, ids: readonly string[]) {
  return {
    reports: shardedDelete(reports, ids),
    roster: rosterWithout(roster, ids),
    totals: ids.reduce((rest, id) => replaceSummary(rest, shardedGet(reports, id)?.summary, undefined), totals),
  }
}

/** What clients are to be told when these members leave. */
function comparedWithout(context: FleetContext, ids: readonly string[]) {
  const roster = rosterWithout(context.roster, ids)
  return compared({ ...context, roster }, [...ids, ...concernedBy(context.roster, roster, ids)])
}

/** The shown clients among these members that are about to leave, with another connection where there is one. */
function goneWithout({ roster }: FleetContext, ids: readonly string[]): readonly ClientGone[] {
  const hidden = hiddenIds(roster)
  const leaving = new Set(ids)
  return ids.flatMap(id => {
    const entry = hidden.has(id) ? undefined : shardedGet(roster, id)
    if (entry === undefined) return []
    return [clientGoneEvent(entry, otherConnections(roster, id).find(other => !leaving.has(other.id))?.id)]
  })
}

export function clientGoneEvent({ id, name }: { id: string; name: string }, shownAs: string | undefined): ClientGone {
  return {
    id,
    name,
    ...(shownAs === undefined ? {} : { shownAs }),
  }
}

/** Clients that the relay reported and the account's list does not hold. */
function strangersOf({ unlisted, members, listed }: FleetContext): readonly string[] {
  return unlisted.filter(id => members[id] === undefined && !listed.some(client => client.id === id))
}

function without<T>(record: Readonly<Record<string, T>>, ids: readonly string[]): Readonly<Record<string, T>> {
  return ids.length === 0 ? record : Object.fromEntries(Object.entries(record).filter(([id]) => !ids.includes(id)))
}
