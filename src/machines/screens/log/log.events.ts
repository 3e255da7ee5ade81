import type { LineNumbers } from '../../../folding/log/line-numbers.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import type { LogQuery, Marks } from '../../../folding/log/log-search.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'

/** The line at the upper edge of what is seen, and how many pixels of it are above that edge; below zero: how far beneath. */
export type Place = { readonly number: number; readonly offset: number }

/** What is seen, as the screen measured it. */
export type Sight = {
  readonly place: Place
  /** The number of the last line that is seen as a whole. */
  readonly to: number
  /** Pixels. */
  readonly height: number
  /** How far down in the whole, 0 to 1. */
  readonly share: number
  readonly isAtEnd: boolean
}

export type LogCommand =
  /** It may be opened soon. `isSure`: not only if the hand stays that has come to what opens it. */
  | { readonly type: 'log.expect'; readonly client: ClientRef; readonly isSure: boolean }
  /** The hand has left that again. */
  | { readonly type: 'log.turnAway' }
  /** `text`: what to search for at first. */
  | { readonly type: 'log.open'; readonly client: ClientRef; readonly text: string }
  | { readonly type: 'log.close' }
  | { readonly type: 'log.type'; readonly text: string }
  | { readonly type: 'log.filter'; readonly errors?: boolean; readonly warnings?: boolean }
  | { readonly type: 'log.reset' }
  /** Searching is near: get ready. */
  | { readonly type: 'log.prepare' }
  /** The reader has scrolled. */
  | { readonly type: 'log.scroll'; readonly sight: Sight }
  /** It was drawn anew, without the reader's doing. */
  | { readonly type: 'log.see'; readonly sight: Sight }
  | { readonly type: 'log.goToStart' }
  | { readonly type: 'log.goToEnd' }
  | { readonly type: 'log.next' }
  | { readonly type: 'log.previous' }
  | { readonly type: 'log.choose'; readonly number: number }
  /** Between all lines with the chosen one among them, and those alone that were found. */
  | { readonly type: 'log.showContext' }
  | { readonly type: 'log.showFound' }

/** What the client's log tells of itself. The lines themselves stay where they are. */
export type LogFact = {
  readonly type: 'log.changed'
  readonly first: number
  readonly end: number
  /** Whether the client has said its log at all. */
  readonly isKnown: boolean
  /** When the newest line came, in epoch milliseconds. */
  readonly at: number
}

export type SearchCommand =
  | { readonly type: 'search.prepare' }
  | { readonly type: 'search.find'; readonly id: number; readonly query: LogQuery }
  /** The same, but whatever is being searched for is given up at once, even in the middle of a line. */
  | { readonly type: 'search.findAnew'; readonly id: number; readonly query: LogQuery }
  /** There are new lines: they alone are tested. */
  | { readonly type: 'search.grow' }
  /** Where in these lines is it? */
  | { readonly type: 'search.mark'; readonly id: number; readonly numbers: LineNumbers }
  | { readonly type: 'search.stop' }

/** What a search reports; `id` says to which question it belongs. `end`: one after the last line that was tested. */
export type SearchFact =
  | { readonly type: 'search.begun'; readonly id: number }
  | { readonly type: 'search.found'; readonly id: number; readonly numbers: LineNumbers; readonly end: number }
  | { readonly type: 'search.grew'; readonly id: number; readonly numbers: LineNumbers; readonly end: number }
  | {
      readonly type: 'search.marked'
      readonly id: number
      readonly marks: readonly (readonly [number: number, marks: Marks])[]
    }
  /** Nothing can be searched for at present: what searches could not be loaded, or broke down. */
  | { readonly type: 'search.failed'; readonly fault: LoadFault }

export type LogEvent = LogCommand | LogFact | SearchFact
