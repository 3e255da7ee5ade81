import type { AnyEventObject } from 'xstate'
import type { Checkpoint } from './checkpoint.ts'

/** An event that entered the system from outside: from a person, a socket, a timer, a reply. */
export type Entry = {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  /** The address of the actor that received it. */
  readonly to: string
  readonly event: AnyEventObject
}

/** What was recorded, from its first checkpoint on. */
export type Recording = {
  /** In order; the first one is from before the first entry. There is always one. */
  readonly checkpoints: readonly Checkpoint[]
  /** In order, numbered without gaps. */
  readonly entries: readonly Entry[]
}

/** A mistake of the programme, which the journal notes beside the events. No actor receives it. */
export const MISTAKE = 'mistake.caught'
