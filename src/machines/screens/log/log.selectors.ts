import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import { patternError } from '../../../folding/log/log-search.ts'
import {
  allShown,
  shownFoundLines,
  includesLine,
  lowerBound,
  type ShownLines,
} from '../../../folding/log/line-numbers.ts'
import type { LogContext } from './log.context.ts'
import type { ScrollPosition } from './log.events.ts'
import type { LogSnapshot } from './log.machine.ts'
import { isSameList } from '../../../folding/shared/equal.ts'

export const isLogOpen = (snapshot: LogSnapshot): boolean => snapshot.hasTag('present')
/** Whether the pointer is on a control that opens the log. */
export const hasHoverIntent = (snapshot: LogSnapshot): boolean => snapshot.hasTag('hoverIntent')
/** Whether the client has not sent its log, or only the end of a long one is there. */
export const isLogLoading = (snapshot: LogSnapshot): boolean => snapshot.hasTag('loading')
/** Whether the view follows the end. */
export const isFollowing = (snapshot: LogSnapshot): boolean => snapshot.hasTag('following')
export const isSearching = (snapshot: LogSnapshot): boolean => snapshot.hasTag('searching')
/** Whether new lines are no longer searched. */
export const isSearchStopped = (snapshot: LogSnapshot): boolean => snapshot.hasTag('stopped')
/** Why searching is not possible, regardless of the pattern. */
export const selectSearchFault = ({ context }: LogSnapshot): LoadFault | undefined => context.searchFault
export const isPatternSlow = ({ context }: LogSnapshot): boolean => context.isSlow

export const selectText = ({ context }: LogSnapshot): string => context.text
/** The text for the address. */
export const selectAddressText = ({ context }: LogSnapshot): string => context.addressText
export const wantsErrors = ({ context }: LogSnapshot): boolean => context.errors
export const wantsWarnings = ({ context }: LogSnapshot): boolean => context.warnings
/** Whether a reset would change anything. */
export const canReset = ({ context: { text, errors, warnings } }: LogSnapshot): boolean =>
  text !== '' || errors || warnings
/** Why the text is not a valid regular expression. */
export const selectPatternFault = ({ context }: LogSnapshot): string | undefined => patternError(context.settledText)

/** Whether only matches are shown. */
export const isFiltered = ({ context }: LogSnapshot): boolean => context.found !== undefined && !context.showsContext
export const showsContext = ({ context }: LogSnapshot): boolean => context.showsContext
/** Number of matches among the stored lines; undefined without a search. */
export const selectFoundCount = ({ context: { found, first } }: LogSnapshot): number | undefined =>
  found === undefined ? undefined : found.length - lowerBound(found, first)

/** Position of the selected line among the matches, from 1. */
export const selectMatchNumber = ({ context: { found, first, selected } }: LogSnapshot): number | undefined =>
  found === undefined || selected === undefined || !includesLine(found, selected)
    ? undefined
    : lowerBound(found, selected) - lowerBound(found, first) + 1

/** The line that was found by the time in the address, and how. */
export const selectLocated = ({ context }: LogSnapshot): LogContext['located'] => context.located
export const selectSelectedLine = ({ context }: LogSnapshot): number | undefined => context.selected
export const selectLineCount = ({ context: { first, end } }: LogSnapshot): number => end - first
/** When the newest line arrived, in epoch milliseconds. */
export const selectLastReceivedAt = ({ context }: LogSnapshot): number => context.heardAt

/** The scroll position; undefined at the end. Another object than the sight's place when the view must scroll to it. */
export const selectScrollPosition = (snapshot: LogSnapshot): ScrollPosition | undefined =>
  isFollowing(snapshot) ? undefined : snapshot.context.place

/** Scroll position in whole percent. */
export const selectPercent = (snapshot: LogSnapshot): number =>
  isFollowing(snapshot) ? 100 : Math.floor(Math.min(1, Math.max(0, snapshot.context.sight?.share ?? 0)) * 100)

/** Number of shown lines that arrived after the user scrolled away from the end. */
export const selectNewLines = (snapshot: LogSnapshot): number => {
  const { seenEnd, end } = snapshot.context
  if (isFollowing(snapshot)) return 0
  const shown = selectShown(snapshot)
  return shown.placeOf(end) - shown.placeOf(seenEnd)
}

export const selectMarks = ({ context }: LogSnapshot): LogContext['marks'] => context.marks

let last: { readonly key: readonly unknown[]; readonly shown: ShownLines } | undefined

/** The shown lines. The same object while they are the same lines. */
export const selectShown = ({ context: { found, first, end, showsContext: inContext } }: LogSnapshot): ShownLines => {
  const key = [found, first, end, inContext]
  if (last !== undefined && isSameList(last.key, key)) return last.shown
  const shown = found === undefined || inContext ? allShown(first, end) : shownFoundLines(found, first)
  last = { key, shown }
  return shown
}

/** What was last reported as visible. */
export const selectVisibleRange = ({ context }: LogSnapshot): LogContext['sight'] => context.sight
