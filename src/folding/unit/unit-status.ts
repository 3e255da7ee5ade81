/*
 * What a unit does, in the words of docs/product.md §4: which state is shown, how it looks, how far it is, and why it
 * stands still when it does.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client-data.ts'
import { clampShare, UNKNOWN } from '../shared/format.ts'
import type { Look } from '../shared/appearance.ts'
import { positive, text } from '../shared/read.ts'
import { parseTime } from '../shared/times.ts'
import { hasEnded, isPaused, waitEnd, workShare } from './unit-progress.ts'

/**
 * The state to show, as a key for `statusLook`, by docs/product.md §4's priority: waiting (`RUN_WAIT` …), finishing
 * (`FINISH`: running in a group that is set to finish), paused (`PAUSE`), the result, the state. A unit that has
 * ended shows its result whatever it kept of its last pause. A state nobody knows is given back as it came;
 * '' when there is none.
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

/** How a state looks. The same key gives the same object, except for unknown keys. */
export const statusLook = (key: string): Look => LOOKS.get(key) ?? unknownLook(key)

/** What kind of progress is shown: of the work, of a transfer, or of a wait. */
export type ProgressKind = 'work' | 'transfer' | 'wait'

/** Which progress counts for the unit at this moment. */
export const progressKind = (unit: Unit, now: number): ProgressKind => {
  if (hasEnded(unit)) return 'work'
  if (waitEnd(unit, now) !== undefined && positive(unit.delay) !== undefined) return 'wait'
  if (unit.state === 'DOWNLOAD' || unit.state === 'UPLOAD') return 'transfer'
  return unit.state === 'CORE' && unit.wu_progress === undefined ? 'transfer' : 'work'
}

/**
 * The share to show, 0..1: of the delay that is over while waiting, of the transfer in DOWNLOAD, UPLOAD and a
 * fresh CORE, else of the work. Undefined when it is not known.
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
 * Why the unit stands still, in plain words: what stops it, what the server said, how it ended. Without the time
 * that is left of a wait, which `waitEnd` tells. Undefined while there is nothing to explain.
 */
export const unitReason = (unit: Unit, now: number): string | undefined => {
  const error = text(unit.error)
  const said = error === undefined ? '' : t` The last answer was: ${error}`
  if (hasEnded(unit)) return statusLook(knownKey(text(unit.result) ?? '')).hint
  if (waitEnd(unit, now) !== undefined) return `${waitWords(unit)}${said}`
  const reason = text(unit.pause_reason)
  if (reason !== undefined) return PAUSE_WORDS.get(reason) ?? reason
  return error === undefined ? undefined : said.trim()
}

/** The reasons of a pause that clients give (docs/protocol.md §6), in plain words. */
export const pauseWords = (reason: string): string => PAUSE_WORDS.get(reason) ?? reason

const WAITING_STATES: ReadonlySet<string> = new Set(['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'])

const PAUSE_WORDS: ReadonlyMap<string, string> = new Map([
  [t`Paused`, t`Paused. It goes on when its machine or group is told to fold.`],
  [t`Waiting for idle system`, t`Its group folds only while the computer is idle, and somebody is using it.`],
  [t`Pausing on battery`, t`The computer runs on battery, and its group does not fold on battery.`],
  [t`Waiting for GPU detection`, t`The machine is still finding out which GPUs it has.`],
  [t`Resources not available`, t`The CPUs or GPUs it needs are not enabled in its group, or are taken by other units.`],
  [t`Shutting down`, t`The folding programme is shutting down.`],
])

const WAIT_WORDS: Readonly<Record<string, string>> = {
  ASSIGN: t`No work could be had; the machine waits before it asks again.`,
  DOWNLOAD: t`The download failed; the machine waits before it tries again.`,
  CORE: t`The core programme could not be had; the machine waits before it tries again.`,
  RUN: t`The core stopped; the machine waits before it starts it again.`,
  UPLOAD: t`The results could not be sent; the machine waits before it tries again.`,
  DUMP: t`The dump could not be reported; the machine waits before it tries again.`,
}

