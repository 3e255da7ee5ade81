/*
 * How a state looks: its shape, its word and its colour, in that order. Names only: which drawing and which
 * colour they stand for is the screen's matter.
 */

/** A semantic colour: one design token each, in both themes. */
export type Tone = 'running' | 'finishing' | 'waiting' | 'paused' | 'transfer' | 'failed' | 'done' | 'unknown'

/** A shape of its own for each kind of state, so that colour is never alone. */
export type IconName =
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

export type Look = {
  /** What it is called on the screen. */
  readonly word: string
  readonly icon: IconName
  readonly tone: Tone
  /** One plain sentence about what it means. */
  readonly hint: string
}
