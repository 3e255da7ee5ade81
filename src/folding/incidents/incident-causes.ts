/* What happened, in words: the causes of incidents, from the values that a rule found. */
import { plural, t } from '@lingui/core/macro'
import { unsupportedText } from '../client/gpu-driver.ts'
import { groupTitle } from '../client/group.ts'
import type { Excess } from '../client/client-excess.ts'
import { formatInterval, formatLocalShort, formatRelative } from '../text/times.ts'
import { plainAnswer } from '../unit/known-answers.ts'
import { UNUSABLE_CORE } from '../unit/unit-meaning.ts'
import { unsentText } from '../unit/pause-reasons.ts'
import { endsText } from './failures.ts'
import type { Condition, Evidence } from './incident.ts'

/** The title of the group that it is about. */
export function groupOf({ group = '', title }: Evidence): string {
  return title ?? groupTitle(group)
}

/** 'WU12 (project 18420)'. */
export function unitOf({ unit, project }: Evidence): string {
  const name = unit === undefined ? t`A work unit` : `WU${unit}`
  return project === undefined ? name : t`${name} (project ${project})`
}

/** 'RTX 4090 (gpu:01:00:00)'. */
export function gpuOf({ gpu = '', name }: Evidence): string {
  return name === undefined ? gpu : `${name} (${gpu})`
}

/** That a unit missed its timeout or deadline, or will. `what`: which of them; `loss`: what it costs. */
export function lateText(what: string, { evidence }: Condition, loss: string): string {
  const { limitAt, isPast } = evidence
  const at = formatLocalShort(limitAt)
  const unit = unitOf(evidence)
  return isPast === true
    ? t`${unit} missed its ${what} at ${at}. ${loss}`
    : t`${unit} will miss its ${what} at ${at}. ${loss}`
}

/** Of what a client sent too much. */
export function excessText({ evidence: { reason } }: Condition): string {
  switch (reason as Excess | undefined) {
    case 'bytes':
      return t`The machine sent too much in too short a time.`
    case 'messages':
      return t`The machine sent too many messages.`
    case 'state':
    case 'values':
    case 'keys':
    case 'list':
      return t`What the machine says about itself is larger than that of any client.`
    case 'groups':
      return t`The machine has more resource groups than any client.`
    case 'units':
      return t`The machine has more work units than any client.`
    case 'additions':
      return t`The machine reported new resource groups and work units without end.`
    case 'text':
      return t`The machine sent a text that is longer than any client’s.`
    case 'log':
      return t`The machine wrote too much to its log.`
    case 'history':
      return t`The machine reported too many work units that ended.`
    case 'processor':
      return t`What the machine sent took the server too much time.`
    case undefined:
      return t`The machine sent more than a client does.`
  }
}

/** What of a unit stands still, and for how long. */
export function stalledText({ evidence, since }: Condition, now: number): string {
  const unit = unitOf(evidence)
  const still = formatInterval((now - since) / 1000)
  if (evidence.reason === 'DOWNLOAD')
    return t`The download of ${unit} has stood still for ${still}, and no error was reported.`
  if (evidence.reason === 'CORE')
    return t`The download of the core for ${unit} has stood still for ${still}, and no error was reported.`
  if (evidence.reason === 'starting') return t`The core of ${unit} has not started for ${still}.`
  return evidence.usualSeconds === undefined
    ? t`${unit} runs, but made no progress for ${still}.`
    : t`${unit} runs, but made no progress for ${still}; a frame usually takes ${formatInterval(evidence.usualSeconds)}.`
}

/** What a group or unit waits for, with the server’s last answer. */
export function waitText({ evidence }: Condition): string {
  const { reason = '', answer } = evidence
  const group = groupOf(evidence)
  const unit = unitOf(evidence)
  const texts: Readonly<Record<string, string>> = {
    ASSIGN: t`Group “${group}” gets no work.`,
    DOWNLOAD: t`${unit} cannot be downloaded.`,
    CORE: t`The core of ${unit} cannot be downloaded.`,
    DUMP: t`The dump of ${unit} cannot be reported.`,
    unusable: `${unit}: ${UNUSABLE_CORE}`,
  }
  const text = texts[reason] ?? t`Group “${group}” waits.`
  if (reason === 'unusable') return text
  return answer === undefined ? text : t`${text} The server’s last answer: ${plainAnswer(answer)}`
}

