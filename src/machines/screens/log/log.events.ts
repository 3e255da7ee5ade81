import type { LineNumbers } from '../../../folding/log/line-numbers.ts'
import type { LineFinding } from '../../../folding/log/log-days.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import type { LineMarks, LogQuery } from '../../../folding/log/log-search.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'

/** The line at the upper edge, and how many pixels of it are above the edge; negative when it starts below it. */
export type ScrollPosition = { readonly number: number; readonly offset: number }

/** The visible range, as measured by the screen. */
export type Viewport = {
  readonly place: ScrollPosition
  /** Number of the last line that is fully visible. */
  readonly to: number
  /** Pixels. */
  readonly height: number
  /** Scroll position in the whole log, 0 to 1. */
  readonly share: number
  readonly isAtEnd: boolean
}

export type LogCommand =
  /** It may be opened soon: prefetch it, at once when `isSure`, otherwise after the hover delay. */
  | { readonly type: 'log.prefetch'; readonly client: ClientRef; readonly isSure: boolean }
  /** The pointer left the control that opens the log. */
  | { readonly type: 'log.cancelPrefetch' }
  /** `text`: the initial search text. `at`: the time of the line to go to, epoch milliseconds. */
  | { readonly type: 'log.open'; readonly client: ClientRef; readonly text: string; readonly at?: number }
  | { readonly type: 'log.close' }
  | { readonly type: 'log.setText'; readonly text: string }
  | { readonly type: 'log.filter'; readonly errors?: boolean; readonly warnings?: boolean }
  | { readonly type: 'log.reset' }
  /** A search is likely: load the search worker. */
  | { readonly type: 'log.prepareSearch' }
  | { readonly type: 'log.scroll'; readonly viewport: Viewport }
  /** The visible range changed without the user scrolling. */
  | { readonly type: 'log.rendered'; readonly viewport: Viewport }
  | { readonly type: 'log.goToStart' }
  | { readonly type: 'log.goToEnd' }
  | { readonly type: 'log.next' }
  | { readonly type: 'log.previous' }
  | { readonly type: 'log.select'; readonly number: number }
  /** Switch between all lines around the selected one and the matches only. */
  | { readonly type: 'log.showContext' }
  | { readonly type: 'log.showFound' }

/** The client's log changed. The lines themselves are not part of the event. */
export type LogFact = {
  readonly type: 'log.changed'
  readonly first: number
  readonly end: number
  /** Whether the client has sent its log, and all of it is there: of a long one the end is there first. */
  readonly isWhole: boolean
  /** When the newest line arrived, in epoch milliseconds. */
  readonly at: number
}

/** What changed is in the context: for all that depends on it. */
type LogAssigned = { readonly type: 'log.assigned' }

/** The line that was asked for by its time; undefined when no line has a time. */
export type LocationFact = { readonly type: 'log.located'; readonly finding: LineFinding | undefined }

/** Sent to the actor that follows the client's log. `numbers`: the lines to choose from; undefined for all. */
export type LinesCommand = {
  readonly type: 'lines.locate'
  readonly at: number
  readonly numbers: LineNumbers | undefined
}

export type SearchCommand =
  | { readonly type: 'search.prepare' }
  /** `near`: the first visible line; undefined at the end of the log. */
  | { readonly type: 'search.find'; readonly id: number; readonly query: LogQuery; readonly near?: number }
  /** The same in a new worker: the running search is terminated at once. */
  | { readonly type: 'search.restart'; readonly id: number; readonly query: LogQuery; readonly near?: number }
  /** Search the new lines only. */
  | { readonly type: 'search.update' }
  /** Find the match positions in these lines. */
  | { readonly type: 'search.mark'; readonly id: number; readonly numbers: LineNumbers }
  | { readonly type: 'search.stop' }

/** Reported by the search. `id`: of the request. `end`: one after the last line tested. */
export type SearchFact =
  | { readonly type: 'search.started'; readonly id: number }
  | {
      readonly type: 'search.found'
      readonly id: number
      readonly numbers: LineNumbers
      readonly end: number
      /** Of the lines found around `near`, or of the newest ones: those that will be shown. */
      readonly marks: readonly LineMarks[]
    }
  | { readonly type: 'search.updated'; readonly id: number; readonly numbers: LineNumbers; readonly end: number }
  | {
      readonly type: 'search.marked'
      readonly id: number
      readonly marks: readonly LineMarks[]
    }
  /** Searching is not possible: the search worker could not be loaded, or crashed. */
  | { readonly type: 'search.failed'; readonly fault: LoadFault }

export type LogEvent = LogCommand | LogFact | LogAssigned | LocationFact | SearchFact
