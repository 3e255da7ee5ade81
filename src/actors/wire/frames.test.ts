import { expect, it } from 'vitest'
import { pageFrames } from './frames.ts'

function fakePage() {
  const open = new Map<string, () => void>()
  let ids = 0
  const later = (kind: string) => (run: unknown) => {
    open.set(`${kind}${++ids}`, run as () => void)
    return ids
  }
  const page = {
    requestAnimationFrame: later('frame'),
    cancelAnimationFrame: (id: number) => open.delete(`frame${id}`),
    setTimeout: later('timer'),
    clearTimeout: (id: number) => open.delete(`timer${id}`),
  }
  const fire = (kind: string) => {
    for (const [name, run] of open) {
      if (!name.startsWith(kind)) continue
      open.delete(name)
      run()
    }
  }
  return { page: page as unknown as Window, open, fire }
}

it.each(['frame', 'timer'])('the first of frame and timer runs it, and the other never does: %s', kind => {
  const { page, open, fire } = fakePage()
  let runs = 0
  pageFrames(page, { hidden: false }).requestFrame(() => runs++)
  fire(kind)
  expect({ runs, left: [...open.keys()] }).toEqual({ runs: 1, left: [] })
})
