import { clientBadges, type BadgeKey } from '../../../folding/client/badges.ts'
import {
  clientName,
  clientTitle,
  isTooOld,
  clientKeyOf,
  unitsOf,
  type ClientView,
} from '../../../folding/client/client.ts'
import { groupNameOf, groupNames, groupsOf, groupState } from '../../../folding/client/group.ts'
import type { Fault } from '../../../protocol/fault.ts'
import type { LogLines } from '../../../folding/log/log-lines.ts'
import type { QueuedCommand } from '../../../protocol/client/command-queue.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import type { ClientData, ClientInfo, Group, Unit } from '../../../protocol/client/client-data.ts'
import type { ClientSettingsRef } from '../client-settings/client-settings.machine.ts'
import type { ClientSnapshot } from './client.machine.ts'
import { viewOf } from './client.report.ts'

/** The client as the functions of src/folding take it. A new object whenever the client changed. */
export function selectView({ context }: ClientSnapshot): ClientView {
  return viewOf(context)
}

/** Whether it is connected without a relay. */
export function isDirect({ context }: ClientSnapshot): boolean {
  return context.kind === 'direct'
}
/**
 * Whether it is loading, not disconnected. `isRelayPending`: whether the relay may still list it, where it is reached
 * through one.
 */
export function isAwaited(isRelayPending: boolean) {
  return (snapshot: ClientSnapshot): boolean =>
    !snapshot.hasTag('connected') &&
    (selectView(snapshot).isLoading === true || (isRelayPending && !isDirect(snapshot)))
}
/** The client as `selectView` has it, and as loading while it is awaited. */
export function selectViewNow(isRelayPending: boolean) {
  const isLoading = isAwaited(isRelayPending)
  return (snapshot: ClientSnapshot): ClientView => {
    const view = selectView(snapshot)
    return isLoading(snapshot) ? { ...view, isLoading: true } : view
  }
}
export function selectName({ context }: ClientSnapshot): string {
  return clientName(viewOf(context))
}
export function selectTitle({ context }: ClientSnapshot): string {
  return clientTitle(viewOf(context))
}
export function selectVersion({ context }: ClientSnapshot): string | undefined {
  return context.record.data?.info.version
}
/** Whether any data is known, current or stored. */
export function hasData({ context }: ClientSnapshot): boolean {
  return context.record.data !== undefined
}
/** A client below 8.3.0 does not support the commands of the buttons. */
export function isTooOldForActions({ context }: ClientSnapshot): boolean {
  return isTooOld(viewOf(context))
}

/** As of when the data shown are, in epoch milliseconds; undefined while they are current. */
export function selectAsOf({ context: { lostAt, asOf } }: ClientSnapshot): number | undefined {
  return lostAt ?? asOf
}

/** The same of its log. */
export function selectLogAsOf({ context: { lostAt, logAsOf } }: ClientSnapshot): number | undefined {
  return lostAt ?? logAsOf
}

/** The same list for the same set of badges. */
export function selectBadges({ context }: ClientSnapshot): readonly BadgeKey[] {
  return clientBadges(viewOf(context), {
    account: context.environment.account,
    latest: context.environment.latestVersion,
    now: context.heardAt ?? 0,
  })
}

/** All stored lines of its log. */
export function selectLogLines({ context }: ClientSnapshot): LogLines {
  return context.record.log
}

export function selectUnits({ context }: ClientSnapshot): readonly Unit[] {
  return unitsOf(context.record.data)
}

const namesOfGroups = new WeakMap<Readonly<Record<string, Group>>, readonly string[]>()

/** The default group first. The same list for the same groups. */
export function selectGroupNames({ context }: ClientSnapshot): readonly string[] {
  const groups = groupsOf(context.record.data)
  const names = namesOfGroups.get(groups) ?? groupNames(groups)
  namesOfGroups.set(groups, names)
  return names
}

export function selectGroup(name: string) {
  return ({ context }: ClientSnapshot): Group | undefined => {
    const groups = groupsOf(context.record.data)
    return Object.hasOwn(groups, name) ? groups[name] : undefined
  }
}

const unitsOfGroups = new WeakMap<readonly Unit[], Map<string, readonly Unit[]>>()

/** The units of one group, in the client's order. The same list for the same units. */
export function selectUnitsOfGroup(name: string) {
  return (snapshot: ClientSnapshot): readonly Unit[] => {
    const units = selectUnits(snapshot)
    const byName = unitsOfGroups.get(units) ?? new Map<string, readonly Unit[]>()
    unitsOfGroups.set(units, byName)
    const ofGroup = byName.get(name) ?? units.filter(unit => groupNameOf(unit) === name)
    byName.set(name, ofGroup)
    return ofGroup
  }
}

/** The requested state that is not confirmed yet; of the whole client without `group`. */
export function selectAskedState(group?: string) {
  return ({ context }: ClientSnapshot): FoldingState | undefined => {
    const asked = context.queue.entries.findLast(
      ({ command, status }) =>
        command.cmd === 'state' && isPending(status) && (command.group === undefined || command.group === group),
    )
    return asked?.command.cmd === 'state' ? asked.command.state : undefined
  }
}

/** The state of the group as the client reports it. */
export function selectGroupState(name: string) {
  return (snapshot: ClientSnapshot): FoldingState => groupState(selectGroup(name)(snapshot))
}

/** Its settings actor; undefined while the settings page is closed. */
export function selectClientSettings({ context }: ClientSnapshot): ClientSettingsRef | undefined {
  return context.settings
}

const ignoredOf = new WeakMap<readonly QueuedCommand[], readonly QueuedCommand[]>()

/** Ignored commands, each with the likely reason, until they are dismissed. */
export function selectIgnored({ context }: ClientSnapshot): readonly QueuedCommand[] {
  const { entries } = context.queue
  const ignored = ignoredOf.get(entries) ?? entries.filter(({ status }) => status === 'ignored')
  ignoredOf.set(entries, ignored)
  return ignored
}

/** The last fault in the molecule data of a unit. */
export function selectMoleculeFault(unit: string) {
  return ({ context }: ClientSnapshot): Fault | undefined =>
    context.record.faults.findLast(({ fault }) => 'path' in fault && fault.path[0] === 'viz' && fault.path[1] === unit)
      ?.fault
}

function isPending(status: QueuedCommand['status']): boolean {
  return status === 'asked' || status === 'waiting'
}

export function selectId({ context }: ClientSnapshot): string {
  return context.id
}
/** Identifies the client in the history, tags and incidents; undefined until a direct one has reported its id. */
export function selectClientKey({ context }: ClientSnapshot): string | undefined {
  return clientKeyOf(viewOf(context))
}
export function selectAddress({ context }: ClientSnapshot): string | undefined {
  return context.address
}
export function selectData({ context }: ClientSnapshot): ClientData | undefined {
  return context.record.data
}
export function selectInfo({ context }: ClientSnapshot): ClientInfo | undefined {
  return context.record.data?.info
}
export function selectPpd({ context }: ClientSnapshot): number | undefined {
  return context.report?.summary.ppd
}
