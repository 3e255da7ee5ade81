/*
 * What the row of a unit shows beyond the texts of its columns: state, progress, estimates, GPU, and why it makes no
 * progress.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client-data.ts'
import { isGroupFinishing } from '../machine/group.ts'
import { shortGpuName, unitGpuNames } from '../machine/resources.ts'
import { clampShare } from '../shared/format.ts'
import { formatInterval } from '../shared/times.ts'
import type { UnitContext } from './unit-column.ts'
import { UNIT_COLUMNS } from './unit-columns.ts'
import { deadlineRisk, deadlineWarning, isWorking, waitEnd } from './unit-progress.ts'
import { unitProgress, unitReason, unitStatus, type PauseReason } from './unit-status.ts'

/** A key for `statusAppearance`. */
export const statusOf = (unit: Unit, { data, now }: UnitContext): string =>
  unitStatus(unit, isGroupFinishing(data, unit), now)

/** More steps could not be distinguished on the widest screen. */
const PROGRESS_STEPS = 2000

export const progressOf = (unit: Unit, { now }: UnitContext): number | undefined => {
  const share = clampShare(unitProgress(unit, now))
  return share === undefined ? undefined : Math.round(share * PROGRESS_STEPS) / PROGRESS_STEPS
}

/** Of the unit whose core runs: the client's estimates are outdated otherwise. */
const estimateOf =
  (id: string) =>
  (unit: Unit, context: UnitContext): string | undefined => {
    const column = isWorking(unit, context.now) ? UNIT_COLUMNS.find(other => other.id === id) : undefined
    return column?.value(unit, context) === undefined ? undefined : column.text(unit, context)
  }
const etaOf = estimateOf('eta')
const tpfOf = estimateOf('tpf')

/** 'ETA 2h 3m'; undefined when the unit is not running. */
export const etaText = (unit: Unit, context: UnitContext): string | undefined => {
  const eta = etaOf(unit, context)
  return eta === undefined ? undefined : t`ETA ${eta}`
}

/** 'TPF 1m 40s'; undefined when the unit is not running. */
export const tpfText = (unit: Unit, context: UnitContext): string | undefined => {
  const tpf = tpfOf(unit, context)
  return tpf === undefined ? undefined : t`TPF ${tpf}`
}

/** The names of its GPUs that people know; undefined without any. */
export const gpuText = (unit: Unit, { data }: UnitContext): string | undefined =>
  unitGpuNames(unit, data?.info, shortGpuName).join(', ') || undefined

/** The pause reason, as sent by clients, of a unit that the user paused. It needs no explanation. */
const PAUSED_BY_USER: PauseReason = 'Paused'

const retryText = (unit: Unit, now: number): string | undefined => {
  const until = waitEnd(unit, now)
  return until === undefined ? undefined : t`Retrying in ${formatInterval((until - now) / 1000)}.`
}

/** Texts of servers may lack the full stop. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Why a unit makes no progress, until when, and which deadline is at risk; undefined when there is nothing to report. */
export const unitNotice = (unit: Unit, now: number): string | undefined => {
  const reason =
    unit.pause_reason === PAUSED_BY_USER && waitEnd(unit, now) === undefined ? undefined : unitReason(unit, now)
  const parts = [reason, retryText(unit, now), deadlineWarning(deadlineRisk(unit, now))]
  return (
    parts
      .filter(part => part !== undefined)
      .map(asSentence)
      .join(' ') || undefined
  )
}
