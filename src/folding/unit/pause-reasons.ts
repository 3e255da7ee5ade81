import { t } from '@lingui/core/macro'
import type { GroupSettingKey } from '../../protocol/client/settings-table.ts'

/** The texts in which clients report why a unit is paused (docs/protocol.md §6). */
export type PauseReason =
  | 'Paused'
  | 'Waiting for idle system'
  | 'Pausing on battery'
  | 'Waiting for GPU detection'
  | 'Resources not available'
  | 'Shutting down'

/** Why it is paused; `help`: what would let it go on, where a person can do something; `unsent`: the same for results. */
type PauseText = {
  readonly reason: string
  readonly help?: string
  readonly unsent: string
  /** The setting of its group that decides. */
  readonly setting?: GroupSettingKey
}

const PAUSE_TEXTS: Readonly<Record<PauseReason, PauseText>> = {
  Paused: {
    reason: t`Paused. Press Fold to resume.`,
    unsent: t`Finished, but results are not sent while their group is paused. Press Fold to send them.`,
  },
  'Waiting for idle system': {
    reason: t`Waiting until the computer is idle: its group folds only then.`,
    unsent: t`Finished, but its group sends results only while the computer is idle. Change that in the machine’s settings, or leave the computer alone for a while.`,
    setting: 'on_idle',
  },
  'Pausing on battery': {
    reason: t`The computer runs on battery, and its group does not fold on battery.`,
    unsent: t`Finished, but its group sends no results on battery. Plug the computer in.`,
    setting: 'on_battery',
  },
  'Waiting for GPU detection': {
    reason: t`The machine is still detecting its GPUs.`,
    unsent: t`Finished; the results are sent after the machine has detected its GPUs.`,
    setting: 'gpus',
  },
  'Resources not available': {
    reason: t`The CPUs or GPUs it needs are disabled in its group, not usable, or used by other work units of the group.`,
    help: t`Check the CPUs and GPUs of the group in the machine’s settings.`,
    unsent: t`Finished, but held back: the CPUs or GPUs of its group are disabled or not usable. Check them in the machine’s settings.`,
    setting: 'cpus',
  },
  'Shutting down': {
    reason: t`The folding client is shutting down.`,
    unsent: t`Finished; the folding client is shutting down, and sends the results after its next start.`,
  },
}

const BY_REASON: ReadonlyMap<string, PauseText> = new Map(Object.entries(PAUSE_TEXTS))

/** An explanation of a client's pause reason; an unknown one is returned unchanged. */
export function pauseReasonText(reason: string): string {
  return BY_REASON.get(reason)?.reason ?? reason
}

/** What would end the pause, where the reason does not say it. */
export function pauseHelp(reason: string): string | undefined {
  return BY_REASON.get(reason)?.help
}

/** The setting of its group that decides, by its key; undefined without one. */
export function pauseSetting(reason: string): string | undefined {
  return BY_REASON.get(reason)?.setting
}

/** Why finished results are not sent, and what would help. */
export function unsentText(reason: string): string {
  return BY_REASON.get(reason)?.unsent ?? t`Finished, but the results are held back: ${reason}`
}
