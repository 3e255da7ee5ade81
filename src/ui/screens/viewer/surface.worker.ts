import { surfaceOf } from '../../../folding/molecule/surface.ts'
import { reportReady } from '../../../loading/report-ready.ts'
import type { SurfaceAnswer, SurfaceRequest } from './surface-computer.ts'

/** Milliseconds between two reports. */
const INTERVAL = 100

addEventListener('message', ({ data: { frame, radii, atoms } }: MessageEvent<SurfaceRequest>) => {
  let next = performance.now() + INTERVAL
  const surface = surfaceOf(frame, radii, atoms, share => {
    if (performance.now() < next) return
    next = performance.now() + INTERVAL
    postMessage({ share } satisfies SurfaceAnswer)
  })
  const lists = surface === undefined ? [] : Object.values(surface)
  postMessage({ surface } satisfies SurfaceAnswer, { transfer: lists.map(list => list.buffer) })
})
reportReady(navigator.locks, message => postMessage(message))
