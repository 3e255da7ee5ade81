/*
 * A unit's displayed state (docs/product.md §4): its label and appearance, its progress, and why it is stopped.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { UNREPORTED } from '../../protocol/client/ended-units.ts'
import { clampShare, UNKNOWN } from '../text/format.ts'
import { appearance, type StateAppearance } from '../shared/appearance.ts'
import { positive, text } from '../shared/read.ts'
import { parseTime } from '../text/times.ts'
import { conditionOf, hasEnded, isUnsent, meaningOf, statusWord } from './unit-meaning.ts'
import { workShare } from './unit-progress.ts'
import { FOREIGN_LANGUAGE } from '../text/client-words.ts'
import { textWidth } from '../text/text-width.ts'

/**
 * The state to show, as a key for `statusAppearance`: what the unit means by unit-meaning.ts. An unknown state or result is
 * returned unchanged; '' when there is none. `data`: of its client; undefined for a unit of the history.
 */
export function unitStatus(unit: Unit, data: ClientData | undefined, now: number): string {
  return knownKey(statusWord(unit, data, now))
}

/** The appearance of a state. The same key gives the same object, except for unknown keys. */
export function statusAppearance(key: string): StateAppearance {
  return LOOKS.get(key) ?? unknownLook(key)
}

/**
 * The displayed progress, 0..1: of the delay while waiting, of the transfer in DOWNLOAD, UPLOAD and a fresh CORE, else of
 * the work. Finished work that does not wait, and of which nothing is being sent, counts as done. Undefined when unknown. `at`: on the client's
 * clock, see `clientTime`.
 */
export function unitProgress(unit: Unit, at: number): number | undefined {
  if (hasEnded(unit)) return workShare(unit)
  const condition = conditionOf(unit, at)
  if (condition === 'waiting' && positive(unit.delay) !== undefined) return elapsedShare(unit, at)
  if (isUnsent(unit)) {
    const sent = condition === 'transferring' ? clampShare(unit.progress) : undefined
    return sent === undefined || sent === 0 ? 1 : sent
  }
  const isTransfer = unit.state === 'DOWNLOAD' || (unit.state === 'CORE' && unit.wu_progress === undefined)
  return isTransfer ? (clampShare(unit.progress) ?? 0) : workShare(unit)
}

/**
 * Why the unit does not go on and what would help, without the remaining wait. Of an ended unit, what its result means.
 * Undefined when there is nothing to explain.
 */
export function unitReason(unit: Unit, data: ClientData | undefined, now: number): string | undefined {
  if (hasEnded(unit))
    return unit.result === 'failed' && unit.state === 'UPLOAD'
      ? t`The results were sent, and the server did not call them good. They may be credited all the same.`
      : statusAppearance(unitStatus(unit, data, now)).hint
  const { reason, help } = meaningOf(unit, data, now)
  return [reason, help].filter(part => part !== undefined).join(' ') || undefined
}

/** What the client itself says of the unit: its result, or its state with the reason of a pause. */
export function clientWords(unit: Unit): string {
  return (hasEnded(unit) ? [text(unit.result)] : [text(unit.state), text(unit.pause_reason)])
    .filter(word => word !== undefined)
    .join(', ')
}

function waitLook(label: string): StateAppearance {
  return appearance(label, 'wait', 'waiting', t`Waiting; the machine retries automatically.`)
}

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
  ['UNSENT', appearance(t`Not Sent`, 'pause', 'paused', t`Finished, but the results are held back and not sent.`)],
  [
    'DUMP',
    appearance(t`Dumping`, 'dump', 'failed', t`The work unit is being returned unfinished; it earns no points.`),
  ],
  ['DUMPED', appearance(t`Dumped`, 'dump', 'failed', t`The work unit was returned unfinished; it earned no points.`)],
  ['EXPIRED', appearance(t`Expired`, 'fail', 'failed', t`The work unit missed its deadline.`)],
  ['ABORTED', appearance(t`Aborted`, 'dump', 'unknown', t`The machine dropped the work unit; it earned no points.`)],
  ['MISSING', appearance(t`Missing Data`, 'fail', 'failed', t`The work unit’s files were lost on the machine.`)],
  ['RETRIES', appearance(t`Max Retries`, 'fail', 'failed', t`The work unit failed too often.`)],
  [
    'FAILED',
    appearance(
      t`Failed`,
      'fail',
      'failed',
      t`The work unit could not be computed, or the server did not accept its results.`,
    ),
  ],
  ['REJECTED', appearance(t`Rejected`, 'fail', 'failed', t`The server rejected the results.`)],
  [
    UNREPORTED.toUpperCase(),
    appearance(t`Ended`, 'unknown', 'unknown', t`It has ended; clients before 8.4.5 do not report how.`),
  ],
  ['CREDITED', appearance(t`Credited`, 'done', 'done', t`The results were accepted and credited.`)],
  ['ASSIGN_WAIT', waitLook(t`Assign Wait`)],
  ['DOWNLOAD_WAIT', waitLook(t`Download Wait`)],
  ['CORE_WAIT', waitLook(t`Core Wait`)],
  ['RUN_WAIT', waitLook(t`Run Wait`)],
  ['UPLOAD_WAIT', waitLook(t`Upload Wait`)],
  ['DUMP_WAIT', waitLook(t`Dump Wait`)],
])

/** The width of the longest name of a state, in `ch`. */
export const STATUS_WIDTH = Math.max(...[...LOOKS.values()].map(({ label }) => textWidth(label) + 1))

const NO_STATE = appearance(UNKNOWN, 'unknown', 'unknown', t`The machine does not report the state of this work unit.`)

function unknownLook(key: string): StateAppearance {
  return key === ''
    ? NO_STATE
    : { ...appearance(key, 'unknown', 'unknown', t`This dashboard does not know this state.`), lang: FOREIGN_LANGUAGE }
}

// Results are in lower case ('credited'), states in upper case; an unknown key stays unchanged.
function knownKey(word: string): string {
  return LOOKS.has(word.toUpperCase()) ? word.toUpperCase() : word
}

function elapsedShare(unit: Unit, at: number): number | undefined {
  const until = parseTime(unit.wait)
  const delay = positive(unit.delay)
  if (until === undefined || delay === undefined) return undefined
  return delay === 0 ? 1 : clampShare(1 - (until - at) / 1000 / delay)
}
