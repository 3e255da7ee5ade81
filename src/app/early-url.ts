import type { SocketUrl } from '../protocol/url.ts'

/*
 * What a new worker is to connect to is in its address: a message would be delivered only when the code of the page, which
 * is evaluated meanwhile, is through.
 */

export function withEarlyUrl(script: string, url: SocketUrl | undefined): string {
  return url === undefined ? script : `${script}#${url}`
}

/** Undefined where the worker was opened without one. */
export function earlyUrlOf({ hash }: Pick<Location, 'hash'>): SocketUrl | undefined {
  return hash === '' ? undefined : (hash.slice(1) as SocketUrl)
}
