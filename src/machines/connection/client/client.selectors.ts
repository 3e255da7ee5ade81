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
import type { QueuedCommand } from '../../../protocol/command-queue.ts'
import type { FoldingState } from '../../../protocol/commands.ts'
import type { ClientData, ClientInfo, Group, Unit } from '../../../protocol/client-data.ts'
import type { ClientSettingsRef } from '../client-settings/client-settings.machine.ts'
import type { ClientEnvironment } from './client.events.ts'
import type { ClientSnapshot } from './client.machine.ts'
import { viewOf } from './client.report.ts'

/** The client as the functions of src/folding take it. A new object whenever the client changed. */
export const selectView = ({ context }: ClientSnapshot): ClientView => viewOf(context)

/** Whether it is connected without a relay. */
export const isDirect = ({ context }: ClientSnapshot): boolean => context.kind === 'direct'
export const isConnected = (snapshot: ClientSnapshot): boolean => snapshot.hasTag('connected')
export const selectName = ({ context }: ClientSnapshot): string => clientName(viewOf(context))
export const selectTitle = ({ context }: ClientSnapshot): string => clientTitle(viewOf(context))
export const selectVersion = ({ context }: ClientSnapshot): string | undefined => context.record.data?.info.version
/** Whether any data is known, current or stored. */
export const hasData = ({ context }: ClientSnapshot): boolean => context.record.data !== undefined
/** A client below 8.3.0 does not support the commands of the buttons. */
export const isTooOldForActions = ({ context }: ClientSnapshot): boolean => isTooOld(viewOf(context))

/** As of when the data shown are, in epoch milliseconds; undefined while they are current. */
export const selectAsOf = ({ context: { lostAt, asOf } }: ClientSnapshot): number | undefined => lostAt ?? asOf

/** The same list for the same set of badges. */
export const selectBadges = ({ context }: ClientSnapshot): readonly BadgeKey[] =>
  clientBadges(viewOf(context), {
    account: context.environment.account,
    latest: context.environment.latestVersion,
    now: context.heardAt ?? 0,
  })

/** All stored lines of its log. */
export const selectLogLines = ({ context }: ClientSnapshot): LogLines => context.record.log

/** Whether the client has sent its log, and all of it is stored. */
export const isLogWhole = ({ context }: ClientSnapshot): boolean => context.record.isLogWhole

export const selectUnits = ({ context }: ClientSnapshot): readonly Unit[] => unitsOf(context.record.data)

const namesOfGroups = new WeakMap<Readonly<Record<string, Group>>, readonly string[]>()

/** The default group first. The same list for the same groups. */
export const selectGroupNames = ({ context }: ClientSnapshot): readonly string[] => {
  const groups = groupsOf(context.record.data)
  const names = namesOfGroups.get(groups) ?? groupNames(groups)
  namesOfGroups.set(groups, names)
  return names
}

export const selectGroup =
  (name: string) =>
  ({ context }: ClientSnapshot): Group | undefined => {
    const groups = groupsOf(context.record.data)
    return Object.hasOwn(groups, name) ? groups[name] : undefined
  }

const unitsOfGroups = new WeakMap<readonly Unit[], Map<string, readonly Unit[]>>()

/** The units of one group, in the client's order. The same list for the same units. */
export const selectUnitsOfGroup =
  (name: string) =>
  (snapshot: ClientSnapshot): readonly Unit[] => {
    const units = selectUnits(snapshot)
    const known = unitsOfGroups.get(units) ?? new Map<string, readonly Unit[]>()
    unitsOfGroups.set(units, known)
    const ofGroup = known.get(name) ?? units.filter(unit => groupNameOf(unit) === name)
    known.set(name, ofGroup)
    return ofGroup
  }

/** The requested state that is not confirmed yet; of the whole client without `group`. */
export const selectAskedState =
  (group?: string) =>
  ({ context }: ClientSnapshot): FoldingState | undefined => {
    const asked = context.queue.entries.findLast(
      ({ command, status }) =>
        command.cmd === 'state' && isPending(status) && (command.group === undefined || command.group === group),
    )
    return asked?.command.cmd === 'state' ? asked.command.state : undefined
  }

/** The state of the group as the client reports it. */
export const selectGroupState =
  (name: string) =>
  (snapshot: ClientSnapshot): FoldingState =>
    groupState(selectGroup(name)(snapshot))

/** Its settings actor; undefined while the settings page is closed. */
export const selectClientSettings = ({ context }: ClientSnapshot): ClientSettingsRef | undefined => context.settings

const ignoredOf = new WeakMap<readonly QueuedCommand[], readonly QueuedCommand[]>()

/** Ignored commands, each with the likely reason, until they are dismissed. */
export const selectIgnored = ({ context }: ClientSnapshot): readonly QueuedCommand[] => {
  const { entries } = context.queue
  const ignored = ignoredOf.get(entries) ?? entries.filter(({ status }) => status === 'ignored')
  ignoredOf.set(entries, ignored)
  return ignored
}

/** The last fault in the molecule data of a unit. */
export const selectMoleculeFault =
  (unit: string) =>
  ({ context }: ClientSnapshot): Fault | undefined =>
    context.record.faults.findLast(({ fault }) => 'path' in fault && fault.path[0] === 'viz' && fault.path[1] === unit)
      ?.fault

const isPending = (status: QueuedCommand['status']): boolean => status === 'asked' || status === 'waiting'

export const selectId = ({ context }: ClientSnapshot): string => context.id
/** Identifies the client in the history, tags and incidents; undefined until a direct one has reported its id. */
export const selectClientKey = ({ context }: ClientSnapshot): string | undefined => clientKeyOf(viewOf(context))
export const selectAddress = ({ context }: ClientSnapshot): string | undefined => context.address
export const selectData = ({ context }: ClientSnapshot): ClientData | undefined => context.record.data
export const selectInfo = ({ context }: ClientSnapshot): ClientInfo | undefined => context.record.data?.info
export const selectEnvironment = ({ context }: ClientSnapshot): ClientEnvironment => context.environment
/** Epoch milliseconds; undefined while disconnected. */
export const selectConnectedAt = ({ context }: ClientSnapshot): number | undefined => context.connectedAt
/** Epoch milliseconds; undefined before the first report. */
export const selectLastReportAt = ({ context }: ClientSnapshot): number | undefined => context.heardAt
export const selectPpd = ({ context }: ClientSnapshot): number | undefined => context.report?.summary.ppd
