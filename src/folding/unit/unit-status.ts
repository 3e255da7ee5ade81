/*
 * A unit's displayed state (docs/product.md §4): its label and appearance, its progress, and why it is stopped.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client-data.ts'
import { clampShare, UNKNOWN } from '../shared/format.ts'
import type { StateAppearance } from '../shared/appearance.ts'
import { positive, text } from '../shared/read.ts'
import { parseTime } from '../shared/times.ts'
import { hasEnded, isPaused, waitEnd, workShare } from './unit-progress.ts'

/**
 * The state to show, as a key for `statusAppearance`, by docs/product.md §4's priority: waiting (`RUN_WAIT` …), finishing
 * (`FINISH`: running in a group that is set to finish), paused (`PAUSE`), the result, the state. An ended unit shows its
 * result, even with a pause reason left over. An unknown state is returned unchanged; '' when there is none.
 */
export const unitStatus = (unit: Unit, isGroupFinishing: boolean, now: number): string => {
  const state = text(unit.state) ?? ''
  const result = text(unit.result)
  if (hasEnded(unit) && result !== undefined) return knownKey(result)
  if (waitEnd(unit, now) !== undefined) return WAITING_STATES.has(state) ? `${state}_WAIT` : 'WAIT'
  const paused = isPaused(unit)
  if (state === 'RUN' && isGroupFinishing && !paused) return 'FINISH'
  if (paused) return 'PAUSE'
  return knownKey(result ?? state)
}

/** The appearance of a state. The same key gives the same object, except for unknown keys. */
export const statusAppearance = (key: string): StateAppearance => LOOKS.get(key) ?? unknownLook(key)

/** Which progress is shown: of the work, of a transfer, or of a wait. */
type ProgressKind = 'work' | 'transfer' | 'wait'

const progressKind = (unit: Unit, now: number): ProgressKind => {
  if (hasEnded(unit)) return 'work'
  if (waitEnd(unit, now) !== undefined && positive(unit.delay) !== undefined) return 'wait'
  if (unit.state === 'DOWNLOAD' || unit.state === 'UPLOAD') return 'transfer'
  return unit.state === 'CORE' && unit.wu_progress === undefined ? 'transfer' : 'work'
}

/**
 * The displayed progress, 0..1: of the delay while waiting, of the transfer in DOWNLOAD, UPLOAD and a fresh CORE, else of
 * the work. Undefined when unknown.
 */
export const unitProgress = (unit: Unit, now: number): number | undefined => {
  switch (progressKind(unit, now)) {
    case 'wait':
      return elapsedShare(unit, now)
    case 'transfer':
      return unit.progress === undefined ? 0 : clampShare(unit.progress)
    case 'work':
      return workShare(unit)
  }
}

/**
 * Why the unit is stopped: the pause reason, the failure and the server's message, or the result. Without the remaining
 * wait (see `waitEnd`). Undefined when there is nothing to explain.
 */
export const unitReason = (unit: Unit, now: number): string | undefined => {
  const error = text(unit.error)
  if (hasEnded(unit)) return statusAppearance(knownKey(text(unit.result) ?? '')).hint
  if (waitEnd(unit, now) !== undefined) return waitReason(unit, error)
  const reason = text(unit.pause_reason)
  if (reason !== undefined) return pauseReasonText(reason)
  return error === undefined ? undefined : t`Last error: ${error}`
}

/** The texts in which clients report why a unit is paused (docs/protocol.md §6). */
export type PauseReason =
  | 'Paused'
  | 'Waiting for idle system'
  | 'Pausing on battery'
  | 'Waiting for GPU detection'
  | 'Resources not available'
  | 'Shutting down'

/** An explanation of a client's pause reason; an unknown one is returned unchanged. */
export const pauseReasonText = (reason: string): string => PAUSE_TEXTS.get(reason) ?? reason

const WAITING_STATES: ReadonlySet<string> = new Set(['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'])

const PAUSE_TEXTS: ReadonlyMap<string, string> = new Map<PauseReason, string>([
  ['Paused', t`Paused. Press Fold to resume.`],
  ['Waiting for idle system', t`Waiting until the computer is idle: its group folds only then.`],
  ['Pausing on battery', t`The computer runs on battery, and its group does not fold on battery.`],
  ['Waiting for GPU detection', t`The machine is still detecting its GPUs.`],
  ['Resources not available', t`The CPUs or GPUs it needs are disabled in its group or used by other work units.`],
  ['Shutting down', t`The folding client is shutting down.`],
])

