import type { AnyEventObject } from 'xstate'
import type { Checkpoint } from './checkpoint.ts'

/** An external event: from the user, a socket, a timer or a promise. */
export type RecordedEntry = {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  /** The address of the actor that received it. */
  readonly to: string
  readonly event: AnyEventObject
}

/** A moment that somebody pointed at, and why. `at`: epoch milliseconds. */
export type RecordingMark = { readonly at: number; readonly text: string }

/** A recording, from its first checkpoint on. */
export type Recording = {
  /** In order, at least one. The first precedes the first entry. */
  readonly checkpoints: readonly Checkpoint[]
  /** In order, numbered without gaps. */
  readonly entries: readonly RecordedEntry[]
  readonly mark?: RecordingMark
}

/** A recorded entry for an uncaught error. No actor receives it. */
export const CAUGHT_ERROR = 'error.caught'
