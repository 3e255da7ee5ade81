/*
 * The appearance of a state: icon, label and tone. These are names only; the UI maps them to drawings and colors.
 */

/** A semantic color: one design token each, in both themes. */
export type StateTone = 'running' | 'finishing' | 'waiting' | 'paused' | 'transfer' | 'failed' | 'done' | 'unknown'

/** Each kind of state has its own icon, so that color is never the only cue. */
export type StateIconName =
  | 'assign'
  | 'download'
  | 'core'
  | 'run'
  | 'finish'
  | 'upload'
  | 'wait'
  | 'pause'
  | 'dump'
  | 'fail'
  | 'done'
  | 'loading'
  | 'offline'
  | 'outdated'
  | 'unlinked'
  | 'empty'
  | 'warning'
  | 'unknown'

export type StateAppearance = {
  /** Its name on the screen. */
  readonly label: string
  /** The language of the name, when it is not that of the page. */
  readonly lang?: string
  readonly icon: StateIconName
  readonly tone: StateTone
  /** What it means, in one sentence. */
  readonly hint: string
}

export function appearance(
  label: string,
  icon: StateAppearance['icon'],
  tone: StateAppearance['tone'],
  hint: string,
): StateAppearance {
  return Object.freeze({ label, icon, tone, hint })
}
