import type { SocketUrl } from '../protocol/url.ts'

/*
 * What a new worker is to connect to is in its name: a message would be delivered only when the code of the page, which is
 * evaluated meanwhile, is through, and a service worker's answer takes the fragment from an address.
 */

const NAME = 'wire'

export function workerName(url?: SocketUrl): string {
  return url === undefined ? NAME : `${NAME} ${url}`
}

/** Undefined where the worker was opened without one. */
export function earlyUrlOf(name: string): SocketUrl | undefined {
  return name.startsWith(`${NAME} `) ? (name.slice(NAME.length + 1) as SocketUrl) : undefined
}
