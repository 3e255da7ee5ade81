import { t } from '@lingui/core/macro'
import { infoOf, isLinked } from '../../../folding/client/client.ts'
import { clientForm } from '../../../folding/client/client-form.ts'
import {
  type CommandQueue,
  type QueuedCommand,
  dropUnsent,
  markIgnored,
  removeCommand,
  isStreamRequest,
} from '../../../protocol/client/command-queue.ts'
import type { Command } from '../../../protocol/client/commands.ts'
import type { SettingsReport } from '../client-settings/client-settings.events.ts'
import type { ClientContext } from './client.context.ts'
import { viewOf } from './client.report.ts'

export function settingsReport(context: ClientContext): SettingsReport {
  const view = viewOf(context)
  const { account } = context.environment
  const client = view.isDirect ? infoOf(view)?.id : view.id
  const isOurs = account !== undefined && isLinked(view, account)
  const name = context.name ?? infoOf(view)?.mach_name ?? ''
  return {
    form: clientForm({
      // With data of an earlier visit, anything saved since would look like a change made elsewhere.
      data: context.isRestored ? undefined : view.data,
      linked: isOurs && client !== undefined ? { machine: client, name } : undefined,
      isSignedIn: account !== undefined,
    }),
    isConnected: view.isConnected,
    isDirect: view.isDirect,
    isSignedIn: account !== undefined,
    isLinked: isOurs,
    isOverBorder: (infoOf(view)?.simulated === true) !== (context.environment.isDemo === true),
    machine: client,
    name: name === '' ? (infoOf(view)?.hostname ?? '') : name,
  }
}

/** The inputs of that report: it is sent again only when one of them changed. */
export function settingsSources({
  record: { data },
  isRestored,
  connectedAt,
  name,
  environment,
}: ClientContext): readonly unknown[] {
  return [isRestored, data?.config, data?.groups, data?.info, connectedAt === undefined, name, environment.account]
}

function isIgnoredConfig({ command, status }: QueuedCommand): boolean {
  return command.cmd === 'config' && status === 'ignored'
}

export function ignoredConfig({ queue }: ClientContext): QueuedCommand | undefined {
  return queue.entries.find(isIgnoredConfig)
}

export function withoutIgnoredConfigs(queue: CommandQueue): CommandQueue {
  return queue.entries.filter(isIgnoredConfig).reduce((rest, { key }) => removeCommand(rest, key), queue)
}

export const LOST = t`The connection was lost before it could be sent.`

/**
 * Commands that were not sent fail when the connection is lost, instead of being sent later. Streams and restarts are
 * requested again on the next connection.
 */
export function dropLost(queue: CommandQueue): CommandQueue {
  return dropUnsent(
    queue.entries
      .filter(({ command, status }) => status === 'waiting' && !isStreamRequest(command) && command.cmd !== 'restart')
      .reduce((rest, { key }) => markIgnored(rest, key, LOST), queue),
  )
}

/**
 * A resource group named `__proto__` is dropped by the decoder but exists on the client: sending a list of groups
 * without it would delete it.
 */
export function lostGroupRefusal(command: Command, { record: { faults } }: ClientContext): string | undefined {
  const hasGroups = command.cmd === 'config' && command.config.groups !== undefined
  const isLost = faults.some(({ fault }) => fault.kind === 'unsafe-key')
  return hasGroups && isLost
    ? t`The machine has an entry whose name this page cannot handle. Saving resource groups could delete it, so nothing was sent.`
    : undefined
}
