export type PlayerCommand =
  | { readonly type: 'player.play' }
  | { readonly type: 'player.pause' }
  /** To a moment, in epoch milliseconds. */
  | { readonly type: 'player.seek'; readonly at: number }
  /** To the next event that is more than the passing of time, or the one before. */
  | { readonly type: 'player.step'; readonly direction: 1 | -1 }
  | { readonly type: 'player.nextFault' }
  /** So many times as fast as it was. */
  | { readonly type: 'player.setSpeed'; readonly speed: number }

/** What the projector, which shows the recording, reports. */
export type PlayerFact =
  /** So many events have happened; `at` is the time of the last one. */
  | { readonly type: 'player.reached'; readonly position: number; readonly at: number }
  | { readonly type: 'player.ended' }
  /** Somebody pressed something that would have changed a machine. */
  | { readonly type: 'player.ignored' }

export type PlayerEvent = PlayerCommand | PlayerFact

export type ProjectorCommand =
  | { readonly type: 'projector.go'; readonly position: number }
  | { readonly type: 'projector.play'; readonly speed: number }
  | { readonly type: 'projector.pause' }

/** What there is to see of a recording before it is shown. */
export type Timeline = {
  /** Of each event, in epoch milliseconds, in order. */
  readonly times: readonly number[]
  /** When it begins. */
  readonly from: number
  /** Positions right after an event that is more than the passing of time. */
  readonly steps: readonly number[]
  /** Positions right after something went wrong. */
  readonly faults: readonly number[]
  /** False when another version recorded it. */
  readonly isExact: boolean
}
