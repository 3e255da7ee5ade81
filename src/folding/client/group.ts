/*
 * Resource groups: their names, folding states, resources and failures.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, ClientInfo, Group, Unit } from '../../protocol/client/client-data.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { ownValue, positive, record, text } from '../shared/read.ts'
import { lacksDriver } from './gpu-driver.ts'
import {
  cappedCpus,
  configuredCpus,
  enabledGpus,
  gpuModel,
  gpuName,
  gpuOf,
  ownNameOf,
  resourcesText,
} from './resources.ts'
import { parseTime } from '../text/times.ts'
import { pauseReasonText, type PauseReason } from '../unit/pause-reasons.ts'
import { compareTexts } from '../text/format.ts'

/** The display name of the default group, whose name is empty (docs/product.md §2). */
export const DEFAULT_GROUP = t`Default`

/**
 * A group's display name. Names that users gave are never changed; one that looks like another (the default group's, or
 * one with less white space) is quoted.
 */
export function groupTitle(name: string): string {
  if (name === '') return DEFAULT_GROUP
  return isAmbiguous(name) ? `“${name}”` : name
}

/** The person's own name of a client's group, else its display name. */
export function groupTitleOf(info: ClientInfo | undefined, name: string): string {
  return ownNameOf(info, `group:${name}`) ?? groupTitle(name)
}

function isAmbiguous(name: string): boolean {
  return name.toLowerCase() === DEFAULT_GROUP.toLowerCase() || /^\s|\s$|\s\s|[^\S ]|^“.*”$/su.test(name)
}

/** A group's reported folding state. Paused wins over finish: a paused group finishes nothing. */
export function groupState(group: Group | undefined): FoldingState {
  if (ownValue(group?.config, 'paused') === true) return 'pause'
  return ownValue(group?.config, 'finish') === true ? 'finish' : 'fold'
}

/**
 * Names of groups that a person paused: they are paused while others are not, and not by the client, which pauses a group that
 * has failed too often.
 */
export function pausedByHand(groups: Readonly<Record<string, Group>>): readonly string[] {
  const paused = Object.keys(groups).filter(name => groupState(groups[name]) === 'pause')
  return paused.length === Object.keys(groups).length
    ? []
    : paused.filter(name => failedText(groups[name]) === undefined)
}

/**
 * A client's groups by name. A client without groups keeps one group's settings in its config; they are returned as the
 * default group.
 */
export function groupsOf(data: ClientData | undefined): Readonly<Record<string, Group>> {
  const groups = record(data?.groups)
  if (data === undefined || groups === undefined) return NO_GROUPS
  if (Object.keys(groups).length > 0) return data.groups
  const config = record(data.config)
  const holdsGroup = config !== undefined && ['cpus', 'gpus', 'paused'].some(key => ownValue(config, key) !== undefined)
  return holdsGroup ? { '': { config: data.config } } : NO_GROUPS
}

/** Whether the client reports groups; only then are they shown (docs/product.md §3). */
export function hasGroups(data: ClientData | undefined): boolean {
  return Object.keys(record(data?.groups) ?? {}).length > 0
}

/** Names of the groups in display order: the default group, then in natural order. */
export function groupNames(groups: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(groups).sort((a, b) => (a === '' ? -1 : b === '' ? 1 : compareTexts(a, b)))
}

export function groupNameOf(unit: Unit): string {
  return text(unit.group) ?? ''
}

export function groupOf(data: ClientData | undefined, unit: Unit): Group | undefined {
  return ownGroup(groupsOf(data), groupNameOf(unit))
}

/** Whether the unit's group is set to finish. */
export function isGroupFinishing(data: ClientData | undefined, unit: Unit): boolean {
  return groupState(groupOf(data, unit)) === 'finish'
}

/** A group's CPUs and GPUs as text, not truncated, including undetected GPUs. */
export function groupResources(group: Group | undefined, info: ClientInfo | undefined, locale?: string): string {
  return resourcesText(
    cappedCpus(configuredCpus(group?.config), info),
    enabledGpus(group?.config).map(id => gpuModel(info, id)),
    locale,
  )
}

/** Whether a group has no CPUs and no enabled GPU that the client reports. */
export function isGroupEmpty(group: Group | undefined, info: ClientInfo | undefined): boolean {
  return configuredCpus(group?.config) === 0 && enabledGpus(group?.config).every(id => gpuOf(info, id) === undefined)
}

/** Whether a group is hidden: the account hides empty groups (docs/product.md §10), and it is empty and has no units. */
export function isGroupHidden(
  group: Group | undefined,
  info: ClientInfo | undefined,
  hidesEmpty: boolean,
  hasUnits = false,
): boolean {
  return hidesEmpty && !hasUnits && isGroupEmpty(group, info)
}

/** Units that failed since the last credited one or the last fold from paused (docs/protocol.md §4). */
export function failedUnits(group: Group | undefined): number {
  return positive(ownValue(group, 'failed_wus')) ?? 0
}

/** Units that were lost after their download, dumped ones included (docs/protocol.md §4). */
export function lostUnits(group: Group | undefined): number {
  return Math.floor(positive(ownValue(group, 'lost_wus')) ?? 0)
}

/**
 * Units in a row that failed or were lost: a core that crashes without results only raises the count of lost ones.
 * `dumped`: how many of the lost ones are known to have been dumped.
 */
