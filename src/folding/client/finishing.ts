/*
 * 'Finish' completes the current units and then pauses. A paused client stays paused after the command, so a paused
 * group with units must fold before it can finish, and a paused group without units has nothing to finish.
 */
import { t } from '@lingui/core/macro'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { unitsOf } from './client.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'

/** Names of paused groups with units: of all groups, or only `group`. */
export function groupsToResume(data: ClientData | undefined, group?: string): readonly string[] {
  const holders = new Set(unitsOf(data).map(groupNameOf))
  return targets(data, group).filter(name => holders.has(name) && isPausedGroup(data, name))
}

/** Why 'finish' would have no effect on a client or one of its groups; undefined when it would have one. */
export function finishBlocker(data: ClientData | undefined, group?: string): string | undefined {
  const names = targets(data, group)
  if (names.length === 0 || names.some(name => !isPausedGroup(data, name))) return undefined
  if (groupsToResume(data, group).length > 0) return undefined
  return group === undefined
    ? t`Nothing to finish: the machine is paused and has no work units.`
    : t`Nothing to finish: the group is paused and has no work units.`
}

function isPausedGroup(data: ClientData | undefined, name: string): boolean {
  const groups = groupsOf(data)
  return Object.hasOwn(groups, name) && groupState(groups[name]) === 'pause'
}

function targets(data: ClientData | undefined, group: string | undefined): readonly string[] {
  const names = Object.keys(groupsOf(data))
  return group === undefined ? names : names.filter(name => name === group)
}
