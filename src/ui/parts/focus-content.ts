/**
 * When the focused control was removed, moves the focus to the screen's heading, or to its main element while it has none,
 * so that screen readers continue there. Otherwise the focus stays where it is, and the result is false.
 */
export const focusContentIfLost = (): boolean => {
  if (document.activeElement !== document.body) return false
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
  target?.focus({ preventScroll: true })
  return target !== null
}

/** Frames in which the screen changes after a dialog has closed. */
const FRAMES = 30

/** The same once what the user did has changed the screen. React Aria gives the focus back one frame after a dialog closes. */
export const focusContentSoon = (): void => {
  let frame = 0
  const look = (): void => {
    frame += 1
    if (frame > 1 && focusContentIfLost()) return
    if (frame < FRAMES) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
