import type { Topology } from '../../../protocol/client/visualization.ts'
import { findPageFault } from '../../../loading/load-code.ts'
import { superviseWorker, type SupervisedWorker, type WorkerThread } from '../../../loading/supervise-worker.ts'
import type { Theme } from '../../../viewer/viewer.types.ts'

type Picture = {
  /** x, y and z of each atom, in ångström. */
  readonly positions: Float32Array
  /** Pixels. */
  readonly size: readonly [width: number, height: number]
  readonly theme: Theme
}

/** To the worker. Without a topology it is that of the request before. */
export type StillRequest = Picture & { readonly topology: Topology | undefined }

/** Red, green, blue and opacity of each pixel, or why there is no picture. */
export type StillAnswer = { readonly pixels: Uint8ClampedArray<ArrayBuffer> } | { readonly failure: string }

export type Wanted = Picture & {
  readonly topology: Topology
  /** Pictures with the same name are drawn once for each size and theme; undefined for one that changes. */
  readonly name: string | undefined
}

type Entry = { readonly wanted: Wanted; readonly show: (pixels: ImageDataArray) => void }

/** Of 2.3 MB in most places; the page of a machine has one for each of its units. */
const MOST_KEPT = 12

/** Still pictures, drawn one after the other in a worker that is started by the first. */
export function createStillPictures(openWorker: () => WorkerThread) {
  const waiting = new Set<Entry>()
  const cache = new Map<string, ImageDataArray>()
  let worker: SupervisedWorker<StillRequest> | undefined
  let underWay: Entry | undefined
  /** Whose atoms the worker has. */
  let sent: Topology | undefined

  const next = (): void => {
    const [entry] = waiting
    if (underWay !== undefined || entry === undefined || worker?.isRunning() !== true) return
    underWay = entry
    const { topology, positions, size, theme } = entry.wanted
    worker.post({ topology: topology === sent ? undefined : topology, positions, size, theme })
    sent = topology
  }

  const listen = (answer: StillAnswer): void => {
    const entry = underWay
    underWay = undefined
    if (entry !== undefined && 'pixels' in answer) {
      const key = keyOf(entry.wanted)
      keep(cache, key, answer.pixels)
      for (const other of waiting)
        if (other === entry || (key !== undefined && keyOf(other.wanted) === key)) {
          waiting.delete(other)
          other.show(answer.pixels)
        }
    } else if ('failure' in answer) reportError(new Error(answer.failure))
    if (entry !== undefined) waiting.delete(entry)
    next()
  }

  const start = (): void => {
    worker ??= superviseWorker<StillRequest, StillAnswer>(openWorker, {
      listen,
      follow: ({ type }) => {
        underWay = undefined
        sent = undefined
        if (type === 'started') next()
      },
      findFault: findPageFault,
      locks: navigator.locks,
    })
    next()
  }

  return {
    /** Calls `show` once, at once for a picture that is known. Returns a function that gives the picture up. */
    draw: (wanted: Wanted, show: Entry['show']): (() => void) => {
      const key = keyOf(wanted)
      const found = key === undefined ? undefined : cache.get(key)
      if (found !== undefined) {
        keep(cache, key, found)
        show(found)
        return () => undefined
      }
      const entry = { wanted, show }
      waiting.add(entry)
      start()
      return () => void waiting.delete(entry)
    },
  }
}

function keyOf({ name, size, theme }: Wanted): string | undefined {
  return name === undefined ? undefined : [name, ...size, theme].join(' ')
}

/** As the one that was shown last; the one that was not shown for the longest time is dropped. */
function keep(cache: Map<string, ImageDataArray>, key: string | undefined, pixels: ImageDataArray): void {
  if (key === undefined) return
  cache.delete(key)
  cache.set(key, pixels)
  const [oldest] = cache.keys()
  if (cache.size > MOST_KEPT && oldest !== undefined) cache.delete(oldest)
}

export const stillPictures = createStillPictures(
  () => new Worker(new URL('./still.worker.ts', import.meta.url), { type: 'module', name: 'stills' }),
)