const WAIT_TEXTS: Readonly<Record<string, string>> = {
  ASSIGN: t`No work available`,
  DOWNLOAD: t`Download failed`,
  CORE: t`Core download failed`,
  RUN: t`Core stopped`,
  UPLOAD: t`Upload failed`,
  DUMP: t`Reporting the dump failed`,
}

const appearance = (
  label: string,
  icon: StateAppearance['icon'],
  tone: StateAppearance['tone'],
  hint: string,
): StateAppearance => Object.freeze({ label, icon, tone, hint })

const waitLook = (label: string): StateAppearance =>
  appearance(label, 'wait', 'waiting', t`Waiting; the machine retries automatically.`)

const LOOKS: ReadonlyMap<string, StateAppearance> = new Map([
  ['ASSIGN', appearance(t`Assigning`, 'assign', 'transfer', t`Requesting work.`)],
  ['DOWNLOAD', appearance(t`Downloading`, 'download', 'transfer', t`Downloading the work.`)],
  ['CORE', appearance(t`Core`, 'core', 'transfer', t`Preparing the core, the program that computes the work.`)],
  ['RUN', appearance(t`Running`, 'run', 'running', t`Computing the work.`)],
  ['FINISH', appearance(t`Finishing`, 'finish', 'finishing', t`Computing the work; no new work follows.`)],
  ['UPLOAD', appearance(t`Uploading`, 'upload', 'transfer', t`Sending the results.`)],
  ['CLEAN', appearance(t`Ended`, 'done', 'done', t`The work unit has ended and is being removed.`)],
  ['DONE', appearance(t`Done`, 'done', 'done', t`The work unit has ended.`)],
  ['WAIT', waitLook(t`Waiting`)],
  ['PAUSE', appearance(t`Paused`, 'pause', 'paused', t`Nothing is computed until it resumes.`)],
  [
    'DUMP',
    appearance(t`Dumping`, 'dump', 'failed', t`The work unit is being returned unfinished; it earns no points.`),
  ],
  ['DUMPED', appearance(t`Dumped`, 'dump', 'failed', t`The work unit was returned unfinished; it earned no points.`)],
  ['EXPIRED', appearance(t`Expired`, 'fail', 'failed', t`The work unit missed its deadline.`)],
  ['ABORTED', appearance(t`Aborted`, 'dump', 'unknown', t`The machine dropped the work unit; it earned no points.`)],
  ['MISSING', appearance(t`Missing Data`, 'fail', 'failed', t`The work unit’s files were lost on the machine.`)],
  ['RETRIES', appearance(t`Max Retries`, 'fail', 'failed', t`The work unit failed too often.`)],
  ['FAILED', appearance(t`Failed`, 'fail', 'failed', t`The work unit could not be computed.`)],
  ['REJECTED', appearance(t`Rejected`, 'fail', 'failed', t`The server rejected the results.`)],
  ['CREDITED', appearance(t`Credited`, 'done', 'done', t`The results were accepted and credited.`)],
  ['ASSIGN_WAIT', waitLook(t`Assign Wait`)],
  ['DOWNLOAD_WAIT', waitLook(t`Download Wait`)],
  ['CORE_WAIT', waitLook(t`Core Wait`)],
  ['RUN_WAIT', waitLook(t`Run Wait`)],
  ['UPLOAD_WAIT', waitLook(t`Upload Wait`)],
  ['DUMP_WAIT', waitLook(t`Dump Wait`)],
])

const NO_STATE = appearance(UNKNOWN, 'unknown', 'unknown', t`The machine does not report the state of this work unit.`)

const unknownLook = (key: string): StateAppearance =>
  key === '' ? NO_STATE : appearance(key, 'unknown', 'unknown', t`This dashboard does not know this state.`)

// Results are in lower case ('credited'), states in upper case; an unknown key stays unchanged.
const knownKey = (word: string): string => (LOOKS.has(word.toUpperCase()) ? word.toUpperCase() : word)

const waitReason = (unit: Unit, error: string | undefined): string => {
  const reason = WAIT_TEXTS[text(unit.state) ?? ''] ?? t`Waiting to continue`
  return error === undefined ? t`${reason}.` : t`${reason}: ${error}`
}

const elapsedShare = (unit: Unit, now: number): number | undefined => {
  const until = parseTime(unit.wait)
  const delay = positive(unit.delay)
  if (until === undefined || delay === undefined) return undefined
  return delay === 0 ? 1 : clampShare(1 - (until - now) / 1000 / delay)
}
