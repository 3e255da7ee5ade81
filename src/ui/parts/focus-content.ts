/** The heading of the screen; null while it has none. */
export function contentHeading(): HTMLElement | null {
  return document.querySelector('#main h1')
}

/**
 * When the focused control was removed, moves the focus to the screen's heading, or to its main element while it has none,
 * so that screen readers continue there. Otherwise the focus stays where it is, and the result is false.
 */
export function focusContentIfLost(): boolean {
  if (document.activeElement !== document.body) return false
  const target = contentHeading() ?? document.querySelector<HTMLElement>('#main')
  target?.focus({ preventScroll: true })
  return target !== null
}

/**
 * The same once what the user did has changed the screen, which takes up to `frames`. React Aria gives the focus back one
 * frame after a dialog closes.
 */
export function focusContentSoon(frames = 2): void {
  let frame = 0
  const look = (): void => {
    frame += 1
    if (frame > 1 && focusContentIfLost()) return
    if (frame < frames) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
