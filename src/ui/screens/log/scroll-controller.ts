import type { LogRows, LogWindow } from '../../../folding/log/log-rows.ts'
import type { ShownLines } from '../../../folding/log/line-numbers.ts'
import type { ScrollPosition, Viewport } from '../../../machines/screens/log/log.events.ts'

/** Browsers limit the height of an element to some ten million pixels. For longer logs the scroll position is scaled. */
const MAX_HEIGHT = 8_000_000
const RESTING_MS = 150
const NEARLY = 2

export type Drawn = {
  readonly shown: ShownLines
  readonly rows: LogRows
  readonly rowHeight: number
  readonly window: LogWindow
}

/** Scroll height in pixels. */
export function heightOf({ rows, rowHeight }: Pick<Drawn, 'rows' | 'rowHeight'>): number {
  return Math.min(MAX_HEIGHT, rows.total * rowHeight)
}

/** Scroll position of a line in pixels. */
function topOf(drawn: Drawn, place: number): number {
  const { rows, rowHeight } = drawn
  return rows.total === 0 ? 0 : rows.above(place) * rowHeight * (heightOf(drawn) / (rows.total * rowHeight))
}

/** The scrolling element, and the rendered lines in it. */
export type Boxes = { readonly box: HTMLElement; readonly list: HTMLElement }

export type ScrollController = {
  /** Scrolls to a place, or to the end without one, and returns what is visible. */
  readonly settle: (boxes: Boxes, drawn: Drawn, place: ScrollPosition | undefined) => Viewport
  /** To be called when no lines are rendered: the browser then scrolls to the top. */
  readonly forget: () => void
  /** At the end, scrolls there again if the height of the view changed. Returns whether it did. */
  readonly keepEnd: (box: HTMLElement) => boolean
  /** After a scroll event: what is visible. Undefined when the user did not cause the event. `at`: milliseconds. */
  readonly follow: (boxes: Boxes, drawn: Drawn, at: number) => Viewport | undefined
}

/**
 * Keeps the visible lines in place while lines are added or removed elsewhere. A place is a line and an offset within it;
 * the scroll position is derived from it. Rendered lines are measured, so they may have any height.
 */
export function createScrollController(): ScrollController {
  // The last scroll position, set by the code or by the user.
  let expected = -1
  // Height of the view when it was scrolled to the end; undefined elsewhere.
  let heightAtEnd: number | undefined
  // The place that the user scrolled to, for which the lines are already positioned.
  let ownPosition: ScrollPosition | undefined
  // Top of the first visible line in pixels: as positioned, and as computed from row counts.
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
    heightAtEnd = box.clientHeight
    ownPosition = undefined
  }

  const keepEnd: ScrollController['keepEnd'] = box => {
    if (heightAtEnd === undefined || heightAtEnd === box.clientHeight) return false
    scrollTo(box, box.scrollHeight)
    heightAtEnd = box.clientHeight
    return true
  }

  const settle: ScrollController['settle'] = ({ box, list }, drawn, place) => {
    const isRelaid = keepWidth(box, list)
    const isWhole = keepHeight(list, drawn)
    if (place === undefined) {
      settleAtEnd({ box, list }, isWhole)
      return measure({ box, list }, drawn)
    }
    heightAtEnd = undefined
    const { shown } = drawn
    const index = Math.min(shown.placeOf(place.number), shown.count - 1)
    const isShown = shown.numberAt(index) === place.number
    const isResting = performance.now() - scrolledAt > RESTING_MS
    const now = topOf(drawn, index)
    if (place !== ownPosition || !isShown || isResting || isRelaid) {
      top = now
      scrollTo(box, now + (isShown ? place.offset : 0))
    } else if (now !== counted) {
      // Lines above were added or removed while the user scrolls.
      top += now - counted
      scrollTo(box, box.scrollTop + now - counted)
    }
    counted = now
    const element = windowLines(list)[index - drawn.window.from]
    Object.assign(list.style, { insetBlockStart: `${top - (element?.offsetTop ?? 0)}px`, insetBlockEnd: 'auto' })
    const viewport = measure({ box, list }, drawn)
    const isKept = place === ownPosition || !isShown
    // When the line is filtered out, the place stays where the line would be.
    ownPosition = isKept ? place : viewport.place
    return { ...viewport, place: ownPosition }
  }

  const follow: ScrollController['follow'] = ({ box, list }, drawn, at) => {
    // A view that becomes higher, and one without lines, scrolls by itself.
    if (Math.abs(box.scrollTop - expected) < 1 || drawn.shown.count === 0 || keepEnd(box)) return undefined
    heightAtEnd = undefined
    scrolledAt = at
    expected = box.scrollTop
    const viewport = measure({ box, list }, drawn)
    counted = topOf(drawn, drawn.shown.placeOf(viewport.place.number))
    top = box.scrollTop - viewport.place.offset
    ownPosition = viewport.place
    // At the top, corrects differences between counted and measured rows.
    return box.scrollTop <= 0 ? settle({ box, list }, drawn, viewport.place) : viewport
  }

  const forget = (): void => {
    ownPosition = undefined
  }

  return { settle, forget, keepEnd, follow }
}

// Without wrapping, the width only grows, so that the view does not shrink when a wide line is removed.
function keepWidth(box: HTMLElement, list: HTMLElement): boolean {
  const space = list.parentElement
  if (space === null) return false
  const wanted =
    'wraps' in box.dataset ? '' : `${Math.max(list.scrollWidth, Number.parseFloat(space.style.minInlineSize) || 0)}px`
  if (space.style.minInlineSize === wanted) return false
  space.style.minInlineSize = wanted
  return true
}

/** When all lines are rendered, uses their measured height. Returns whether they are. */
function keepHeight(list: HTMLElement, { window, shown }: Drawn): boolean {
  const isWhole = window.from === 0 && window.to === shown.count
  if (list.parentElement !== null)
    list.parentElement.style.minBlockSize = isWhole ? `max(100%, ${list.offsetHeight}px)` : ''
  return isWhole
}

function windowLines(list: HTMLElement): readonly HTMLElement[] {
  return [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset['offscreen'] === undefined,
  )
}

function numberOf(element: HTMLElement | undefined): number {
  return Number(element?.dataset['line'] ?? 0)
}

/** What is visible: measured for rendered lines, computed from row counts elsewhere. */
function measure({ box, list }: Boxes, drawn: Drawn): Viewport {
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

/** The last line that ends above this position. */
function lastSeen(elements: readonly HTMLElement[], height: number): number {
  const index = lineAt(elements, height)
  const element = elements[index]
  const isWhole = element !== undefined && element.offsetTop + element.offsetHeight <= height + 1
  return numberOf(isWhole ? element : (elements[index - 1] ?? element))
}

/** Index of the line at a position, in pixels from the top of the first one. */
function lineAt(elements: readonly HTMLElement[], height: number): number {
  let low = 0
  let high = elements.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((elements[middle]?.offsetTop ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
