/*
 * 'Finish' completes the units that are there, and then pauses. A client that is told so while it is paused notes it and
 * stays paused, so a paused group that holds units has to fold before it can finish, and one without units has nothing to.
 */
import { t } from '@lingui/core/macro'
import type { ClientData } from '../../protocol/client-data.ts'
import { unitsOf } from './client.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'

/** Names of the groups, of one or of all, that are paused and hold units. */
export const groupsToResume = (data: ClientData | undefined, group?: string): readonly string[] => {
  const holders = new Set(unitsOf(data).map(groupNameOf))
  return targets(data, group).filter(name => holders.has(name) && isPausedGroup(data, name))
}

/** Why telling a client, or one of its groups, to finish would do nothing; undefined when it would. */
export const whyNothingToFinish = (data: ClientData | undefined, group?: string): string | undefined => {
  const names = targets(data, group)
  if (names.length === 0 || names.some(name => !isPausedGroup(data, name))) return undefined
  if (groupsToResume(data, group).length > 0) return undefined
  return group === undefined
    ? t`Nothing to finish: the machine is paused and holds no work units.`
    : t`Nothing to finish: the group is paused and holds no work units.`
}

const isPausedGroup = (data: ClientData | undefined, name: string): boolean => {
  const groups = groupsOf(data)
  return Object.hasOwn(groups, name) && groupState(groups[name]) === 'pause'
}

const targets = (data: ClientData | undefined, group: string | undefined): readonly string[] => {
  const names = Object.keys(groupsOf(data))
  return group === undefined ? names : names.filter(name => name === group)
}
