import { parseAddress, socketUrl } from '../folding/address/address.ts'
import type { SocketUrl } from '../protocol/url.ts'

/*
 * The worker of all connections begins before the app's code is there: src/app/start.ts opens it, and a connection to the
 * client of this computer. The app takes over both, with what was said meanwhile.
 */

type EarlyWire = {
  readonly worker: Worker
  /** What the worker connects to by itself. */
  readonly url: SocketUrl | undefined
  /** Events of the worker that nobody has handled. */
  readonly held: Event[]
}

type Holder = { foldboardWire?: EarlyWire | undefined }

/** `address`: that of the client, as settings have it. What the hub posts before the app takes any is a few batches. */
export function beginWire(openWorker: (url: SocketUrl | undefined) => Worker, address: string | undefined): void {
  const parsed = address === undefined ? undefined : parseAddress(address)
  const url = parsed === undefined ? undefined : socketUrl(parsed)
  const worker = openWorker(url)
  const held: Event[] = []
  const hold = (event: Event): void => void held.push(event)
  worker.onmessage = hold
  worker.onmessageerror = hold
  worker.onerror = hold
  ;(window as Holder).foldboardWire = { worker, url, held }
}

/**
 * What was begun; undefined where nothing was. `take`: the worker the first time, and then none. Its events come after the
 * code that runs, which sets their listeners.
 */
export function earlyWire() {
  const holder = window as Holder
  const early = holder.foldboardWire
  holder.foldboardWire = undefined
  let left = early?.worker
  return {
    url: early?.url,
    take: (): Worker | undefined => {
      const worker = left
      left = undefined
      if (worker === undefined) return undefined
      worker.onmessage = null
      worker.onmessageerror = null
      worker.onerror = null
      queueMicrotask(() => {
        for (const event of early?.held ?? []) worker.dispatchEvent(event)
      })
      return worker
    },
  }
}
