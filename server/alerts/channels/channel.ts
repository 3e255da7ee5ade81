import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import type { Message } from '../message.ts'

export type Channel = {
  /** Resolves within half a minute, and never rejects. `unknown` when the message may have been taken. */
  readonly send: (message: Message) => Promise<Attempt>
  /** Whether a receiver tells a repeated message by its id, so that one whose attempt was cut off may be sent again. */
  readonly isRepeatable: boolean
  readonly stop: () => void
}

/** Longest time of a whole attempt, from the connection to the last byte of the answer. Milliseconds. */
export const ATTEMPT_MS = 20_000

/** As long as `most` characters, the rest replaced by an ellipsis. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
