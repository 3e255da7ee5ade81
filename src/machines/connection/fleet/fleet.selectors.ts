import { t } from '@lingui/core/macro'
import { DIRECT_ID } from '../../../folding/client/client.ts'
import { keepsHistory } from '../../../protocol/client/client-abilities.ts'
import { formatList } from '../../../folding/text/format.ts'
import { inOrder } from '../../../folding/unit/unit-progress.ts'
import { shardedEntries, shardedGet } from '../../../folding/shared/sharded-map.ts'
import { emptySummary, subtractSummary, type Summary } from '../../../folding/client/totals.ts'
import type { ListingOrder } from '../../../folding/client/order.ts'
import type { DirectClient } from '../../../folding/client/direct-clients.ts'
import type { ClientConnection } from '../../../folding/client/connections.ts'
import { isDraftModified } from '../../shared/draft/draft.reducer.ts'
import type { ClientRef, ClientSnapshot } from '../client/client.machine.ts'
import { newView } from '../client/client.report.ts'
import type { ClientReport } from '../client/client.events.ts'
import { idOfAddress, type FleetContext } from './fleet.context.ts'
import type { FleetSnapshot } from './fleet.machine.ts'
import { hiddenIds, otherConnections, shownIds, type Roster } from './fleet.roster.ts'

/** Ids of the shown clients in the given order. The same list while nothing moved. */
export function selectShownIds(order: ListingOrder) {
  return ({ context }: FleetSnapshot): readonly string[] => shownIds(context.roster, order)
}

export function selectClientRef(id: string) {
  return ({ context }: FleetSnapshot): ClientRef | undefined =>
    Object.hasOwn(context.members, id) ? context.members[id]?.ref : undefined
}

const relayedCounts = new WeakMap<FleetContext['members'], number>()

/** The number of the account's clients. Counted once for the same members. */
export function selectRelayedCount({ context: { members } }: FleetSnapshot): number {
  const cached = relayedCounts.get(members)
  if (cached !== undefined) return cached
  const count = Object.values(members).filter(({ kind }) => kind === 'relay').length
  relayedCounts.set(members, count)
  return count
}

/** Which client a connection leads to, also where several computers have one id; undefined until it is known. */
export function selectClientKeyOf(id: string) {
  return ({ context }: FleetSnapshot): string | undefined => shardedGet(context.roster, id)?.machine
}

/** Whether a simulated client is among those shown: one that is connected directly, or all of a demo's account. */
export function isSimulationShown({ context: { members, reports, environment } }: FleetSnapshot): boolean {
  if (environment.isDemo === true && environment.account !== undefined) return true
  return Object.entries(members).some(
    ([id, { kind }]) => kind === 'direct' && shardedGet(reports, id)?.isSimulated === true,
  )
}

/** The last report of a client. */
export function selectReport(id: string) {
  return ({ context }: FleetSnapshot): ClientReport | undefined => shardedGet(context.reports, id)
}

type Connection = ReturnType<typeof connectionOf>
type KnownConnection = {
  readonly client: ClientSnapshot
  readonly report: ClientReport
  readonly connection: Connection
}
/** What was read last of each. */
const connections = new WeakMap<ClientRef, KnownConnection>()

function connectionOf(
  id: string,
  key: string | undefined,
  ref: ClientRef,
  { context }: ClientSnapshot,
  report: ClientReport,
) {
  const { kind, connectedAt, lostAt, asOf, isRestored } = context
  const known = { name: report.name, view: newView(context), connectedAt, lostAt, asOf, isRestored }
  return { id, key, ref, isDirect: kind === 'direct', isConnected: report.isConnected, known }
}

/** The shown clients, and what is known of each as of which moment. The same object for one that did not change. */
export function selectConnections({ context: { members, reports, roster } }: FleetSnapshot): readonly Connection[] {
  const shown: Connection[] = []
  for (const id of shownIds(roster)) {
    const ref = members[id]?.ref
    const report = shardedGet(reports, id)
    if (ref === undefined || report === undefined) continue
    const client = ref.getSnapshot()
    const key = shardedGet(roster, id)?.machine
    const known = connections.get(ref)
    const isSame = known?.client === client && known.report === report && known.connection.key === key
    const connection = isSame ? known.connection : connectionOf(id, key, ref, client, report)
    if (!isSame) connections.set(ref, { client, report, connection })
    shown.push(connection)
  }
  return shown
}

/**
 * The client that has the unit now, on the connection that is shown. Reports change with every unit that starts or ends,
 * so the result is current.
 */
