/*
 * What the row of a unit shows beyond the texts of its columns: state, progress, estimates, GPU, and why it makes no
 * progress.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client/client-data.ts'
import { shortGpuName, unitGpuNames } from '../client/resources.ts'
import { clampShare, formatList } from '../text/format.ts'
import { formatClock, formatInterval, formatLocalShort, HOUR, MINUTE, parseTime } from '../text/times.ts'
import type { UnitContext } from './unit-column.ts'
import { UNIT_COLUMNS } from './unit-columns.ts'
import type { PauseReason } from './pause-reasons.ts'
import { hasEnded, isUnsent, isWorking, clientTime, meaningOf } from './unit-meaning.ts'
import { deadlineRisk, deadlineWarning, heldLimitText, nextLimit, readyAt, stakeText } from './unit-progress.ts'
import { isHeldForResources } from './resource-meanings.ts'
import { unitProgress, unitReason, unitStatus } from './unit-status.ts'

/** A key for `statusAppearance`. */
export function statusOf(unit: Unit, { data, now }: UnitContext): string {
  return unitStatus(unit, data, now)
}

/** Whether the core runs. */
export function isMoving(unit: Unit, { data, now }: UnitContext): boolean {
  return isWorking(unit, clientTime(data, now))
}

/** More steps could not be distinguished on the widest screen. */
const PROGRESS_STEPS = 2000

export function progressOf(unit: Unit, { data, now }: UnitContext): number | undefined {
  const share = clampShare(unitProgress(unit, clientTime(data, now)))
  return share === undefined ? undefined : Math.round(share * PROGRESS_STEPS) / PROGRESS_STEPS
}

/** Of the unit whose core runs: the client's estimates are outdated otherwise. */
function estimateOf(id: string) {
  return (unit: Unit, context: UnitContext): string | undefined => {
    const column = isMoving(unit, context) ? UNIT_COLUMNS.find(other => other.id === id) : undefined
    return column?.value(unit, context) === undefined ? undefined : column.text(unit, context)
  }
}
const etaOf = estimateOf('eta')
const tpfOf = estimateOf('tpf')

/** 'ETA 2h 3m'; undefined when the unit is not running. */
export function etaText(unit: Unit, context: UnitContext): string | undefined {
  const eta = etaOf(unit, context)
  return eta === undefined ? undefined : t`ETA ${eta}`
}

/** A time of this many hours from now needs no date. */
const SOON = 18

/** When the unit is ready, 'Ready: 18:42'; undefined when it is not running. */
export function finishText(unit: Unit, context: UnitContext): string | undefined {
  const at = isMoving(unit, context) ? readyAt(unit, context.now) : undefined
  if (at === undefined) return undefined
  const time = at - context.now < SOON * HOUR * 1000 ? formatClock(at) : formatLocalShort(at)
  return t`Ready: ${time}`
}

/** 'TPF 1m 40s'; undefined when the unit is not running. */
export function tpfText(unit: Unit, context: UnitContext): string | undefined {
  const tpf = tpfOf(unit, context)
  return tpf === undefined ? undefined : t`TPF ${tpf}`
}

/** The names of its GPUs that people know; undefined without any. */
export function gpuText(unit: Unit, { data }: UnitContext): string | undefined {
  return formatList(unitGpuNames(unit, data?.info, shortGpuName)) || undefined
}

/** The pause reason, as sent by clients, of a unit that the user paused. It needs no explanation. */
const PAUSED_BY_USER: PauseReason = 'Paused'

/** Texts of servers may lack the full stop. */
function asSentence(text: string): string {
  return /[.!?…。！？؟]$/.test(text) ? text : t`${text}.`
}

/** An upload usually takes seconds: what is at stake is said of one only when little time is left. */
function isPressing(unit: Unit, now: number): boolean {
  return (nextLimit(unit, now) ?? Infinity) - now < HOUR * 1000
}

/** Of a unit that began in the future: a difference of seconds may be the way of the message. */
function clockText(unit: Unit, now: number): string | undefined {
  const lead = ((hasEnded(unit) ? undefined : parseTime(unit.start_time)) ?? now) - now
  return lead < MINUTE * 1000
    ? undefined
    : t`The machine’s clock is at least ${formatInterval(lead / 1000)} ahead: set it, or let it follow a time server.`
}

/** The setting of its group that keeps it from going on, by its key; undefined without one. */
export function unitSetting(unit: Unit, { data, now }: Pick<UnitContext, 'data' | 'now'>): string | undefined {
  return meaningOf(unit, data, now).setting
}

/** Why a unit makes no progress, until when, and what is at risk; undefined when there is nothing to report. */
export function unitNotice(unit: Unit, { data, now }: Pick<UnitContext, 'data' | 'now'>): string | undefined {
  const { condition, left } = meaningOf(unit, data, now)
  const isOwnPause = condition === 'held' && unit.pause_reason === PAUSED_BY_USER && !isUnsent(unit)
  const isLost = deadlineRisk(unit, now) === 'passed'
  const parts = [
    isOwnPause ? undefined : unitReason(unit, data, now),
    left === undefined ? undefined : t`Retrying in ${formatInterval(left / 1000)}.`,
    condition === 'transferring' && !isPressing(unit, now) ? undefined : stakeText(unit, now),
    isHeldForResources(unit) && !isUnsent(unit) ? heldLimitText(unit, now) : undefined,
    isUnsent(unit) && !isLost ? undefined : deadlineWarning(deadlineRisk(unit, now)),
    clockText(unit, now),
  ]
  return (
    parts
      .filter(part => part !== undefined)
      .map(asSentence)
      .join(' ')
      .replaceAll(/(?<=[。！？]) /g, '') || undefined
  )
}
