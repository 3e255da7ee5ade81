import { EARLY_CHANNEL, type HubCommand } from '../actors/wire/hub.types.ts'
import { parseAddress, socketUrl } from '../folding/shared/address.ts'
import type { SocketUrl } from '../protocol/url.ts'

/*
 * The worker of all connections begins before the app's code is there: src/app/start.ts opens it, and a connection to the
 * client of this computer. The app takes over both, with what was said meanwhile.
 */

type EarlyWire = {
  readonly worker: Worker
  /** What `EARLY_CHANNEL` was opened to. */
  readonly url: SocketUrl | undefined
  /** Events of the worker that nobody has handled. */
  readonly held: Event[]
}

/** What comes later waits in the hub, which merges it. The first two batches are that the client is there, and its state. */
const MOST_HELD = 20

type Holder = { foldboardWire?: EarlyWire | undefined }

/** `address`: that of the client, as settings have it. */
export function beginWire(openWorker: () => Worker, address: string | undefined): void {
  const worker = openWorker()
  const held: Event[] = []
  const hold = (event: Event): void => {
    held.push(event)
    if (held.length < MOST_HELD) worker.postMessage({ type: 'take' } satisfies HubCommand)
  }
  worker.onmessage = hold
  worker.onmessageerror = hold
  worker.onerror = hold
  const parsed = address === undefined ? undefined : parseAddress(address)
  const url = parsed === undefined ? undefined : socketUrl(parsed)
  if (url !== undefined) worker.postMessage({ type: 'direct.open', channel: EARLY_CHANNEL, url } satisfies HubCommand)
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
