import type { LogRows, LogWindow } from '../../../folding/log/log-rows.ts'
import type { ShownLines } from '../../../folding/log/line-numbers.ts'
import type { Place, Sight } from '../../../machines/screens/log/log.events.ts'

/** Browsers cannot draw a box that is higher than some ten million pixels. Where a log is, its rows are closer together on the scroll bar. */
const HIGHEST = 8_000_000
const RESTING_MS = 150
const NEARLY = 2

export type Drawn = {
  readonly shown: ShownLines
  readonly rows: LogRows
  readonly rowHeight: number
  readonly window: LogWindow
}

/** Pixels of the whole, on the scroll bar. */
export const heightOf = ({ rows, rowHeight }: Pick<Drawn, 'rows' | 'rowHeight'>): number =>
  Math.min(HIGHEST, rows.total * rowHeight)

/** Pixels above the line at this place, on the scroll bar. */
const topOf = (drawn: Drawn, place: number): number => {
  const { rows, rowHeight } = drawn
  return rows.total === 0 ? 0 : rows.above(place) * rowHeight * (heightOf(drawn) / (rows.total * rowHeight))
}

/** The box that scrolls, and the lines that are drawn in it. */
export type Boxes = { readonly box: HTMLElement; readonly list: HTMLElement }

export type ScrollKeeper = {
  /** Brings what is drawn to where the reader is (at the end without a place), and tells what is seen then. */
  readonly settle: (boxes: Boxes, drawn: Drawn, place: Place | undefined) => Sight
  /** The box was scrolled: what is seen now. Undefined when it was not the reader who scrolled it. `at`: milliseconds. */
  readonly follow: (boxes: Boxes, drawn: Drawn, at: number) => Sight | undefined
}

/**
 * Keeps what is drawn where the reader is. A place is a line and an offset within it, so it holds whatever comes or
 * goes elsewhere; the scroll bar follows from it. What was drawn is measured, so lines may be of any height.
 */
export const createScrollKeeper = (): ScrollKeeper => {
  // Where the view was scrolled to last, by us or by the reader.
  let expected = -1
  // The place that the reader scrolled to: what is drawn lies right for it already.
  let own: Place | undefined
  // Where the reader's line begins, in pixels from the top of the whole, and where it would begin by counting rows.
  let top = 0
  let counted = 0
  let scrolledAt = Number.NEGATIVE_INFINITY

  const scrollTo = (box: HTMLElement, to: number): void => {
    box.scrollTop = to
    expected = box.scrollTop
  }

  const settleAtEnd = ({ box, list }: Boxes, isWhole: boolean): void => {
    const isShort = isWhole && list.offsetHeight <= box.clientHeight
    Object.assign(
      list.style,
      isShort ? { insetBlockStart: '0', insetBlockEnd: 'auto' } : { insetBlockStart: 'auto', insetBlockEnd: '0' },
    )
    scrollTo(box, box.scrollHeight)
    own = undefined
  }

  const settle: ScrollKeeper['settle'] = ({ box, list }, drawn, place) => {
    const isRelaid = keepWidth(box, list)
    const isWhole = keepHeight(list, drawn)
    if (place === undefined) {
      settleAtEnd({ box, list }, isWhole)
      return measure({ box, list }, drawn)
    }
    const { shown } = drawn
    const index = Math.min(shown.placeOf(place.number), shown.count - 1)
    const isShown = shown.numberAt(index) === place.number
    const isResting = performance.now() - scrolledAt > RESTING_MS
    const now = topOf(drawn, index)
    if (place !== own || !isShown || isResting || isRelaid) {
      top = now
      scrollTo(box, now + (isShown ? place.offset : 0))
    } else if (now !== counted) {
      // Lines above have come or gone while the reader scrolls.
      top += now - counted
      scrollTo(box, box.scrollTop + now - counted)
    }
    counted = now
    const element = windowLines(list)[index - drawn.window.from]
    Object.assign(list.style, { insetBlockStart: `${top - (element?.offsetTop ?? 0)}px`, insetBlockEnd: 'auto' })
    const sight = measure({ box, list }, drawn)
    const isKept = place === own || !isShown
    // Where the reader's line is not shown, they are where it would be.
    own = isKept ? place : sight.place
    return { ...sight, place: own }
  }

  const follow: ScrollKeeper['follow'] = ({ box, list }, drawn, at) => {
    if (Math.abs(box.scrollTop - expected) < 1) return undefined
    scrolledAt = at
    expected = box.scrollTop
    const sight = measure({ box, list }, drawn)
    counted = topOf(drawn, drawn.shown.placeOf(sight.place.number))
    top = box.scrollTop - sight.place.offset
    own = sight.place
    // Nothing may be missing above the first line, however rows were counted.
    return box.scrollTop <= 0 ? settle({ box, list }, drawn, sight.place) : sight
  }

  return { settle, follow }
}

