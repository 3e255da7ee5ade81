import { t } from '@lingui/core/macro'
import { inOrder } from '../../../folding/unit/projects.ts'
import { allOnShelves, onShelf } from '../../../folding/shared/sharded-map.ts'
import { emptySummary, subtractSummary, type Summary } from '../../../folding/machine/totals.ts'
import { DIRECT_ID } from '../../../folding/machine/client.ts'
import type { MachineOrder } from '../../../folding/machine/order.ts'
import type { Way } from '../../../folding/machine/connections.ts'
import { isDraftModified } from '../../shared/draft/draft.reducer.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { ClientReport } from '../client/client.report.ts'
import { idOfAddress } from './fleet.context.ts'
import type { FleetSnapshot } from './fleet.machine.ts'
import { hiddenIds, otherWays, shownIds, type Roster } from './fleet.roster.ts'

/** Ids of the machines that are shown, in the order asked for. The same list as long as nothing moved. */
export const selectShownIds =
  (order: MachineOrder) =>
  ({ context }: FleetSnapshot): readonly string[] =>
    shownIds(context.roster, order)

export const selectClientRef =
  (id: string) =>
  ({ context }: FleetSnapshot): ClientRef | undefined =>
    Object.hasOwn(context.members, id) ? context.members[id]?.ref : undefined

/** What a machine says of itself to the fleet. */
export const selectReport =
  (id: string) =>
  ({ context }: FleetSnapshot): ClientReport | undefined =>
    onShelf(context.reports, id)

/**
 * The client that has a unit of this id now. Asked again with every report, which every unit that comes or goes brings;
 * a machine that is connected directly comes before its twin.
 */
export const selectHolder =
  (unit: string) =>
  ({ context }: FleetSnapshot): ClientRef | undefined => {
    const holders = Object.values(context.members).filter(({ ref }) =>
      ref.getSnapshot().context.record.data?.units.some(({ id }) => id === unit),
    )
    return (holders.find(({ kind }) => kind === 'direct') ?? holders[0])?.ref
  }

/**
 * The id of the connection by which a machine is reached, found by its own id or by that of a connection; undefined when
 * there is none. `kept`: the connection that was found before, which stays as long as it works or something typed into its
 * settings would be lost.
 */
export const selectMemberId =
  (machine: string, kept?: string) =>
  ({ context: { members, reports, roster } }: FleetSnapshot): string | undefined => {
    const isTo = (id: string): boolean => id === machine || onShelf(reports, id)?.machine === machine
    const isThere = (id: string): boolean => onShelf(reports, id)?.isConnected === true
    if (kept !== undefined && Object.hasOwn(members, kept) && isTo(kept)) {
      const settings = members[kept]?.ref.getSnapshot().context.settings
      const draft = settings?.getSnapshot().context.draft.getSnapshot()
      if (isThere(kept) || (draft !== undefined && isDraftModified(draft.context))) return kept
    }
    const ids = Object.keys(members).filter(isTo)
    const hidden = hiddenIds(roster)
    const named = ids.find(id => id === machine && members[id]?.kind === 'direct')
    return named ?? ids.find(id => !hidden.has(id)) ?? ids[0]
  }

/** The other ways to a machine that is reached under this id, the better first. Another list every time: compare it shallowly. */
export const selectOtherWays =
  (id: string) =>
  ({ context: { roster } }: FleetSnapshot): readonly Way[] =>
    otherWays(roster, id)

const totalsShown = new WeakMap<Summary, { readonly roster: Roster; readonly totals: Summary }>()

/** All machines that are shown in numbers: one that is there directly and by the account counts once. */
export const selectTotals = ({ context: { totals, roster, reports } }: FleetSnapshot): Summary => {
  const hidden = hiddenIds(roster)
  if (hidden.size === 0) return totals
  const known = totalsShown.get(totals)
  if (known?.roster === roster) return known.totals
  const shown = [...hidden].reduce(
    (rest, id) => subtractSummary(rest, onShelf(reports, id)?.summary ?? emptySummary),
    totals,
  )
  totalsShown.set(totals, { roster, totals: shown })
  return shown
}

/** How many machines that are connected directly are out of reach, not counting those whose first connection is being made. */
export const selectDirectAway = ({ context: { addresses, reports, roster } }: FleetSnapshot): number => {
  const hidden = hiddenIds(roster)
  return [DIRECT_ID, ...addresses.map(idOfAddress)].filter(id => {
    const report = onShelf(reports, id)
    return report !== undefined && !hidden.has(id) && !report.isConnected && report.summary.loading === 0
  }).length
}

/** Why no machine can be told anything; undefined when one can. */
export const whyNobodyObeys = ({ context: { reports } }: FleetSnapshot): string | undefined => {
  let isAnyThere = false
  for (const [, { isConnected, isTooOld }] of allOnShelves(reports)) {
    if (isConnected && !isTooOld) return undefined
    isAnyThere ||= isConnected
  }
  return isAnyThere
    ? t`The clients of all machines are too old to be controlled from here.`
    : t`No machine is connected.`
}

/** Why telling these machines, or all that are shown, to finish would do nothing; undefined when it would do something. */
export const whyNothingToFinish =
  (ids?: readonly string[]) =>
  ({ context: { reports, roster } }: FleetSnapshot): string | undefined =>
    (ids ?? shownIds(roster)).some(id => {
      const report = onShelf(reports, id)
      return report?.isConnected === true && report.hasWorkToFinish
    })
      ? undefined
      : t`Nothing to finish: all machines are paused and hold no work units.`

/** Addresses that a person added. */
export const selectAddresses = ({ context }: FleetSnapshot): readonly string[] => context.addresses

/** Numbers of the projects that machines are folding for at this moment, in order. Another list every time: compare it shallowly. */
export const selectActiveProjects = ({ context: { reports, roster } }: FleetSnapshot): readonly number[] => {
  const hidden = hiddenIds(roster)
  return inOrder([...allOnShelves(reports)].flatMap(([id, { projects }]) => (hidden.has(id) ? [] : projects)))
}
