import { assign, enqueueActions, sendParent } from 'xstate'
import { isDescribed, isOtherComputer, type Clones } from '../../../folding/client/client-key.ts'
import { DIRECT_ID } from '../../../folding/client/client.ts'
import { noDonor } from '../../../folding/account/donor.ts'
import { isSameList, isSameValue } from '../../../folding/shared/equal.ts'
import { shardedGet, shardedSet } from '../../../folding/shared/sharded-map.ts'
import { replaceSummary } from '../../../folding/client/totals.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import { SIMULATION } from '../../../folding/unit/archived-client.ts'
import type { ClientEvent, ClientUnitsEnded, ClientEnvironment, ClientReport } from '../client/client.events.ts'
import { hasConnectedRelayTwin, linkNotice, ranksOf, reachedByBroadcast, type FleetContext } from './fleet.context.ts'
import { compared, concernedBy } from './fleet.comparisons.ts'
import type { FleetNotification, ClientGone } from './fleet.events.ts'
import {
  connectionsOf,
  differentProcesses,
  hiddenIds,
  otherConnections,
  rosterWith,
  rosterWithClones,
  runsElsewhereToo,
  shownIds,
  type Roster,
  type RosterEntry,
} from './fleet.roster.ts'
import { clientGoneEvent, memberSetup } from './fleet.members.ts'

type Asked = {
  readonly state: FoldingState
  readonly ids?: readonly string[] | undefined
  /** With a broadcast: only the clients that it reaches, or only the others. Undefined for all. */
  readonly around?: 'reached' | 'unreached'
}