// A line that is wider than all before it must not make the view narrower again when it is gone.
const keepWidth = (box: HTMLElement, list: HTMLElement): boolean => {
  const space = list.parentElement
  if (space === null) return false
  const wanted =
    'wraps' in box.dataset ? '' : `${Math.max(list.scrollWidth, Number.parseFloat(space.style.minInlineSize) || 0)}px`
  if (space.style.minInlineSize === wanted) return false
  space.style.minInlineSize = wanted
  return true
}

/** Where all lines are drawn, they have the height that they have, whatever was counted. Returns whether they are. */
const keepHeight = (list: HTMLElement, { window, shown }: Drawn): boolean => {
  const isWhole = window.from === 0 && window.to === shown.count
  if (list.parentElement !== null)
    list.parentElement.style.minBlockSize = isWhole ? `max(100%, ${list.offsetHeight}px)` : ''
  return isWhole
}

const windowLines = (list: HTMLElement): readonly HTMLElement[] =>
  [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset['aside'] === undefined,
  )

const numberOf = (element: HTMLElement | undefined): number => Number(element?.dataset['line'] ?? 0)

/** What is seen: measured where lines are drawn, counted where the view has left them behind. */
const measure = ({ box, list }: Boxes, drawn: Drawn): Sight => {
  const { scrollTop, clientHeight, scrollHeight } = box
  const most = scrollHeight - clientHeight
  const around = { height: clientHeight, share: most <= 0 ? 1 : scrollTop / most, isAtEnd: scrollTop >= most - NEARLY }
  const elements = windowLines(list)
  const above = scrollTop - list.offsetTop
  if (scrollTop <= 0)
    return {
      ...around,
      place: { number: drawn.shown.numberAt(0) ?? 0, offset: 0 },
      to: lastSeen(elements, above + clientHeight),
    }
  if (above >= 0 && above < list.offsetHeight) {
    const element = elements[lineAt(elements, above)]
    return {
      ...around,
      place: { number: numberOf(element), offset: above - (element?.offsetTop ?? 0) },
      to: lastSeen(elements, above + clientHeight),
    }
  }
  const { rows, shown, rowHeight } = drawn
  const row = (scrollTop / heightOf(drawn)) * rows.total
  const index = rows.placeAt(row)
  const lastIndex = Math.max(0, rows.placeAt(row + clientHeight / rowHeight) - 1)
  return {
    ...around,
    place: { number: shown.numberAt(index) ?? 0, offset: (row - rows.above(index)) * rowHeight },
    to: shown.numberAt(lastIndex) ?? 0,
  }
}

/** The last line that ends above this height. */
const lastSeen = (elements: readonly HTMLElement[], height: number): number => {
  const index = lineAt(elements, height)
  const element = elements[index]
  const isWhole = element !== undefined && element.offsetTop + element.offsetHeight <= height + 1
  return numberOf(isWhole ? element : (elements[index - 1] ?? element))
}

/** Which of the lines has this height, in pixels from the first one's top. */
const lineAt = (elements: readonly HTMLElement[], height: number): number => {
  let low = 0
  let high = elements.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((elements[middle]?.offsetTop ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