export function selectClientOfUnit(unit: string) {
  return ({ context }: FleetSnapshot): ClientRef | undefined => {
    const hidden = hiddenIds(context.roster)
    const holders = Object.entries(context.members).filter(([, { ref }]) =>
      ref.getSnapshot().context.record.data?.units.some(({ id }) => id === unit),
    )
    return (holders.find(([id]) => !hidden.has(id)) ?? holders[0])?.[1].ref
  }
}

/**
 * The id of the connection to a client, found by the client's id or by a connection's id; undefined when there is none.
 * `previousId`: the connection found before, which is kept while it works or has unsaved settings. The id of a direct
 * connection that is lost leads to the client's best one.
 */
export function selectMemberId(client: string, previousId?: string) {
  return ({ context: { members, reports, roster } }: FleetSnapshot): string | undefined => {
    const isTo = (id: string): boolean => {
      const entry = shardedGet(roster, id)
      return id === client || entry?.machine === client || entry?.ownId === client
    }
    const isThere = (id: string): boolean => shardedGet(reports, id)?.isConnected === true
    if (previousId !== undefined && Object.hasOwn(members, previousId) && isTo(previousId)) {
      const draft = members[previousId]?.ref.getSnapshot().context.settings?.getSnapshot().context.draft.getSnapshot()
      if (isThere(previousId) || (draft !== undefined && isDraftModified(draft.context))) return previousId
    }
    const ids = Object.keys(members).filter(isTo)
    const hidden = hiddenIds(roster)
    const named = ids.find(id => id === client && members[id]?.kind === 'direct')
    const namedMachine = named === undefined ? undefined : shardedGet(roster, named)?.machine
    if (named !== undefined && namedMachine !== undefined && hidden.has(named) && !isThere(named))
      return bestOf(namedMachine, members, roster, hidden)
    return named ?? ids.find(id => !hidden.has(id)) ?? ids[0]
  }
}

/** The shown connection to a client. */
function bestOf(
  client: string,
  members: FleetContext['members'],
  roster: Roster,
  hidden: ReadonlySet<string>,
): string | undefined {
  return Object.keys(members).find(id => !hidden.has(id) && shardedGet(roster, id)?.machine === client)
}

/** The other connections to the client with this id, best first. A new list every time: compare it shallowly. */
export function selectOtherConnections(id: string) {
  return ({ context: { roster } }: FleetSnapshot): readonly ClientConnection[] => otherConnections(roster, id)
}

/** Points per day of all clients, with those of clients that went a short time ago (docs/product.md §4). */
export function selectFleetPpd(snapshot: FleetSnapshot): number {
  const { ppd, recentPpd } = selectTotals(snapshot)
  return ppd + recentPpd
}

const totalsShown = new WeakMap<Summary, { readonly roster: Roster; readonly totals: Summary }>()

/** Totals of all shown clients: one with two connections counts once. */
export function selectTotals({ context: { totals, roster, reports } }: FleetSnapshot): Summary {
  const hidden = hiddenIds(roster)
  if (hidden.size === 0) return totals
  const cached = totalsShown.get(totals)
  if (cached?.roster === roster) return cached.totals
  const shown = [...hidden].reduce(
    (rest, id) => subtractSummary(rest, shardedGet(reports, id)?.summary ?? emptySummary),
    totals,
  )
  totalsShown.set(totals, { roster, totals: shown })
  return shown
}

/** As of when the oldest state is that counts in the totals, epoch milliseconds; undefined when all are current. */
export function selectTotalsAsOf({ context: { members, reports, roster } }: FleetSnapshot): number | undefined {
  const hidden = hiddenIds(roster)
  let oldest: number | undefined
  for (const [id, { isConnected }] of shardedEntries(reports)) {
    const asOf = isConnected && !hidden.has(id) ? members[id]?.ref.getSnapshot().context.asOf : undefined
    if (asOf !== undefined) oldest = Math.min(oldest ?? asOf, asOf)
  }
  return oldest
}

/** Whether what is shown of any client is live. */
export function isAnyConnected({ context: { reports } }: FleetSnapshot): boolean {
  for (const [, { isConnected }] of shardedEntries(reports)) if (isConnected) return true
  return false
}

/** Since when the client is gone that is gone longest of those that were connected less than 5 minutes ago. */
export function selectGoneSince({ context: { reports, roster } }: FleetSnapshot): number | undefined {
  const hidden = hiddenIds(roster)
  let first: number | undefined
  for (const [id, { goneSince }] of shardedEntries(reports))
    if (goneSince !== undefined && !hidden.has(id)) first = Math.min(first ?? goneSince, goneSince)
  return first
}

/** The number of directly connected clients that are disconnected, without those whose first connection is being made. */
export function selectDirectDisconnected({ context: { addresses, reports, roster } }: FleetSnapshot): number {
  const hidden = hiddenIds(roster)
  return [DIRECT_ID, ...addresses.map(({ address }) => idOfAddress(address))].filter(id => {
    const report = shardedGet(reports, id)
    return report !== undefined && !hidden.has(id) && !report.isConnected && report.summary.loading === 0
  }).length
}