/** Which stored value cannot be used, and what the client uses instead. */
export function nonsenseText({ evidence }: Condition): string {
  const { reason, stored = '', used = '', count = 0 } = evidence
  const group = groupOf(evidence)
  switch (reason) {
    case 'passkey-length':
      return t`The passkey has ${plural(count, { one: '# character', other: '# characters' })} instead of 32: there are no bonus points.`
    case 'passkey-letters':
      return t`The passkey contains characters other than 0–9 and a–f: there are no bonus points.`
    case 'team':
      return used === stored
        ? t`The stored team is ${stored}, which does not exist.`
        : t`The stored team is ${stored}; the client folds for team ${used}.`
    case 'cpus-negative':
      return t`Group “${group}” has ${stored} CPUs: it gets no work, without a message.`
    case 'cpus-many':
      return t`Group “${group}” has ${stored} CPUs; the machine has ${used}, and the client uses at most that many.`
    case 'cpus-part':
      return t`Group “${group}” has ${stored} CPUs; the client uses ${used}.`
    default:
      return t`Group “${group}” has ${stored} CPUs; the client uses ${used}.`
  }
}

/** What several groups use at once. */
export function sharedText({ evidence }: Condition): string {
  const { reason, stored = '', used = '' } = evidence
  return reason === 'gpu'
    ? t`Several groups (${stored}) use ${gpuOf(evidence)}: their work units run at once and slow each other.`
    : t`The groups have ${stored} CPUs together and the machine has ${used}: their work units run at once and slow each other.`
}

/** That results are not sent, why, and what is at stake. */
export function unsentResultText({ evidence }: Condition, now: number): string {
  const { reason, stored = '', answer, limitAt } = evidence
  const unit = unitOf(evidence)
  const what =
    reason === 'held'
      ? t`${unit}: ${unsentText(stored)}`
      : t`The results of ${unit} are finished, and sending them does not succeed.`
  const last = answer === undefined ? undefined : t`The server’s last answer: ${plainAnswer(answer)}.`
  const stake =
    limitAt === undefined
      ? undefined
      : t`Less is earned from ${formatLocalShort(limitAt)} on, ${formatRelative(limitAt, now)}.`
  return [what, last, stake].filter(part => part !== undefined).join(' ')
}

/** That the client stopped a group, and what it counted. */
export function stoppedText({ evidence }: Condition): string {
  const group = groupOf(evidence)
  const { count = 0 } = evidence
  const ended = endsText(evidence)
  if (ended !== undefined) return t`Group “${group}”: ${ended}`
  return evidence.reason === 'dumped'
    ? t`The client paused group “${group}”: it counts ${plural(count, { one: '# dumped work unit', other: '# dumped work units' })} as failed.`
    : t`Group “${group}”: ${evidence.answer ?? ''}`
}

/** Until when a GPU folded. */
export function driverText({ evidence, since }: Condition): string {
  const gpu = gpuOf(evidence)
  if (evidence.reason === 'unit')
    return t`${gpu} has a work unit that it began, but its driver (CUDA, HIP or OpenCL) is not found any more.`
  return t`${gpu} folded until ${formatLocalShort(since)}. It is still in the computer, but its driver (CUDA, HIP or OpenCL) is not found any more.`
}

/** Which setting has no effect, and why. */
export function ineffectiveText({ evidence }: Condition): string {
  const { reason, stored = '', used = '' } = evidence
  const group = groupOf(evidence)
  const gpu = gpuOf(evidence)
  switch (reason) {
    case 'gpu-unsupported':
      return unsupportedText(group, gpu)
    case 'gpu-driver':
      return t`Group “${group}” uses ${gpu}, for which the client finds no driver (CUDA, HIP or OpenCL), or which the project does not support.`
    case 'gpu-absent':
      return t`Group “${group}” uses ${gpu}, which the computer does not have.`
    case 'nothing-enabled':
      return t`The machine is set to fold, but no CPUs and no GPUs are enabled.`
    case 'account-user':
      return t`The machine folds as “${stored}”, but your account’s name “${used}” replaces it at the next connect.`
    default:
      return t`The machine folds for team ${stored}, but your account’s team ${used} replaces it at the next connect.`
  }
}

/** By how much the client’s clock is wrong. */
export function clockText({ evidence: { seconds = 0, reason } }: Condition): string {
  const difference = formatInterval(Math.abs(seconds))
  if (reason === 'least')
    return t`The machine’s clock is at least ${difference} ahead: what it did last lies in the future.`
  return seconds > 0 ? t`The machine’s clock is ${difference} ahead.` : t`The machine’s clock is ${difference} behind.`
}