const look = (word: string, icon: Look['icon'], tone: Look['tone'], hint: string): Look =>
  Object.freeze({ word, icon, tone, hint })

const waitLook = (word: string): Look =>
  look(word, 'wait', 'waiting', t`It waits for a while and then tries again by itself.`)

const LOOKS: ReadonlyMap<string, Look> = new Map([
  ['ASSIGN', look(t`Assigning`, 'assign', 'transfer', t`The machine is asking for work.`)],
  ['DOWNLOAD', look(t`Downloading`, 'download', 'transfer', t`The work is being fetched.`)],
  ['CORE', look(t`Core`, 'core', 'transfer', t`The programme that computes the work is being made ready.`)],
  ['RUN', look(t`Running`, 'run', 'running', t`The work is being computed.`)],
  [
    'FINISH',
    look(t`Finishing`, 'finish', 'finishing', t`The work is being computed; no new work will be fetched after it.`),
  ],
  ['UPLOAD', look(t`Uploading`, 'upload', 'transfer', t`The results are being sent.`)],
  ['CLEAN', look(t`Ended`, 'done', 'done', t`The unit is over and is being cleared away.`)],
  ['DONE', look(t`Done`, 'done', 'done', t`The unit is over.`)],
  ['WAIT', waitLook(t`Waiting`)],
  ['PAUSE', look(t`Paused`, 'pause', 'paused', t`Nothing is computed until it goes on.`)],
  ['DUMP', look(t`Dumping`, 'dump', 'failed', t`The unit is being given back; it earns nothing.`)],
  ['DUMPED', look(t`Dumped`, 'dump', 'failed', t`The unit was given back and earned nothing.`)],
  ['EXPIRED', look(t`Expired`, 'fail', 'failed', t`The unit was not done before its deadline.`)],
  ['ABORTED', look(t`Aborted`, 'dump', 'unknown', t`The machine dropped the unit; it earned nothing.`)],
  ['MISSING', look(t`Missing Data`, 'fail', 'failed', t`The unit’s files were lost on the machine.`)],
  ['RETRIES', look(t`Max Retries`, 'fail', 'failed', t`The unit failed too often and was given up.`)],
  ['FAILED', look(t`Failed`, 'fail', 'failed', t`The unit could not be computed.`)],
  ['REJECTED', look(t`Rejected`, 'fail', 'failed', t`The server did not accept the results.`)],
  ['CREDITED', look(t`Credited`, 'done', 'done', t`The results were accepted and credited.`)],
  ['ASSIGN_WAIT', waitLook(t`Assign Wait`)],
  ['DOWNLOAD_WAIT', waitLook(t`Download Wait`)],
  ['CORE_WAIT', waitLook(t`Core Wait`)],
  ['RUN_WAIT', waitLook(t`Run Wait`)],
  ['UPLOAD_WAIT', waitLook(t`Upload Wait`)],
  ['DUMP_WAIT', waitLook(t`Dump Wait`)],
])

const MISSING = look(UNKNOWN, 'unknown', 'unknown', t`The machine does not say what the unit does.`)

const unknownLook = (key: string): Look =>
  key === ''
    ? MISSING
    : look(key, 'unknown', 'unknown', t`This dashboard does not know this state; it is shown as the machine says it.`)

// Results come in lower case ('credited'), states in upper case; an unknown word stays as it is.
const knownKey = (word: string): string => (LOOKS.has(word.toUpperCase()) ? word.toUpperCase() : word)

const waitWords = (unit: Unit): string => WAIT_WORDS[text(unit.state) ?? ''] ?? t`The machine waits before it goes on.`

const elapsedShare = (unit: Unit, now: number): number | undefined => {
  const until = parseTime(unit.wait)
  const delay = positive(unit.delay)
  if (until === undefined || delay === undefined) return undefined
  return delay === 0 ? 1 : clampShare(1 - (until - now) / 1000 / delay)
}