/** The setup of the fleet machine: that of its members, and the actions that pass on what they report and are told. */
export const fleetSetup = memberSetup.extend({
  actions: {
    changeEnvironment: enqueueActions(({ context, enqueue }, change: Partial<ClientEnvironment>) => {
      const environment = { ...context.environment, ...change }
      if (isSameValue(environment, context.environment)) return
      enqueue.assign({ environment })
      for (const { ref } of Object.values(context.members))
        enqueue.sendTo(ref, { type: 'client.environmentChanged', environment } satisfies ClientEvent)
    }),
    sendToMember: enqueueActions(({ context, enqueue }, { id, news: event }: { id: string; news: ClientEvent }) => {
      const ref = context.members[id]?.ref
      if (ref !== undefined) enqueue.sendTo(ref, event)
    }),
    sendToAll: enqueueActions(({ context, enqueue }, event: ClientEvent) => {
      for (const { ref } of Object.values(context.members)) enqueue.sendTo(ref, event)
    }),
    requestHistory: enqueueActions(({ context: { members }, enqueue }, ids: readonly string[] | undefined) => {
      if (ids === undefined) enqueue.assign({ collects: true })
      const isConcerned = (id: string): boolean =>
        ids === undefined ? members[id]?.kind === 'direct' : ids.includes(id)
      for (const [id, { ref }] of Object.entries(members))
        if (isConcerned(id)) enqueue.sendTo(ref, { type: 'client.reportHistory' } satisfies ClientEvent)
    }),
    notifyHistoryAsked: sendParent((_, connection: string): FleetNotification => ({
      type: 'fleet.historyAsked',
      connection,
    })),
    notifyUnitsEnded: enqueueActions(({ context, enqueue }, { id, machine: client, units }: ClientUnitsEnded) => {
      const isSimulated = shardedGet(context.reports, id)?.isSimulated === true
      const owner =
        context.members[id]?.kind === 'relay' ? context.environment.account : isSimulated ? SIMULATION : undefined
      enqueue.sendParent({
        type: 'fleet.unitsEnded',
        connection: id,
        machine: { ...client, id: shardedGet(context.roster, id)?.machine ?? client.id, owner },
        units,
      } satisfies FleetNotification)
    }),
    /** A client that a broadcast reached is told on its shown connection. */
    notifyBroadcast: enqueueActions(({ context, enqueue }, event: ClientEvent) => {
      for (const id of reachedByBroadcast(context)) {
        const ref = context.members[id]?.ref
        if (ref !== undefined) enqueue.sendTo(ref, event)
      }
    }),
    sendToRelayed: enqueueActions(({ context, enqueue }, event: ClientEvent) => {
      for (const { ref, kind } of Object.values(context.members)) if (kind === 'relay') enqueue.sendTo(ref, event)
    }),
    sendToDirect: enqueueActions(({ context, enqueue }, event: ClientEvent) => {
      for (const { ref, kind } of Object.values(context.members)) if (kind === 'direct') enqueue.sendTo(ref, event)
    }),
    sendState: enqueueActions(({ context, enqueue }, { state, ids, around }: Asked) => {
      for (const id of ids ?? shownIds(context.roster)) {
        const member = context.members[id]
        const report = shardedGet(context.reports, id)
        if (member === undefined || report?.isTooOld === true) continue
        if (state === 'finish' && report?.hasWorkToFinish === false) continue
        const isReached = member.kind === 'relay' || hasConnectedRelayTwin(context, id)
        if (around === undefined || (around === 'reached') === isReached)
          enqueue.sendTo(member.ref, { type: 'client.setState', state } satisfies ClientEvent)
      }
    }),
    requestBroadcast: enqueueActions(({ context, enqueue }, state: FoldingState) => {
      const ids = Object.keys(context.members).filter(
        id => context.members[id]?.kind === 'relay' && shardedGet(context.reports, id)?.isAtRelay === true,
      )
      enqueue.assign({ pendingBroadcasts: [...context.pendingBroadcasts, { state, ids }] })
      enqueue.sendParent({ type: 'fleet.broadcastWanted', state } satisfies FleetNotification)
    }),
    // A client that left the relay after the request gets a command of its own if it is connected in another way.
    notifyMissed: enqueueActions(({ context, enqueue }, state: FoldingState) => {
      const call = context.pendingBroadcasts.find(each => each.state === state)
      enqueue.assign({ pendingBroadcasts: context.pendingBroadcasts.filter(each => each !== call) })
      for (const id of call?.ids ?? []) {
        const ref = context.members[id]?.ref
        if (ref === undefined || shardedGet(context.reports, id)?.isAtRelay === true) continue
        const twin = shownTwin(context, id)
        if (twin === undefined) enqueue.sendTo(ref, { type: 'client.broadcastMissed', state } satisfies ClientEvent)
        else enqueue.sendTo(twin, { type: 'client.setState', state } satisfies ClientEvent)
      }
    }),
    assignLinksWhenSeen: assign((_, linksWhenConnected: boolean) => ({ linksWhenConnected })),
    notifyLocalDonor: enqueueActions(
      ({ context, enqueue }, { id, report: { donor } }: { id: string; report: ClientReport }) => {
        if (
          id === DIRECT_ID &&
          donor !== undefined &&
          !isSameValue(donor, shardedGet(context.reports, id)?.donor ?? noDonor)
        )
          enqueue.sendParent({ type: 'fleet.localDonorChanged', donor } satisfies FleetNotification)
      },
    ),
    notifyLinkable: enqueueActions(({ context, enqueue }) => {
      const notice = context.linksWhenConnected ? linkNotice(context) : undefined
      if (notice === undefined) return
      enqueue.assign({ linksWhenConnected: false })
      enqueue.sendParent(notice)
    }),
    /** `reporter`: the member whose report may have told that a client is connected directly, or no longer. */
    releaseTwins: enqueueActions(({ context, enqueue }, reporter: string | undefined) => {
      const { members, roster, reports, released } = context
      const isDirect = reporter === undefined || members[reporter]?.kind === 'direct'
      const reported = reporter === undefined || !isDirect ? reporter : shardedGet(reports, reporter)?.machine
      // Not before both are known to lead to one process: computers with copied disks have one id.
      const isSameProcess = (id: string, direct: string): boolean => {
        const [relayed, other] = [shardedGet(reports, id), shardedGet(reports, direct)]
        return (
          relayed !== undefined &&
          isDescribed(relayed.traits) &&
          other !== undefined &&
          isSameValue(relayed.traits, other.traits)
        )
      }
      const isReachedDirectly = (id: string): boolean =>
        otherConnections(roster, id).some(
          other =>
            other.kind !== 'relay' && other.isConnected && (released.includes(id) || isSameProcess(id, other.id)),
        )
      const next = [...new Set([...released, ...(reported === undefined ? [] : [reported])])].filter(
        id => members[id]?.kind === 'relay' && isReachedDirectly(id),
      )
      if (isSameList(next, released)) return
      enqueue.assign({ released: next })
      const send = (id: string, event: ClientEvent): void => {
        const ref = members[id]?.ref
        if (ref !== undefined) enqueue.sendTo(ref, event)
      }
      for (const id of next) if (!released.includes(id)) send(id, { type: 'client.release' })
      for (const id of released) if (!next.includes(id)) send(id, { type: 'client.resume' })
    }),
    assignReport: enqueueActions(({ context, enqueue }, { id, report }: { id: string; report: ClientReport }) => {
      const isDirect = context.members[id]?.kind === 'direct'
      const rank = isDirect ? ranksOf(context).get(id) : 0
      const reported = rosterWith(context.roster, id, isDirect, report, { rank, clones: context.clones })
      const entry = shardedGet(reported, id)
      const alternates = alternatesAfter(context, entry)
      const cloned =
        entry?.ownId !== undefined &&
        context.clones[entry.ownId] === undefined &&
        (runsElsewhereToo(reported, entry) || isBackAgain(context, entry))
          ? entry.ownId
          : undefined
      const roster = cloned === undefined ? reported : rosterWithClones(reported, cloned, 'computer')
      const clones = cloned === undefined ? context.clones : { ...context.clones, [cloned]: 'computer' as const }
      enqueue.assign({
        reports: shardedSet(context.reports, id, report),
        roster,
        clones,
        alternates,
        totals: replaceSummary(context.totals, shardedGet(context.reports, id)?.summary, report.summary),
      })
      const gone = newlyHidden(context.roster, roster)
      if (gone.length > 0)
        enqueue.sendParent({ type: 'fleet.machinesGone', machines: gone } satisfies FleetNotification)
      const concerned = roster === context.roster ? [] : concernedBy(context.roster, roster, [id])
      const { comparisons, updates } = compared({ ...context, roster, clones, alternates }, concerned)
      enqueue.assign({ comparisons })
      for (const { ref, comparison } of updates)
        enqueue.sendTo(ref, { type: 'client.compared', comparison } satisfies ClientEvent)
    }),
    /**
     * Clients that differ in their processes only are watched for as long as a lost connection can take to be noticed:
     * one that was started again looks the same until then.
     */
    suspectClones: enqueueActions(({ context: { roster, clones, suspects }, enqueue }, id: string) => {
      const ownId = shardedGet(roster, id)?.ownId
      if (ownId === undefined || clones[ownId] !== undefined || suspects[ownId] !== undefined) return
      const processes = differentProcesses(roster, ownId)
      if (processes === undefined) return
      enqueue.assign({ suspects: { ...suspects, [ownId]: processes } })
      enqueue.raise({ type: 'fleet.suspicionDue', id: ownId }, { delay: 'suspicionTime', id: `suspicion:${ownId}` })
    }),
    confirmClones: enqueueActions(({ context, enqueue }, ownId: string) => {
      const { [ownId]: suspected, ...suspects } = context.suspects
      const processes = differentProcesses(context.roster, ownId)
      if (processes === undefined || context.clones[ownId] !== undefined) {
        enqueue.assign({ suspects })
        return
      }
      if (processes !== suspected) {
        enqueue.assign({ suspects: { ...suspects, [ownId]: processes } })
        enqueue.raise({ type: 'fleet.suspicionDue', id: ownId }, { delay: 'suspicionTime', id: `suspicion:${ownId}` })
        return
      }
      const { updates, ...assigned } = withClones(context, { [ownId]: 'connection' })
      enqueue.assign({ suspects, ...assigned })
      for (const { ref, comparison } of updates)
        enqueue.sendTo(ref, { type: 'client.compared', comparison } satisfies ClientEvent)
    }),
    assignClones: enqueueActions(({ context, enqueue }, clones: Clones) => {
      const { updates, ...assigned } = withClones(context, clones)
      enqueue.assign(assigned)
      for (const { ref, comparison } of updates)
        enqueue.sendTo(ref, { type: 'client.compared', comparison } satisfies ClientEvent)
    }),
  },
})

