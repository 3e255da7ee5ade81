import { isSameValue } from '../../../folding/shared/equal.ts'
import { shardedGet } from '../../../folding/shared/sharded-map.ts'
import { differenceText, markOf, marksOf, NOT_COMPARED, type Comparison } from '../../../folding/client/identity.ts'
import { isOtherComputer, clientKey } from '../../../folding/client/client-key.ts'
import type { ClientContext } from '../client/client.context.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { FleetContext } from './fleet.context.ts'
import { connectionsOf, entriesNamed, hiddenIds, type Roster, type RosterEntry } from './fleet.roster.ts'

type Compared = Pick<FleetContext, 'members' | 'roster' | 'clones' | 'alternates' | 'comparisons'>

type News = { readonly ref: ClientRef; readonly comparison: Comparison }

/** Connections of one name that are compared with each other: each change of one of them costs as many comparisons. */
const MOST_COMPARED = 100

/** The connections whose comparisons may differ after those with these ids changed, joined or left. */
export function concernedBy(before: Roster, after: Roster, ids: readonly string[]): readonly string[] {
  const concerned = new Set<string>()
  for (const id of ids) {
    const [was, is] = [shardedGet(before, id), shardedGet(after, id)]
    if (was !== undefined && is !== undefined && isAlike(was, is) && hiddenIds(before) === hiddenIds(after)) continue
    for (const entry of [was, is]) {
      if (entry === undefined) continue
      const sameId = entry.ownId === undefined ? [] : connectionsOf(after, entry.ownId)
      for (const name of new Set([entry, ...sameId].map(({ ownName }) => ownName)))
        for (const other of comparedNamed(after, name)) concerned.add(other.id)
      for (const other of [entry, ...sameId]) concerned.add(other.id)
    }
  }
  return [...concerned]
}

/** The connections to clients of a name, unless there are too many to compare. */
function comparedNamed(roster: Roster, ownName: string): readonly RosterEntry[] {
  const named = entriesNamed(roster, ownName)
  return named.length > MOST_COMPARED ? [] : named
}

function isAlike(a: RosterEntry, b: RosterEntry): boolean {
  return (
    a.ownName === b.ownName &&
    a.machine === b.machine &&
    a.isConnected === b.isConnected &&
    a.address === b.address &&
    isSameValue(a.traits, b.traits)
  )
}

/** What comparing these connections with the others tells, and what of it they were not told yet. */
export function compared(
  context: Compared,
  ids: readonly string[],
): { readonly comparisons: FleetContext['comparisons']; readonly updates: readonly News[] } {
  if (ids.length === 0) return { comparisons: context.comparisons, updates: [] }
  const comparisons = new Map(context.comparisons)
  const marksByName = new Map<string, ReadonlyMap<string, string>>()
  const updates = ids.flatMap((id): readonly News[] => {
    const entry = shardedGet(context.roster, id)
    const ref = context.members[id]?.ref
    const reported = comparisons.get(id) ?? NOT_COMPARED
    comparisons.delete(id)
    if (entry === undefined || ref === undefined) return []
    const { ownName } = entry
    const marks = marksByName.get(ownName) ?? marksNamed(context.roster, ownName)
    marksByName.set(ownName, marks)
    const isOneOfMany = entriesNamed(context.roster, ownName).length > MOST_COMPARED
    const mark = isOneOfMany ? markOf({ ...entry, id: entry.ownId }) : marks.get(entry.machine ?? id)
    const comparison = comparisonOf(context, entry, mark)
    if (comparison !== NOT_COMPARED) comparisons.set(id, comparison)
    return isSameValue(reported, comparison) ? [] : [{ ref, comparison }]
  })
  return { comparisons, updates }
}

function comparisonOf(context: Compared, entry: RosterEntry, mark: string | undefined): Comparison {
  const sameId = otherComputers(context, entry)
  const isLeftOver = isLeftOverIn(context, entry)
  const { machine: client, ownId } = entry
  const isCloned = client !== undefined && client !== ownId
  if (mark === undefined && sameId.length === 0 && !isLeftOver && !isCloned) return NOT_COMPARED
  return {
    ...(isCloned ? { key: client } : {}),
    ...(mark === undefined ? {} : { mark }),
    ...(isLeftOver ? { isLeftOver } : {}),
    ...(sameId.length === 0 ? {} : { sameId }),
  }
}

/** What tells the shown clients of a name apart, by their keys. */
function marksNamed(roster: Roster, ownName: string): ReadonlyMap<string, string> {
  const hidden = hiddenIds(roster)
  const shown = comparedNamed(roster, ownName)
    .filter(({ id }) => !hidden.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  if (shown.length < 2) return new Map()
  const marks = marksOf(shown.map(({ ownId, address, traits }) => ({ id: ownId, address, traits })))
  return new Map(shown.flatMap(({ id, machine: client }, index) => [[client ?? id, marks[index] ?? ''] as const]))
}

/** In words, one for each other client that has the same id. */
function otherComputers({ roster, clones, alternates }: Compared, entry: RosterEntry): readonly string[] {
  const { ownId, machine: client } = entry
  if (ownId === undefined || clones[ownId] === undefined) return []
  const alternate = alternates[entry.id]
  const before =
    alternate === undefined
      ? []
      : [{ ...entry, traits: alternate, machine: clientKey(ownId, entry.id, alternate, clones[ownId]) }]
  const others = new Map(
    [...connectionsOf(roster, ownId), ...before].flatMap(other =>
      other.machine === client
        ? []
        : [[other.machine, differenceText({ ...other, id: ownId }, { ...entry, id: ownId }) || other.ownName] as const],
    ),
  )
  return [...others.values()].sort()
}

/**
 * Whether a client of the account is most likely what is left of one that is there under another id: of the same name, on
 * the same computer as far as that is known, and connected since this one was heard last. A new installation of the
 * operating system gives a client a new id (docs/protocol.md §3).
 */
function isLeftOverIn({ members, roster }: Compared, entry: RosterEntry): boolean {
  const member = members[entry.id]
  if (member?.kind !== 'relay' || entry.isConnected) return false
  const { heardAt } = contextOf(member.ref)
  return comparedNamed(roster, entry.ownName).some(other => {
    const ref = other.isConnected && other.ownId !== entry.ownId ? members[other.id]?.ref : undefined
    if (ref === undefined || other.ownId === undefined) return false
    const { connectedAt = 0 } = contextOf(ref)
    return heardAt === undefined || (heardAt < connectedAt && !isOtherComputer(entry.traits, other.traits))
  })
}

function contextOf(ref: ClientRef): ClientContext {
  return ref.getSnapshot().context
}
