import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { TLSSocket } from 'node:tls'
import { isLoopbackAddress, isLoopbackHost } from '../../host/loopback.ts'
import type { Config } from '../config/schema.ts'
import type { Ask, CallFacts } from './admission.ts'

/** The parts of a request that decide about access. */
export type Caller = {
  readonly headers: IncomingHttpHeaders
  /** The IP address of the other end of the connection. */
  readonly remote: string | undefined
  readonly isEncrypted: boolean
  /** Of HTTP, such as `1.1`. */
  readonly version: string
  /** Its address begins with a slash, and headers that may come once do. */
  readonly isOrdinary: boolean
}

export function callerOf(request: IncomingMessage): Caller {
  return {
    headers: request.headers,
    remote: request.socket.remoteAddress,
    isEncrypted: request.socket instanceof TLSSocket,
    version: request.httpVersion,
    isOrdinary:
      request.url?.startsWith('/') === true && ONCE.every(name => (request.headersDistinct[name]?.length ?? 0) <= 1),
  }
}

/** Node keeps the first of several; a proxy may have looked at another one. */
const ONCE = ['host', 'authorization', 'origin', 'sec-fetch-site'] as const

/** Headers that say that a request was passed on. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-proxyuser-ip|x-envoy-external-address|true-client-ip|fastly-client-ip|cf-.*)$/

export type CallerSettings = Pick<Config, 'listen' | 'proxy' | 'users'> & {
  /** The port on which the server listens. */
  readonly port: () => number
}

/** What is known of a caller by the connection and the headers, before any credential is looked at. */
export function createCallers({ listen, proxy, users, port }: CallerSettings) {
  const listed = new Map(listen.origins.map(origin => [origin, new URL(origin).host]))
  const listedHosts = new Set(listed.values())

  const peerOf = ({ remote }: Caller): CallFacts['peer'] => {
    const address = plainAddress(remote ?? '')
    if (proxy.addresses.some(proxyAddress => plainAddress(proxyAddress) === address)) return 'proxy'
    return isLoopbackAddress(address) ? 'loopback' : 'other'
  }
  // nginx speaks HTTP/1.0 to the servers behind it unless told otherwise; browsers do not.
  const isForwarded = ({ headers, version }: Caller): boolean =>
    version !== '1.1' || Object.keys(headers).some(name => FORWARDING.test(name))
  const isSecure = (caller: Caller): boolean =>
    caller.isEncrypted || (peerOf(caller) === 'proxy' && textOf(caller.headers['x-forwarded-proto']) === 'https')

  const hostOf = ({ headers }: Caller): CallFacts['host'] => {
    const host = headers.host?.toLowerCase()
    if (host === undefined) return 'unknown'
    const hasPort = /:\d+$/.test(host)
    if (isLoopbackHost(host) && (hasPort ? host.endsWith(`:${port()}`) : port() === 80 || port() === 443))
      return 'loopback'
    if (!listedHosts.has(host)) return 'unknown'
    return isLoopbackHost(host) ? 'loopback' : 'listed'
  }

  const originOf = (caller: Caller): CallFacts['origin'] => {
    const { origin, host } = caller.headers
    if (origin === undefined) return 'absent'
    // A proxy that is known may have changed Host; nobody else has a reason to.
    if (listed.has(origin) && (peerOf(caller) === 'proxy' || listed.get(origin) === host?.toLowerCase())) return 'own'
    const serverOrigin = `${isSecure(caller) ? 'https' : 'http'}://${host?.toLowerCase() ?? ''}`
    return hostOf(caller) === 'loopback' && origin === serverOrigin ? 'own' : 'foreign'
  }

  /** The address of the person or program, which a proxy names. */
  const addressOf = (caller: Caller): string => {
    const named =
      peerOf(caller) === 'proxy' ? textOf(caller.headers['x-forwarded-for'])?.split(',').at(-1)?.trim() : undefined
    return named === undefined || named === '' ? (caller.remote ?? '') : named
  }

  return {
    factsOf: (caller: Caller, asks: Ask): Omit<CallFacts, 'credential'> => ({
      hasUsers: users.length > 0,
      isOrdinary: caller.isOrdinary,
      peer: peerOf(caller),
      isForwarded: isForwarded(caller),
      isReadable: !caller.isEncrypted && !listen['plain-http'],
      host: hostOf(caller),
      origin: originOf(caller),
      site: siteOf(caller),
      asks,
    }),
    isProxy: (caller: Caller): boolean => peerOf(caller) === 'proxy',
    isSecure,
    /** Whether what is sent cannot be read on the network: it came by TLS, or from this computer. */
    isConfidential: (caller: Caller): boolean =>
      isSecure(caller) ||
      (peerOf(caller) === 'loopback' && !isForwarded(caller) && isLoopbackHost(caller.headers.host)),
    /** What attempts are counted by. */
    networkOf: (caller: Caller): string => networkOf(addressOf(caller)),
  }
}

/** Browsers say which site a request comes from; programs, and older browsers, do not. */
function siteOf({ headers }: Caller): CallFacts['site'] {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'none' || site === 'same-origin') return 'own'
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return isLink ? 'link' : 'foreign'
}

export function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

/** IPv4 addresses of a socket that listens to both kinds are written as IPv6. */
function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

/** An IPv4 address, or the /64 of an IPv6 address: one subscriber has all addresses of it. */
export function networkOf(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/.exec(address)
  const plain = plainAddress(bare?.[1] ?? bare?.[2] ?? address).replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain.slice(0, 64)
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  // What comes after `::` has at most as many groups as are missing, so zeros fill the first four.
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length - (plain.includes('.') ? 1 : 0)
  return [...groups, ...Array<string>(missing).fill('0'), ...after]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
