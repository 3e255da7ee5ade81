import { patternError } from '../../../folding/log/log-search.ts'
import {
  allShown,
  shownFoundLines,
  includesLine,
  lowerBound,
  type ShownLines,
} from '../../../folding/log/line-numbers.ts'
import type { ScrollPosition } from './log.events.ts'
import type { LogSnapshot } from './log.machine.ts'
import { isSameList } from '../../../folding/shared/equal.ts'
/** Whether a reset would change anything. */
export function canReset({ context: { text, errors, warnings } }: LogSnapshot): boolean {
  return text !== '' || errors || warnings
}
/** Why the text is not a valid regular expression. */
export function selectPatternFault({ context }: LogSnapshot): string | undefined {
  return patternError(context.settledText)
}

/** Whether only matches are shown. */
export function isFiltered({ context }: LogSnapshot): boolean {
  return context.found !== undefined && !context.showsContext
}
export function showsContext({ context }: LogSnapshot): boolean {
  return context.showsContext
}
/** Number of matches among the stored lines; undefined without a search. */
export function selectFoundCount({ context: { found, first } }: LogSnapshot): number | undefined {
  return found === undefined ? undefined : found.length - lowerBound(found, first)
}

/** Position of the selected line among the matches, from 1. */
export function selectMatchNumber({ context: { found, first, selected } }: LogSnapshot): number | undefined {
  return found === undefined || selected === undefined || !includesLine(found, selected)
    ? undefined
    : lowerBound(found, selected) - lowerBound(found, first) + 1
}
export function selectSelectedLine({ context }: LogSnapshot): number | undefined {
  return context.selected
}
export function selectLineCount({ context: { first, end } }: LogSnapshot): number {
  return end - first
}

/** The scroll position; undefined at the end. Another object than the viewport's place when the view must scroll to it. */
export function selectScrollPosition(snapshot: LogSnapshot): ScrollPosition | undefined {
  return snapshot.hasTag('following') ? undefined : snapshot.context.place
}

/** Scroll position in whole percent. */
export function selectPercent(snapshot: LogSnapshot): number {
  return snapshot.hasTag('following')
    ? 100
    : Math.floor(Math.min(1, Math.max(0, snapshot.context.viewport?.share ?? 0)) * 100)
}

/** Number of shown lines that arrived after the user scrolled away from the end. */
export function selectNewLines(snapshot: LogSnapshot): number {
  const { seenEnd, end } = snapshot.context
  if (snapshot.hasTag('following')) return 0
  const shown = selectShown(snapshot)
  return shown.placeOf(end) - shown.placeOf(seenEnd)
}

let last: { readonly key: readonly unknown[]; readonly shown: ShownLines } | undefined

/** The shown lines. The same object while they are the same lines. */
export function selectShown({ context: { found, first, end, showsContext: inContext } }: LogSnapshot): ShownLines {
  const key = [found, first, end, inContext]
  if (last !== undefined && isSameList(last.key, key)) return last.shown
  const shown = found === undefined || inContext ? allShown(first, end) : shownFoundLines(found, first)
  last = { key, shown }
  return shown
}