/** What changes when it becomes known that several computers have these ids. What is known already stays. */
function withClones(context: FleetContext, found: Clones) {
  const clones = { ...found, ...context.clones }
  const ids = Object.keys(found).filter(ownId => context.clones[ownId] === undefined)
  const roster = ids.reduce(
    (current, ownId) => rosterWithClones(current, ownId, found[ownId] ?? 'computer'),
    context.roster,
  )
  const changed = ids.flatMap(ownId => connectionsOf(roster, ownId).map(({ id }) => id))
  const { comparisons, updates } = compared(
    { ...context, roster, clones },
    concernedBy(context.roster, roster, changed),
  )
  return { roster, clones, comparisons, updates }
}

/** Whether a connection leads to another computer of the same id than before. */
function isElsewhereNow({ roster }: FleetContext, entry: RosterEntry): boolean {
  const before = shardedGet(roster, entry.id)
  return before !== undefined && before.ownId === entry.ownId && isOtherComputer(before.traits, entry.traits)
}

/** Whether a connection leads again to a computer that it led to before another one: through a relay, one at a time. */
function isBackAgain(context: FleetContext, entry: RosterEntry): boolean {
  const alternate = context.alternates[entry.id]
  return alternate !== undefined && isElsewhereNow(context, entry) && !isOtherComputer(alternate, entry.traits)
}

function alternatesAfter(context: FleetContext, entry: RosterEntry | undefined): FleetContext['alternates'] {
  const before = entry === undefined ? undefined : shardedGet(context.roster, entry.id)
  return entry === undefined || before === undefined || !isElsewhereNow(context, entry)
    ? context.alternates
    : { ...context.alternates, [entry.id]: before.traits }
}

/** The direct connection that is shown instead of this relayed one. */
function shownTwin({ members, roster }: FleetContext, id: string) {
  const hidden = hiddenIds(roster)
  const twin = hidden.has(id) ? otherConnections(roster, id).find(other => !hidden.has(other.id))?.id : undefined
  return twin === undefined ? undefined : members[twin]?.ref
}

/** Connections that were shown until a better one to the same client was reported. */
function newlyHidden(before: Roster, after: Roster): readonly ClientGone[] {
  if (before === after) return []
  const hidden = hiddenIds(before)
  const hiddenNow = hiddenIds(after)
  return [...hiddenNow].flatMap(id => {
    const entry = hidden.has(id) ? undefined : shardedGet(before, id)
    return entry === undefined
      ? []
      : [clientGoneEvent(entry, otherConnections(after, id).find(other => !hiddenNow.has(other.id))?.id)]
  })
}
