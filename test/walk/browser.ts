import { WebSocket } from 'ws'
import type { BrowserEnvironment } from '../headless-app.ts'

type Listening = { readonly target: string; readonly type: string; readonly listener: unknown }

/** A fake browser that a test controls, and that counts the listeners and sockets of a page. */
export type WatchedBrowser = BrowserEnvironment & {
  readonly setHidden: (isHidden: boolean) => void
  readonly setOnline: (isOnline: boolean) => void
  /** Milliseconds by which the computer's clock is ahead. */
  readonly setClock: (ahead: number) => void
  readonly listeners: () => readonly string[]
  /** Addresses of sockets that are not closed. */
  readonly sockets: () => readonly string[]
}

/** An event target that counts its listeners. */
const listenedTo = (target: string, held: Set<Listening>) => {
  const events = new EventTarget()
  const find = (type: string, listener: unknown): Listening | undefined =>
    [...held].find(each => each.target === target && each.type === type && each.listener === listener)
  return {
    addEventListener: (type: string, listener: EventListener): void => {
      if (find(type, listener) === undefined) held.add({ target, type, listener })
      events.addEventListener(type, listener)
    },
    removeEventListener: (type: string, listener: EventListener): void => {
      const known = find(type, listener)
      if (known !== undefined) held.delete(known)
      events.removeEventListener(type, listener)
    },
    fire: (type: string): void => void events.dispatchEvent(new Event(type)),
  }
}

export const watchBrowser = (origin: string): WatchedBrowser => {
  const held = new Set<Listening>()
  const open = new Set<WebSocket>()
  const page = {
    ...listenedTo('document', held),
    visibilityState: 'visible',
    hasFocus: () => true,
    querySelector: () => null,
  }
  const frame = {
    ...listenedTo('window', held),
    setInterval: (run: () => void, ms: number) => setInterval(run, ms),
    clearInterval: (timer: NodeJS.Timeout) => {
      clearInterval(timer)
    },
    requestAnimationFrame: (draw: FrameRequestCallback) => setTimeout(() => draw(performance.now()), 16),
    cancelAnimationFrame: (timer: NodeJS.Timeout) => {
      clearTimeout(timer)
    },
    isSecureContext: true,
    location: { origin, assign: () => undefined },
  }
  let ahead = 0
  return {
    document: page as unknown as Document,
    window: frame as unknown as Window,
    now: () => Date.now() + ahead,
    isHidden: () => page.visibilityState === 'hidden',
    openWebSocket: url => {
      const socket = new WebSocket(url)
      open.add(socket)
      socket.addEventListener('close', () => {
        open.delete(socket)
      })
      return socket
    },
    setHidden: isHidden => {
      page.visibilityState = isHidden ? 'hidden' : 'visible'
      page.fire('visibilitychange')
    },
    setOnline: isOnline => {
      frame.fire(isOnline ? 'online' : 'offline')
    },
    setClock: milliseconds => {
      ahead = milliseconds
    },
    listeners: () => [...held].map(({ target, type }) => `${target} ${type}`),
    sockets: () => [...open].map(({ url }) => url),
  }
}