/** Why no client can be controlled; undefined when one can. */
export function whyNotControllable({ context: { reports } }: FleetSnapshot): string | undefined {
  let isAnyThere = false
  let because: string | undefined
  for (const [, { isConnected, isTooOld, withheld }] of shardedEntries(reports)) {
    if (isConnected && !isTooOld && withheld === undefined) return undefined
    isAnyThere ||= isConnected
    if (isConnected) because ??= withheld
  }
  if (because !== undefined) return because
  return isAnyThere
    ? t`All connected machines run clients that are too old to be controlled from here.`
    : t`No machine is connected.`
}

/** Why `finish` would have no effect on these clients, or on all shown ones; undefined when it has. */
export function whyNothingToFinish(ids?: readonly string[]) {
  return ({ context: { reports, roster } }: FleetSnapshot): string | undefined =>
    (ids ?? shownIds(roster)).some(id => {
      const report = shardedGet(reports, id)
      return report?.isConnected === true && report.hasWorkToFinish
    })
      ? undefined
      : t`Nothing to finish: all machines are paused and hold no work units.`
}

/** Clients that the user added by their addresses, in the user's order. The same list while nothing changed. */
export function selectDirectClients({ context }: FleetSnapshot): readonly DirectClient[] {
  return context.addresses
}

/** Whether this connection is the one over which its client is shown. */
export function isConnectionShown(id: string) {
  return ({ context: { roster } }: FleetSnapshot): boolean => !hiddenIds(roster).has(id)
}

/** Ids of the direct connections that the page's settings name. A new list every time: compare it shallowly. */
export function selectDefaultIds({ context: { members } }: FleetSnapshot): readonly string[] {
  return Object.keys(members).filter(id => members[id]?.kind === 'direct' && id.startsWith(DIRECT_ID))
}

type ProjectClients = ReadonlyMap<number, readonly string[]>
const projectClients = new WeakMap<
  FleetContext['reports'],
  { readonly roster: Roster; readonly found: ProjectClients }
>()

/** Ids of the shown clients that fold each project now, in their usual order. The same map while no report changed. */
export function selectProjectClients({ context: { reports, roster } }: FleetSnapshot): ProjectClients {
  const cached = projectClients.get(reports)
  if (cached?.roster === roster) return cached.found
  const found = new Map<number, string[]>()
  for (const id of shownIds(roster)) {
    for (const project of shardedGet(reports, id)?.projects ?? []) {
      const clients = found.get(project)
      if (clients === undefined) found.set(project, [id])
      else clients.push(id)
    }
  }
  projectClients.set(reports, { roster, found })
  return found
}

/** How many clients are put away. */
export function selectPutAwayCount({ context: { roster } }: FleetSnapshot): number {
  return new Set(
    [...hiddenIds(roster)].flatMap(id => {
      const entry = shardedGet(roster, id)
      return entry?.isPutAway === true ? (entry.machine ?? id) : []
    }),
  ).size
}

/** Numbers of the projects that clients are folding now, in order. A new list every time: compare it shallowly. */
export function selectActiveProjects(snapshot: FleetSnapshot): readonly number[] {
  return inOrder(selectProjectClients(snapshot).keys())
}

export function selectRoster({ context }: FleetSnapshot): Roster {
  return context.roster
}

/** Whether there is no client but the one on this computer, and it has never answered. */
export function haveNeverConnected(ids: readonly string[]) {
  return ({ context }: FleetSnapshot): boolean =>
    ids.every(id => {
      const report = shardedGet(context.reports, id)
      return id === DIRECT_ID && report?.isConnected !== true && report?.machine === undefined
    })
}

/** The shown client, if there is one besides that on this computer while it has never answered. */
export function selectOnlyId(snapshot: FleetSnapshot): string | undefined {
  const ids = selectShownIds('usual')(snapshot)
  if (ids.length > 2) return undefined
  const reached = ids.filter(id => !haveNeverConnected([id])(snapshot))
  return reached.length === 1 ? reached[0] : undefined
}

/** Names of connected clients whose version keeps no history of their units, as a list; '' without any. */
export function selectWithoutHistory({ context: { members, reports } }: FleetSnapshot): string {
  const names = [...shardedEntries(reports)].flatMap(([id, { isConnected, name }]) => {
    const data = Object.hasOwn(members, id) ? members[id]?.ref.getSnapshot().context.record.data : undefined
    return isConnected && data !== undefined && !keepsHistory(data.info.version) ? [name] : []
  })
  return formatList(names)
}
