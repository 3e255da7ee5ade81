import type { Page } from '@playwright/test'

/** What of the page is too wide, cut off, outside its box, or covered by something else, in words. */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(findFaults)
}

/** Runs in the page, and so uses nothing outside itself. */
export function findFaults(): readonly string[] {
  const faults = new Set<string>()
  const root = document.documentElement
  const width = root.clientWidth

  type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/\s+/g, ' ').trim()
    return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} "${text.slice(0, 40)}"`
  }
  const ancestorsOf = (element: Element): readonly Element[] => {
    const found: Element[] = []
    for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement) found.push(at)
    return found
  }
  const isClipping = (element: Element): boolean => styleOf(element).overflowX !== 'visible'
  const scrollsSideways = (element: Element): boolean =>
    ['auto', 'scroll'].includes(styleOf(element).overflowX) && element.scrollWidth > element.clientWidth
  // Only for screen readers, or behind something that is meant to cover it.
  const isHidden = (element: Element): boolean =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    ancestorsOf(element).some(at => styleOf(at).clipPath !== 'none' || at.hasAttribute('data-offscreen'))
  const isFloating = (element: Element): boolean =>
    ancestorsOf(element).some(at => ['fixed', 'sticky'].includes(styleOf(at).position))

  // The page itself.
  if (root.scrollWidth > width) faults.add(`The page is ${root.scrollWidth - width} px wider than the window.`)

  const texts: { readonly node: Node; readonly element: Element; readonly box: Box; readonly text: string }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (element === null || text === '' || element.closest('script, style, title, option') || isHidden(element))
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects())
      if (box.width > 0.5 && box.height > 0.5) texts.push({ node, element, box, text })
  }

  // Text stays within the boxes around it, up to the one that scrolls; where it is cut, an ellipsis shows it.
  for (const { element, box, text } of texts) {
    for (const at of ancestorsOf(element)) {
      if (scrollsSideways(at)) break
      const { display, position, textOverflow } = styleOf(at)
      if (display === 'inline' || display === 'contents') continue
      const around = at.getBoundingClientRect()
      if (around.width > 0 && (box.left < around.left - 1.5 || box.right > around.right + 1.5)) {
        const hasEllipsis = isClipping(at) && textOverflow === 'ellipsis'
        if (!hasEllipsis)
          faults.add(`"${text.slice(0, 40)}" is ${isClipping(at) ? 'cut by' : 'outside of'} ${nameOf(at)}`)
        break
      }
      if (position === 'fixed' || position === 'absolute') break
    }
  }

  // No text on other text.
  const still = texts.filter(({ element }) => !isFloating(element))
  const visible = still.flatMap(({ node, element, box, text }) => {
    const clip = ancestorsOf(element)
      .filter(isClipping)
      .reduce<Box>(
        (room, at) => {
          const { left, right, top, bottom } = at.getBoundingClientRect()
          return {
            left: Math.max(room.left, left),
            right: Math.min(room.right, right),
            top: Math.max(room.top, top),
            bottom: Math.min(room.bottom, bottom),
          }
        },
        { left: box.left, right: box.right, top: box.top, bottom: box.bottom },
      )
    // What letters take of a line; lines may touch.
    const inset = (box.bottom - box.top) * 0.28
    const glyphs = {
      ...clip,
      top: Math.max(clip.top, box.top + inset),
      bottom: Math.min(clip.bottom, box.bottom - inset),
    }
    return glyphs.right - glyphs.left < 1 || glyphs.bottom - glyphs.top < 1 ? [] : [{ node, text, box: glyphs }]
  })
  visible.sort((one, other) => one.box.top - other.box.top)
  visible.forEach((one, index) => {
    for (const other of visible.slice(index + 1)) {
      if (other.box.top >= one.box.bottom) break
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      // A text that is cut has a box of its own for its ellipsis.
      if (across > 1.5 && one.node !== other.node)
        faults.add(`"${one.text.slice(0, 40)}" and "${other.text.slice(0, 40)}" overlap`)
    }
  })

  // Every control is within the window, or within a box that scrolls; nothing covers it.
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, [role=tab], [role=slider]')]
  for (const control of controls) {
    if (isHidden(control) || ancestorsOf(control).some(at => styleOf(at).opacity === '0')) continue
    const box = control.getBoundingClientRect()
    if (box.width === 0 || box.height === 0) continue
    if (ancestorsOf(control).some(scrollsSideways)) control.scrollIntoView({ block: 'center', inline: 'center' })
    else if (box.left < -1 || box.right > width + 1) faults.add(`${nameOf(control)} is outside of the window`)
    control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const now = control.getBoundingClientRect()
    const [x, y] = [now.left + now.width / 2, now.top + now.height / 2]
    if (y < 0 || y > innerHeight) {
      if (!isFloating(control)) faults.add(`${nameOf(control)} cannot be scrolled to`)
      continue
    }
    const top = document.elementFromPoint(x, y)
    const label = control.closest('label')
    const isReached = top !== null && (control.contains(top) || top.contains(control) || label?.contains(top) === true)
    if (!isReached) faults.add(`${nameOf(control)} is covered by ${top === null ? 'nothing' : nameOf(top)}`)
  }
  scrollTo(0, 0)
  return [...faults]
}
