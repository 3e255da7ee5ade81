/* What happened, in words: the causes of incidents, from the values that a rule found. */
import { plural, t } from '@lingui/core/macro'
import { groupTitle } from '../machine/group.ts'
import { formatInterval, formatLocalShort } from '../shared/times.ts'
import type { Condition, Evidence } from './incident.ts'

/** The title of the group that it is about. */
export const groupOf = ({ group = '' }: Evidence): string => groupTitle(group)

/** 'WU12 (project 18420)'. */
export const unitOf = ({ unit, project }: Evidence): string => {
  const name = unit === undefined ? t`A work unit` : `WU${unit}`
  return project === undefined ? name : t`${name} (project ${project})`
}

/** 'RTX 4090 (gpu:01:00:00)'. */
export const gpuOf = ({ gpu = '', name }: Evidence): string => (name === undefined ? gpu : `${name} (${gpu})`)

/** That a unit missed its timeout or deadline, or will. `what`: which of them; `loss`: what it costs. */
export const lateText = (what: string, { evidence }: Condition, loss: string): string => {
  const { limitAt, isPast } = evidence
  const at = formatLocalShort(limitAt)
  const unit = unitOf(evidence)
  return isPast === true
    ? t`${unit} missed its ${what} at ${at}. ${loss}`
    : t`${unit} will miss its ${what} at ${at}. ${loss}`
}

/** What a group or unit waits for, with the server’s last answer. */
export const waitText = ({ evidence }: Condition): string => {
  const { reason = '', answer } = evidence
  const group = groupOf(evidence)
  const unit = unitOf(evidence)
  const texts: Readonly<Record<string, string>> = {
    ASSIGN: t`Group “${group}” gets no work.`,
    DOWNLOAD: t`${unit} cannot be downloaded.`,
    CORE: t`The core of ${unit} cannot be downloaded.`,
    UPLOAD: t`The results of ${unit} cannot be sent.`,
    DUMP: t`The dump of ${unit} cannot be reported.`,
  }
  const text = texts[reason] ?? t`Group “${group}” waits.`
  return answer === undefined ? text : t`${text} The server’s last answer: ${answer}`
}

/** Which stored value cannot be used, and what the client uses instead. */
export const nonsenseText = ({ evidence }: Condition): string => {
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
      return t`The groups have ${stored} CPUs together; the machine has ${used}, so some units wait for others.`
  }
}

/** Which setting has no effect, and why. */
export const ineffectiveText = ({ evidence }: Condition): string => {
  const { reason, stored = '', used = '' } = evidence
  const group = groupOf(evidence)
  const gpu = gpuOf(evidence)
  switch (reason) {
    case 'gpu-unsupported':
      return t`Group “${group}” uses ${gpu}, which Folding@home does not support.`
    case 'gpu-driver':
      return t`Group “${group}” uses ${gpu}, but no usable driver (CUDA, HIP or OpenCL) was found for it.`
    case 'gpu-twice':
      return t`Several groups use ${gpu}: only one of them can run at a time.`
    case 'nothing-enabled':
      return t`The machine is set to fold, but no CPUs and no GPUs are enabled.`
    case 'account-user':
      return t`The machine folds as “${stored}”, but your account’s name “${used}” replaces it at the next connect.`
    default:
      return t`The machine folds for team ${stored}, but your account’s team ${used} replaces it at the next connect.`
  }
}

/** By how much the machine’s clock is wrong. */
export const clockText = ({ evidence: { seconds = 0 } }: Condition): string => {
  const difference = formatInterval(Math.abs(seconds))
  return seconds > 0 ? t`The machine’s clock is ${difference} ahead.` : t`The machine’s clock is ${difference} behind.`
}
