export type PlayerCommand =
  | { readonly type: 'player.play' }
  | { readonly type: 'player.pause' }
  /** Go to a time, in epoch milliseconds. */
  | { readonly type: 'player.seek'; readonly at: number }
  /** Go to the next or previous event that is not a clock tick. */
  | { readonly type: 'player.step'; readonly direction: 1 | -1 }
  | { readonly type: 'player.nextFault' }
  /** Playback speed; 1 is real time. */
  | { readonly type: 'player.setSpeed'; readonly speed: number }

/** Reported by the projector, which replays the recording. */
export type PlayerFact =
  /** `position`: number of events replayed; `at`: time of the last one. */
  | { readonly type: 'player.reached'; readonly position: number; readonly at: number }
  | { readonly type: 'player.ended' }
  /** The user pressed a control that has no effect in a recording. */
  | { readonly type: 'player.ignored' }

export type PlayerEvent = PlayerCommand | PlayerFact

export type ProjectorCommand =
  | { readonly type: 'projector.go'; readonly position: number }
  | { readonly type: 'projector.play'; readonly speed: number }
  | { readonly type: 'projector.pause' }

/** Overview of a recording. */
export type Timeline = {
  /** Time of each event, in epoch milliseconds, in order. */
  readonly times: readonly number[]
  /** Start time. */
  readonly from: number
  /** Positions right after events that are not clock ticks. */
  readonly steps: readonly number[]
  /** Positions right after faults. */
  readonly faults: readonly number[]
  /** What somebody pointed at in it. `at`: epoch milliseconds. */
  readonly mark?: { readonly at: number; readonly text: string }
  /** False when another version recorded it. */
  readonly isExact: boolean
}
