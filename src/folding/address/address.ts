import { parseSocketUrl, type SocketUrl } from '../../protocol/url.ts'

/*
 * Addresses of clients and relay nodes, as typed or as the API gives them, and the URLs of their sockets.
 */

declare const parsed: unique symbol

/** A client's default port (docs/protocol.md §1). */
export const CLIENT_PORT = 7396

/**
 * A host (lower case, IPv6 without brackets) and a port. `nth`: which client behind a host that passes several through,
 * from 2 on; it is written `host:port/clients/2`. Only `parseAddress` makes one: browsers can open it.
 */
export type ClientAddress = {
  readonly host: string
  readonly port: number
  readonly nth?: number
  readonly [parsed]: true
}

/**
 * An address as typed: 'localhost', '192.168.0.7:7396', 'node2.lan', '[::1]:7396', '::1'. The port
 * defaults to 7396. Undefined when it is not an address, or has a scheme or another path than '/clients/2'.
 */
export function parseAddress(typed: string): ClientAddress | undefined {
  const { 1: base = typed, 2: nth } = /^(.*)\/clients\/([2-9]|[1-9]\d)$/i.exec(typed.trim()) ?? []
  const found = hostAndPort(base)
  if (found === undefined) return undefined
  const { host, port = CLIENT_PORT } = found
  return { host, port, ...(nth === undefined ? {} : { nth: Number(nth) }) } as ClientAddress
}

/** The canonical 'host:port', with brackets around IPv6: shown, stored and compared. */
export function formatAddress({ host, port, nth }: Pick<ClientAddress, 'host' | 'port' | 'nth'>): string {
  return `${bracket(host)}:${port}${nth === undefined ? '' : `/clients/${nth}`}`
}

/** The URL of a client's socket (docs/protocol.md §1). */
export function socketUrl(address: ClientAddress, isSecure = false): SocketUrl {
  return `${isSecure ? 'wss' : 'ws'}://${formatAddress(address)}/api/websocket` as SocketUrl
}

/** The account's socket URL of a relay node (`host` or `host:port`); undefined when browsers cannot open it. */
export function nodeSocketUrl(node: string, scheme: 'ws' | 'wss'): SocketUrl | undefined {
  const found = hostAndPort(node)
  if (found === undefined) return undefined
  const port = found.port === undefined ? '' : `:${found.port}`
  return parseSocketUrl(`${scheme}://${bracket(found.host)}${port}/ws/account`)
}

/** Whether the address is this computer. */
export function isLoopback({ host }: Pick<ClientAddress, 'host'>): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)
}

/** Whether a browser treats the address as local network: private or link-local IPs, single-label names, .local. */
export function isLocalNetwork(address: Pick<ClientAddress, 'host'>): boolean {
  return (
    !isLoopback(address) &&
    (/^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address.host) ||
      /^(?:f[cd]|fe[89ab])/.test(address.host.includes(':') ? address.host : '') ||
      /^[^.:]+$/.test(address.host) ||
      /\.(?:local|lan|home|internal)$/.test(address.host))
  )
}

type HostAndPort = { readonly host: string; readonly port: number | undefined }

function hostAndPort(typed: string): HostAndPort | undefined {
  const trimmed = typed.trim().toLowerCase()
  const bracketed = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(trimmed)
  if (bracketed !== null) return addressOf(isIpv6(bracketed[1] ?? ''), bracketed[1], bracketed[2])
  if (isIpv6(trimmed)) return addressOf(true, trimmed, undefined)
  const plain = /^([^:]+)(?::(\d{1,5}))?$/.exec(trimmed)
  return addressOf(isHostName(plain?.[1] ?? ''), plain?.[1], plain?.[2])
}

function addressOf(isHost: boolean, host = '', digits: string | undefined): HostAndPort | undefined {
  const port = digits === undefined ? undefined : Number(digits)
  const isPort = port === undefined || (port >= 1 && port <= 65_535)
  // The rules above miss some cases (invalid internationalized names): the browser's own parser decides.
  return isHost && isPort && URL.canParse(`ws://${bracket(host)}`) ? { host, port } : undefined
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function isIpv6(host: string): boolean {
  if (!/^[0-9a-f:.]+$/.test(host) || !host.includes(':') || host.includes(':::')) return false
  const halves = host.split('::')
  if (halves.length > 2) return false
  const pieces = halves.map(half => (half === '' ? [] : half.split(':')))
  const all = pieces.flat()
  const last = all.at(-1) ?? ''
  const hasIpv4 = last.includes('.')
  const groups = hasIpv4 ? all.slice(0, -1) : all
  if (hasIpv4 && !isIpv4(last)) return false
  if (!groups.every(group => /^[0-9a-f]{1,4}$/.test(group))) return false
  const size = groups.length + (hasIpv4 ? 2 : 0)
  return halves.length === 2 ? size <= 7 : size === 8
}

function isIpv4(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) && host.split('.').every(part => Number(part) <= 255)
}

// Browsers parse a host that ends in a number as IPv4, and fail when it is not.
function isHostName(host: string): boolean {
  if (host.length > 253) return false
  if (/(?:^|\.)\d+$/.test(host)) return isIpv4(host)
  return host.split('.').every(part => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(part))
}
