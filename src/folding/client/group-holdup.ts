/*
 * Why a group gets no new work although it has units: one that asks for work in vain holds up all others of its group, and
 * a group that holds as many units as it may asks for none (docs/protocol.md §6).
 */
import { t } from '@lingui/core/macro'
import type { ClientData, ClientInfo, Group, Unit } from '../../protocol/client/client-data.ts'
import { finite, positive, text, texts } from '../shared/read.ts'
import { conditionOf, hasEnded, isUnsent, clientTime } from '../unit/unit-meaning.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'
import { cappedCpus, configuredCpus, enabledGpus, gpuName, gpuOf, resourcesText } from './resources.ts'

/**
 * `starved`: `idle` gets no work because `unit` finds none. `full`: the group holds `count` units, the most that it may,
 * and some of them are finished and not sent.
 */
export type GroupHoldup =
  | { readonly kind: 'starved'; readonly idle: string; readonly unit: Unit }
  | { readonly kind: 'full'; readonly count: number; readonly unsent: number }

/** Undefined while the group is paused or finishes, and when nothing holds it up. `now`: on this page's clock. */
export function groupHoldup(name: string, data: ClientData | undefined, now: number): GroupHoldup | undefined {
  const groups = groupsOf(data)
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined
  if (data === undefined || group === undefined || groupState(group) !== 'fold') return undefined
  const units = data.units.filter(unit => groupNameOf(unit) === name && !hasEnded(unit))
  const gpus = enabledGpus(group.config).filter(id => isUsable(data.info, id))
  const unsent = units.filter(isUnsent).length
  if (unsent > 0 && units.length >= mostUnits(gpus.length, group)) return { kind: 'full', count: units.length, unsent }
  const asking = units.find(unit => isInVain(unit, clientTime(data, now)))
  const idle = asking === undefined ? undefined : idleResources(group, gpus, units, data.info)
  return asking === undefined || idle === undefined ? undefined : { kind: 'starved', idle, unit: asking }
}

/** What is said of it in the group; undefined when there is nothing to say. */
export function groupHoldupText(name: string, data: ClientData | undefined, now: number): string | undefined {
  const holdup = groupHoldup(name, data, now)
  if (holdup === undefined) return undefined
  return holdup.kind === 'full' ? `${fullText(holdup)} ${FULL_HELP}` : `${starvedText(holdup.idle)} ${STARVED_HELP}`
}

export function starvedText(idle: string): string {
  return t`Idle: ${idle}. The group fetches one work unit after another, and the one that it asks for now is not available.`
}
export const STARVED_HELP = t`Put GPUs and CPUs into groups of their own: then each asks for work by itself.`

export function fullText({ count, unsent }: { readonly count: number; readonly unsent: number }): string {
  return t`No new work until results are sent: the group holds ${count} work units, the most that it may, and ${unsent} of them are finished.`
}
export const FULL_HELP = t`Check the machine’s upload, and why results are not sent.`

const CPUS_A_UNIT = 64
const MORE_UNITS = 3

function mostUnits(gpus: number, group: Group): number {
  return gpus + Math.floor(configuredCpus(group.config) / CPUS_A_UNIT) + MORE_UNITS
}

function isUsable(info: ClientInfo | undefined, id: string): boolean {
  return gpuOf(info, id) !== undefined && gpuOf(info, id)?.supported !== false
}

/** At its first attempt every group waits for an answer. */
function isInVain(unit: Unit, at: number): boolean {
  return (
    unit.state === 'ASSIGN' &&
    ['asking', 'waiting'].includes(conditionOf(unit, at)) &&
    ((finite(unit.retries) ?? 0) > 0 || text(unit.error) !== undefined)
  )
}

/** Of the group, what no unit of it has; undefined for nothing. */
function idleResources(
  group: Group,
  gpus: readonly string[],
  units: readonly Unit[],
  info: ClientInfo | undefined,
): string | undefined {
  const holders = units.filter(unit => !isUnsent(unit))
  const used = new Set(holders.flatMap(unit => texts(unit.gpus)))
  const idle = gpus.filter(id => !used.has(id))
  const cpus = holders.reduce((sum, unit) => sum + (positive(unit.cpus) ?? 0), 0)
  const idleCpus = Math.max(0, cappedCpus(configuredCpus(group.config), info) - cpus)
  if (idle.length === 0 && idleCpus === 0) return undefined
  return resourcesText(
    idleCpus,
    idle.map(id => gpuName(info, id)),
  )
}
