import { inOrder } from '../../../folding/projects.ts'
import { allOnShelves, onShelf } from '../../../folding/shelves.ts'
import { emptySummary, subtractSummary, type Summary } from '../../../folding/totals.ts'
import type { MachineOrder } from '../../../folding/order.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { ClientReport } from '../client/client.meaning.ts'
import type { FleetSnapshot } from './fleet.machine.ts'
import { hiddenIds, shownIds, type Roster } from './fleet.roster.ts'

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

/** The id under which a machine is reached, by its own; undefined when it is not. */
export const selectMemberId =
  (machine: string) =>
  ({ context: { members, reports } }: FleetSnapshot): string | undefined => {
    const ids = Object.keys(members).filter(id => id === machine || onShelf(reports, id)?.machine === machine)
    return ids.find(id => onShelf(reports, id)?.isConnected === true) ?? ids[0]
  }

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

/** Why no machine can be told anything; undefined when one can. */
export const whyNobodyObeys = ({ context: { reports } }: FleetSnapshot): string | undefined => {
  let isAnyThere = false
  for (const [, { isConnected, isTooOld }] of allOnShelves(reports)) {
    if (isConnected && !isTooOld) return undefined
    isAnyThere ||= isConnected
  }
  return isAnyThere ? 'The clients of all machines are too old to be controlled from here.' : 'No machine is connected.'
}

/** Addresses that a person added. */
export const selectAddresses = ({ context }: FleetSnapshot): readonly string[] => context.addresses

/** Numbers of the projects that machines are folding for at this moment, in order. Another list every time: compare it shallowly. */
export const selectActiveProjects = ({ context: { reports } }: FleetSnapshot): readonly number[] =>
  inOrder([...allOnShelves(reports)].flatMap(([, { projects }]) => projects))
