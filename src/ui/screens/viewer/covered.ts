import type { Covered } from './fit.ts'

/** On what lies over a molecule and covers it where it crosses the middle of the view. */
export const COVERS = { 'data-covers': '' } as const

/** What lies over the middle of a view now, at its upper and its lower edge; elements beside the middle leave it free. */
export const coveredOf = (host: HTMLElement): Covered => {
  const view = host.getBoundingClientRect()
  const [middle, centre] = [(view.left + view.right) / 2, (view.top + view.bottom) / 2]
  let [above, below] = [0, 0]
  for (const element of host.parentElement?.parentElement?.querySelectorAll('[data-covers]') ?? []) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (left > middle || right < middle) continue
    if ((top + bottom) / 2 < centre) above = Math.max(above, bottom - view.top)
    else below = Math.max(below, view.bottom - top)
  }
  return { above, below }
}
