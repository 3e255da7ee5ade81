import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import { patternFault } from '../../../folding/log/log-search.ts'
import { allShown, foundShown, includesLine, placeIn, type ShownLines } from '../../../folding/log/line-numbers.ts'
import type { LogContext } from './log.context.ts'
import type { Place } from './log.events.ts'
import type { LogSnapshot } from './log.machine.ts'

/** Its screen is there. */
export const isAttended = (snapshot: LogSnapshot): boolean => snapshot.hasTag('attended')
/** A hand is at what opens it. */
export const isNear = (snapshot: LogSnapshot): boolean => snapshot.hasTag('near')
/** The client has not said its log yet. */
export const isLogLoading = (snapshot: LogSnapshot): boolean => snapshot.hasTag('loading')
/** The end is in sight and stays there. */
export const isFollowing = (snapshot: LogSnapshot): boolean => snapshot.hasTag('following')
export const isSearching = (snapshot: LogSnapshot): boolean => snapshot.hasTag('searching')
/** New lines are not tested any more. */
export const isSearchStopped = (snapshot: LogSnapshot): boolean => snapshot.hasTag('stopped')
/** Why nothing can be searched for, whatever the pattern is. */
export const selectSearchFault = ({ context }: LogSnapshot): LoadFault | undefined => context.searchFault
export const isPatternSlow = ({ context }: LogSnapshot): boolean => context.isSlow

export const selectText = ({ context }: LogSnapshot): string => context.text
/** The text for the address. */
export const selectKeptText = ({ context }: LogSnapshot): string => context.kept
export const wantsErrors = ({ context }: LogSnapshot): boolean => context.errors
export const wantsWarnings = ({ context }: LogSnapshot): boolean => context.warnings
/** Whether there is anything that a reset would undo. */
export const canReset = ({ context: { text, errors, warnings } }: LogSnapshot): boolean =>
  text !== '' || errors || warnings
/** Why the text is no regular expression. */
export const selectPatternFault = ({ context }: LogSnapshot): string | undefined => patternFault(context.text)

/** Whether only what was found is shown. */
export const isFiltered = ({ context }: LogSnapshot): boolean => context.found !== undefined && !context.showsContext
export const showsContext = ({ context }: LogSnapshot): boolean => context.showsContext
/** How many lines were found, of those that are kept; undefined when nothing is searched for. */
export const selectFoundCount = ({ context: { found, first } }: LogSnapshot): number | undefined =>
  found === undefined ? undefined : found.length - placeIn(found, first)

/** Which of the lines found is the chosen one, from 1. */
export const selectChosenRank = ({ context: { found, first, current } }: LogSnapshot): number | undefined =>
  found === undefined || current === undefined || !includesLine(found, current)
    ? undefined
    : placeIn(found, current) - placeIn(found, first) + 1

export const selectChosen = ({ context }: LogSnapshot): number | undefined => context.current
export const selectLineCount = ({ context: { first, end } }: LogSnapshot): number => end - first
/** When the newest line came, in epoch milliseconds. */
export const selectHeardAt = ({ context }: LogSnapshot): number => context.heardAt

/** Where the reader is; undefined at the end. The same object as the sight's place unless the reader is to be taken elsewhere. */
export const selectPlace = (snapshot: LogSnapshot): Place | undefined =>
  isFollowing(snapshot) ? undefined : snapshot.context.place

/** How far down the reader is, in whole percent. */
export const selectPercent = (snapshot: LogSnapshot): number =>
  isFollowing(snapshot) ? 100 : Math.floor(Math.min(1, Math.max(0, snapshot.context.sight?.share ?? 0)) * 100)

/** Lines that came after the reader had left the end, of those that are shown. */
export const selectNewLines = (snapshot: LogSnapshot): number => {
  const { seenEnd, end } = snapshot.context
  if (isFollowing(snapshot)) return 0
  const shown = selectShown(snapshot)
  return shown.placeOf(end) - shown.placeOf(seenEnd)
}

export const selectMarks = ({ context }: LogSnapshot): LogContext['marks'] => context.marks

let last: { readonly key: readonly unknown[]; readonly shown: ShownLines } | undefined

/** The lines that are shown. The same object as long as they are the same lines. */
export const selectShown = ({ context: { found, first, end, showsContext: inContext } }: LogSnapshot): ShownLines => {
  const key = [found, first, end, inContext]
  if (last?.key.every((part, index) => part === key[index]) === true) return last.shown
  const shown = found === undefined || inContext ? allShown(first, end) : foundShown(found, first)
  last = { key, shown }
  return shown
}