export function failuresInARow(group: Group | undefined, dumped = 0): number {
  return Math.max(failedUnits(group), lostUnits(group) - dumped)
}

/** Why the client paused the group by itself; undefined when it did not. */
export function failedText(group: Group | undefined): string | undefined {
  const failed = text(ownValue(group, 'failed'))
  return failed === undefined ? undefined : (FAILED_TEXTS.get(failed) ?? failed)
}

// Keys are the client's own texts (docs/protocol.md §4).
const FAILED_TEXTS: ReadonlyMap<string, string> = new Map<FailedOnWire, string>([
  ['Paused due too many failed Work Units.', t`Paused: too many work units failed, expired or were dumped.`],
])

type FailedOnWire = 'Paused due too many failed Work Units.'

/** 'error' when the client paused the group, 'warning' with more than one failed or lost unit (docs/product.md §10). */
export function groupProblem(group: Group | undefined): 'none' | 'warning' | 'error' {
  if (failedText(group) !== undefined) return 'error'
  return failuresInARow(group) > 1 ? 'warning' : 'none'
}

/**
 * What the counts of a group tell of its failures (docs/protocol.md §4). `refused`: they ended before the work was there, by
 * a server’s answer. `lost`: the core crashed, or they were dumped. `failed`: they were computed in vain, or expired.
 */
export function failureKind(group: Group | undefined, dumped = 0): 'refused' | 'lost' | 'failed' {
  const [failed, lost] = [failedUnits(group), lostUnits(group) - dumped]
  if (lost > failed) return 'lost'
  return lost <= 0 && failed > 0 ? 'refused' : 'failed'
}

/** What is said of requests for work that ended before the work was there. */
export const REFUSED = t`Requests for work were refused in a row, or downloads were given up. That is not the hardware: the server’s words are in the log.`

const FAILURE_TEXTS = {
  refused: REFUSED,
  lost: t`Several work units were lost in a row: their core crashed, or they were dumped.`,
  failed: t`Several work units failed in a row.`,
}

/** What is said beside a `groupProblem`. */
export function groupProblemText(group: Group | undefined): string {
  return failedText(group) ?? FAILURE_TEXTS[failureKind(group)]
}

/** When the wait after a failure ends, epoch milliseconds; undefined when there is none or it is over. */
export function groupWaitEnd(group: Group | undefined, now: number): number | undefined {
  const until = parseTime(ownValue(group, 'wait'))
  return until !== undefined && until > now ? until : undefined
}

/** Whether the group’s settings keep it from work now, as somebody chose. */
export function isIdleOnPurpose(group: Group | undefined, info: ClientInfo | undefined): boolean {
  if (failedText(group) !== undefined) return false
  return groupState(group) !== 'fold' || chosenWaits(group, info).length > 0
}

/** Why its settings make a group that folds wait. */
function chosenWaits(group: Group | undefined, info: ClientInfo | undefined): readonly string[] {
  const waits: string[] = []
  if (ownValue(group?.config, 'on_battery') === false && info?.on_battery === true)
    waits.push(pauseReasonText('Pausing on battery' satisfies PauseReason))
  if (ownValue(group?.config, 'on_idle') === true) waits.push(t`Folds only while the computer is idle.`)
  if (groupState(group) === 'finish') waits.push(t`Finishing: no new work is fetched.`)
  return waits
}

/**
 * Why a group without units is idle. A client does not report it (docs/protocol.md §6), so it is inferred from the
 * group's settings. Undefined when unknown.
 */
export function groupIdleReason(
  group: Group | undefined,
  info: ClientInfo | undefined,
  now: number,
): string | undefined {
  const failed = failedText(group)
  if (failed !== undefined) return failed
  if (groupState(group) === 'pause') return pauseReasonText('Paused' satisfies PauseReason)
  if (isGroupEmpty(group, info)) return t`No CPUs or GPUs are enabled.`
  const driverless = configuredCpus(group?.config) === 0 ? driverlessGpu(group, info) : undefined
  if (driverless !== undefined) return t`The client finds no driver for ${gpuName(info, driverless)}.`
  if (groupWaitEnd(group, now) !== undefined) return t`Work units failed; waiting before the next one.`
  return chosenWaits(group, info).join(' ') || undefined
}

/** What would keep a client, or one of its groups, from work although it folds; undefined where something can fold. */
export function foldObstacle(data: ClientData | undefined, name?: string): string | undefined {
  const groups = groupsOf(data)
  const meant = Object.values(name === undefined ? groups : { name: ownGroup(groups, name) })
  const reasons = meant.map(group =>
    groupIdleReason(
      { config: { ...group?.config, paused: false, finish: false } },
      data?.info,
      Number.POSITIVE_INFINITY,
    ),
  )
  return reasons.every(reason => reason !== undefined) ? reasons[0] : undefined
}

/** A GPU of a group of which no GPU has a driver. */
function driverlessGpu(group: Group | undefined, info: ClientInfo | undefined): string | undefined {
  const present = enabledGpus(group?.config).filter(id => gpuOf(info, id) !== undefined)
  return present.every(id => lacksDriver(info, id)) ? present[0] : undefined
}

const NO_GROUPS: Readonly<Record<string, Group>> = Object.freeze({})

function ownGroup(groups: Readonly<Record<string, Group>>, name: string): Group | undefined {
  return Object.hasOwn(groups, name) ? groups[name] : undefined
}
