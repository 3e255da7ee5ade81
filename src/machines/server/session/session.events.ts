import type { FoldingState } from '../../../protocol/client/commands.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer, SessionAnswer } from '../../../folding/schedule/server-answers.ts'

/** What the page asks its server to do. `machine`: its number in the server's settings, from 1. */
export type ServerTask =
  | {
      readonly kind: 'override'
      readonly machine: number
      readonly group: string | undefined
      readonly state: FoldingState
      /** Undefined: until the next boundary. */
      readonly minutes: number | undefined
    }
  | { readonly kind: 'follow'; readonly machine: number; readonly group: string | undefined }
  | { readonly kind: 'save'; readonly revision: string; readonly schedules: readonly Schedule[] }
  /** Removes the value and the prices that programs sent under a name. */
  | { readonly kind: 'removeInput'; readonly name: string }
  /** Forgets what was learned of a meter: its counter, and the most watts that it has shown. */
  | { readonly kind: 'resetMeter'; readonly name: string }
  | { readonly kind: 'signOut' }

/** What is known of the server. */
export type ServerAnswer =
  | { readonly kind: 'known'; readonly session: SessionAnswer; readonly schedules: SchedulesAnswer }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'unreachable' }

/** `conflict`: the schedules were changed meanwhile. */
export type TaskResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Reported by the server's events. */
export type ServerFact =
  /** Schedules, what they decide, tags or views changed. */
  | { readonly type: 'server.changed' }
  /** They ended: the session may be over, or the server away. */
  | { readonly type: 'server.eventsLost' }

export type SessionEvent =
  | ServerFact
  /** A server of Foldboard serves this page. */
  | { readonly type: 'session.begin' }
  /** Ask the server now. */
  | { readonly type: 'session.check' }
  | { readonly type: 'session.do'; readonly task: ServerTask }
  /** The user read what went wrong. */
  | { readonly type: 'session.dismiss' }
