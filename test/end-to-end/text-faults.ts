import type { Page } from '@playwright/test'

/** What is English in every language: names, and words of clients, which are shown as they are in tooltips. */
const ORIGINAL = [
  'GNU General Public License',
  'Run, Clone, Gen',
  'Pausing on battery',
  'Resources not available',
  'Waiting for idle system',
  'No work units are available for this configuration',
]

type TextFault = {
  readonly kind: 'cut' | 'broken' | 'lines' | 'English'
  /** The classes of the element and of what it is in, the same in every language. */
  readonly place: string
  readonly text: string
}

/**
 * Texts of the language of the page that are cut with an ellipsis, words broken between letters, buttons of several lines, and
 * sentences in Latin letters on a page of another script. Names and what is marked as another language are left out.
 */
export function textFaults(page: Page): Promise<readonly TextFault[]> {
  return page.evaluate(findTextFaults, ORIGINAL)
}

/** In words, without what `accepted`, the same screen in English, has at the same places. */
export function describeTextFaults(
  faults: readonly TextFault[],
  accepted: readonly TextFault[] = [],
): readonly string[] {
  const keyOf = ({ kind, place }: TextFault): string => `${kind} ${place}`
  const isKnown = new Set(accepted.map(keyOf))
  const found = faults.filter(fault => !isKnown.has(keyOf(fault)))
  return [...new Set(found.map(({ kind, place, text }) => `${kind}: "${text}" in ${place}`))]
}

/** Runs in the page. */
function findTextFaults(properNames: readonly string[]): readonly TextFault[] {
  const found: TextFault[] = []
  const root = document.documentElement
  // What is neither translated nor written by us.
  const OTHERS = 'bdi, code, kbd, pre, [translate=no], [role=log], script, noscript, style, title, svg, canvas'
  const isOurs = (element: Element): boolean =>
    element.closest(OTHERS) === null && (element.closest('[lang]') ?? root) === root
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.visually-hidden') === null
  const placeOf = (element: Element): string => {
    const parts: string[] = []
    for (
      let at: Element | null = element;
      at !== null && at !== document.body && parts.length < 4;
      at = at.parentElement
    )
      parts.unshift(`${at.tagName.toLowerCase()}.${String(at.getAttribute('class') ?? at.getAttribute('data-column'))}`)
    return parts.join(' > ')
  }
  const add = (kind: TextFault['kind'], element: Element, text: string): void => {
    found.push({ kind, place: placeOf(element), text: text.replaceAll(/\s+/g, ' ').trim().slice(0, 80) })
  }
  const linesOf = (node: Node, from: number, to: number): number => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    const middles = [...range.getClientRects()]
      .filter(({ width }) => width > 0)
      .map(({ top, bottom }) => (top + bottom) / 2)
    return middles.filter((middle, index) => middles.slice(0, index).every(other => Math.abs(other - middle) > 4))
      .length
  }

  const isOtherScript = ['zh', 'ja', 'ko', 'ru', 'fa'].includes(root.lang.split('-')[0] ?? '')
  const sentence = /(?:\p{Script=Latin}[\p{Script=Latin}'’]+[\s,;:]+){2,}\p{Script=Latin}[\p{Script=Latin}'’]+/u
  const names = [...document.querySelectorAll('bdi')].map(name => name.textContent).filter(name => name !== '')
  const lookForEnglish = (element: Element, text: string): void => {
    const stripped = [...properNames, ...names].reduce((rest, name) => rest.replaceAll(name, ' – '), text)
    const [english] = sentence.exec(stripped) ?? []
    if (isOtherScript && english !== undefined) add('English', element, english)
  }

  // Two lines fit into the height of a control.
  const ONE_LINE = 42
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const [element, text] = [node.parentElement, node.textContent ?? '']
    if (element === null || text.trim() === '' || !isOurs(element)) continue
    lookForEnglish(element, text)
    if (!isSeen(element)) continue
    // Words that are not of scripts without spaces between them.
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]{2,}/gu))
      if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word) && linesOf(node, index, index + word.length) > 1)
        add('broken', element, word)
  }
  for (const element of document.body.querySelectorAll('*')) {
    if (!isOurs(element)) continue
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
      lookForEnglish(element, element.getAttribute(name) ?? '')
    if (!isSeen(element)) continue
    const { overflowX, textOverflow } = getComputedStyle(element)
    // What is cut on purpose is complete in its tooltip.
    const isCut =
      !element.matches('input, [title]') &&
      overflowX !== 'visible' &&
      textOverflow === 'ellipsis' &&
      element.scrollWidth > element.clientWidth + 1
    if (isCut && element.querySelector('bdi, code, [translate=no], [lang], [title]') === null)
      add('cut', element, element.textContent)
    if (!element.matches('button, [role=button], [role=tab]') || element.clientHeight <= ONE_LINE) continue
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      if (node.parentElement && isSeen(node.parentElement) && linesOf(node, 0, node.textContent?.length ?? 0) > 1)
        add('lines', element, element.textContent)
    }
  }
  return found
}
