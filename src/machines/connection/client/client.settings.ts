import { t } from '@lingui/core/macro'
import { infoOf, isLinked } from '../../../folding/machine/client.ts'
import { machineForm } from '../../../folding/machine/machine-form.ts'
import type { CommandQueue, QueuedCommand } from '../../../protocol/command-queue.ts'
import { dropUnsent, expire, forget, isReader } from '../../../protocol/command-queue.ts'
import type { Command } from '../../../protocol/commands.ts'
import type { SettingsReport } from '../client-settings/client-settings.events.ts'
import type { ClientContext } from './client.context.ts'
import { viewOf } from './client.report.ts'

/** What the settings of a client are told of it. */
export const settingsReport = (context: ClientContext): SettingsReport => {
  const view = viewOf(context)
  const { account } = context.surroundings
  const machine = view.isDirect ? infoOf(view)?.id : view.id
  const isOurs = account !== undefined && isLinked(view, account)
  const name = context.name ?? infoOf(view)?.mach_name ?? ''
  return {
    form: machineForm({
      // A form from an earlier visit would make whatever was saved since look like a change by somebody else.
      data: context.isRecalled ? undefined : view.data,
      linked: isOurs && machine !== undefined ? { machine, name } : undefined,
      isSignedIn: account !== undefined,
    }),
    isConnected: view.isConnected,
    isDirect: view.isDirect,
    isSignedIn: account !== undefined,
    isLinked: isOurs,
    machine,
    name: name === '' ? (infoOf(view)?.hostname ?? '') : name,
  }
}

/** All that such a report is made of: as long as it is the same, nothing needs to be told. */
export const settingsSources = ({
  record: { data },
  isRecalled,
  connectedAt,
  name,
  surroundings,
}: ClientContext): readonly unknown[] => [
  isRecalled,
  data?.config,
  data?.groups,
  data?.info,
  connectedAt === undefined,
  name,
  surroundings.account,
]

export const isSameSources = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((source, at) => source === b[at])

const isIgnoredConfig = ({ command, status }: QueuedCommand): boolean =>
  command.cmd === 'config' && status === 'ignored'

/** Why the settings that were sent last were not taken over; undefined as long as that is not so. */
export const ignoredConfig = ({ queue }: ClientContext): QueuedCommand | undefined =>
  queue.entries.find(isIgnoredConfig)

export const withoutIgnoredConfigs = (queue: CommandQueue): CommandQueue =>
  queue.entries.filter(isIgnoredConfig).reduce((rest, { key }) => forget(rest, key), queue)

export const LOST = t`The connection was lost before it could be sent.`

/**
 * Nothing is sent later than the person saw it fail, and whoever asked for it must hear that. Streams and restarts are
 * asked for again on the next connection.
 */
export const dropLost = (queue: CommandQueue): CommandQueue =>
  dropUnsent(
    queue.entries
      .filter(({ command, status }) => status === 'waiting' && !isReader(command) && command.cmd !== 'restart')
      .reduce((rest, { key }) => expire(rest, key, LOST), queue),
  )

/**
 * A resource group with a name that is never read (`__proto__`) is on the machine all the same, and a list of groups
 * without it would delete it.
 */
export const lostGroupRefusal = (command: Command, { record: { faults } }: ClientContext): string | undefined => {
  const hasGroups = command.cmd === 'config' && command.config.groups !== undefined
  const isLost = faults.some(({ fault }) => fault.kind === 'unsafe-key')
  return hasGroups && isLost
    ? t`The machine has something with a name that this page cannot keep. Saving resource groups could delete it, so nothing was sent.`
    : undefined
}
