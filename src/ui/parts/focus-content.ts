/**
 * When the focused control was removed, moves the focus to the screen's heading, or to its main element while it has none,
 * so that screen readers continue there. Otherwise the focus stays where it is.
 */
export const focusContentIfLost = (): void => {
  if (document.activeElement !== document.body) return
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
  target?.focus({ preventScroll: true })
}

/** The same once what the user did has changed the screen. React Aria gives the focus back one frame after a dialog closes. */
export const focusContentSoon = (): void => {
  requestAnimationFrame(() => requestAnimationFrame(focusContentIfLost))
}
