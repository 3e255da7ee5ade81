/*
 * Why a page cannot reach a client, decided from what was tried. A browser gives no reason (docs/protocol.md §17), and a client
 * that refuses a page answers like one that is not there (docs/protocol.md §10), so only several results together tell.
 */
import { isAtLeast, MIN_VERSION_FOR_ACTIONS, parseVersion } from '../../protocol/client/version.ts'
import { CLIENT_PORT, formatAddress, isLocalNetwork, isLoopback, type ClientAddress } from '../address/address.ts'
import type { Browser } from '../shared/browser.ts'

/** The state of the permission that pages need for the local network; 'none' where none is needed, or the browser has no such permission. */
export type PermissionResult = 'granted' | 'denied' | 'prompt' | 'none'

/** A WebSocket to the client. */
export type SocketResult =
  /** It sent what clients send first. `link`: the account that it reports to belong to. */
  | { readonly outcome: 'client'; readonly version: string | undefined; readonly link: 'own' | 'other' | 'none' }
  /** It opened, and sent something else. */
  | { readonly outcome: 'other' }
  /** It opened, and nothing came. */
  | { readonly outcome: 'silent' }
  | { readonly outcome: 'failed' }
  /** The browser refused even to try. */
  | { readonly outcome: 'blocked' }
  | { readonly outcome: 'timeout' }

/** A request whose answer may not be read: whether there was one. */
export type RequestResult = 'answered' | 'failed' | 'blocked' | 'timeout'

/** A request whose answer may be read if the other side allows it. */
export type ReadingResult = 'client' | 'other' | 'unreadable'

/** Whether the address sends browsers to another site, as clients do unless they serve pages themselves. */
export type RedirectResult = 'leaves' | 'stays' | 'unknown'

/** What the server of this page reports of the client that it passes the page on to. */
export type HostResult =
  | { readonly outcome: 'passes'; readonly clientAddress: string; readonly peer: HostPeer }
  /** It passes nothing on. */
  | { readonly outcome: 'none' }
  /** It does not answer any more. */
  | { readonly outcome: 'away' }

export type HostPeer = 'client' | 'simulated' | 'none' | 'silent' | 'other'

/** `offset`: the server's clock minus this computer's in milliseconds, where it can be read. */
export type ApiResult = { readonly outcome: 'answered'; readonly offset?: number } | { readonly outcome: 'failed' }

/** `none`: no account is signed in, or the account has no relay. */
export type RelayResult = 'answered' | 'failed' | 'none'

export type ProbeResults = {
  readonly permission?: PermissionResult
  readonly socket?: SocketResult
  readonly request?: RequestResult
  readonly reading?: ReadingResult
  readonly redirect?: RedirectResult
  /** Another address at which something answers, as host:port. */
  readonly elsewhere?: string | undefined
  readonly host?: HostResult
  readonly api?: ApiResult
  readonly relay?: RelayResult
}

export type ProbeName = keyof ProbeResults

/** In the order in which they are shown. */
export const PROBES: readonly ProbeName[] = [
  'permission',
  'socket',
  'request',
  'reading',
  'redirect',
  'elsewhere',
  'host',
  'api',
  'relay',
]

export type CheckedPage = {
  /** `https://board.example.org`: what a client must be told to trust. */
  readonly origin: string
  readonly isSecureContext: boolean
}

export type CheckFacts = {
  /** Whether one client was asked about, or the page as a whole. */
  readonly subject: 'client' | 'page'
  readonly address: ClientAddress
  readonly page: CheckedPage
  readonly browser: Browser
  readonly isSignedIn: boolean
  readonly results: ProbeResults
}

/** Every diagnosis. 'connected': nothing is wrong. */
export const DIAGNOSES = [
  'connected',
  'clientNotRunning',
  'noAnswer',
  'hostAway',
  'originRefused',
  'mixedContent',
  'permissionDenied',
  'permissionPending',
  'insecurePage',
  'braveShields',
  'safari',
  'wrongPort',
  'otherProgram',
  'socketBlocked',
  'clientTooOld',
  'clockWrong',
  'apiUnreachable',
  'relayUnreachable',
  'tokenWrong',
] as const

export type Diagnosis = (typeof DIAGNOSES)[number]

/** A clock this far out makes clients ignore commands and relays refuse logins (docs/protocol.md §5, §11.3). Milliseconds. */
export const CLOCK_LIMIT = 60_000

/** The one thing that keeps the page from the client; never more than one, so that there is one thing to do. */
export function diagnose(facts: CheckFacts): Diagnosis {
  const account = accountDiagnosis(facts)
  if (facts.subject === 'page' && account !== undefined) return account
  const { socket } = facts.results
  if (socket?.outcome === 'client') {
    const { version, link } = socket
    if (parseVersion(version) !== undefined && !isAtLeast(version, MIN_VERSION_FOR_ACTIONS)) return 'clientTooOld'
    if (isClockWrong(facts.results)) return 'clockWrong'
    if (account !== undefined) return account
    return facts.isSignedIn && link === 'none' ? 'tokenWrong' : 'connected'
  }
  if (socket?.outcome === 'other' || socket?.outcome === 'silent') return 'otherProgram'
  return isOwnServer(facts) ? ownServerDiagnosis(facts) : foreignDiagnosis(facts)
}

/** Whether the browser asks before the page may reach the address: it is nearer to this computer than the page's server. */
export function needsPermission({ page, address }: Pick<CheckFacts, 'page' | 'address'>): boolean {
  return nearness(address) > nearness({ host: hostOf(page) })
}

/** Whether the address is the page's own: the client serves the page, or the page's server passes it on to a client. */
export function isOwnServer({ page, address }: Pick<CheckFacts, 'page' | 'address'>): boolean {
  if (!URL.canParse(page.origin)) return false
  const { port, protocol } = new URL(page.origin)
  const ownPort = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return hostOf(page) === address.host && ownPort === address.port
}

function accountDiagnosis({ isSignedIn, results }: CheckFacts): Diagnosis | undefined {
  if (!isSignedIn) return undefined
  if (results.api?.outcome === 'failed') return 'apiUnreachable'
  if (results.relay !== 'failed') return undefined
  // A relay that is reached and a login that it refuses look alike; a wrong clock is the one thing that explains both.
  return isClockWrong(results) ? 'clockWrong' : 'relayUnreachable'
}

function isClockWrong({ api }: ProbeResults): boolean {
  return api?.outcome === 'answered' && Math.abs(api.offset ?? 0) > CLOCK_LIMIT
}

function ownServerDiagnosis(facts: CheckFacts): Diagnosis {
  const { host, reading, elsewhere } = facts.results
  if (host?.outcome === 'away') return 'hostAway'
  if (host?.outcome === 'passes') {
    if (host.peer === 'none') return elsewhere === undefined ? 'clientNotRunning' : 'wrongPort'
    if (host.peer === 'silent') return 'noAnswer'
    if (host.peer === 'other') return 'otherProgram'
    return facts.browser.name === 'brave' ? 'braveShields' : 'socketBlocked'
  }
  // The client serves this page, but trusts only some of the names under which it can be opened.
  if (reading === 'client') return 'originRefused'
  return elsewhere === undefined ? 'clientNotRunning' : 'wrongPort'
}

function foreignDiagnosis(facts: CheckFacts): Diagnosis {
  const { address, page, browser, results } = facts
  const { permission, request, socket } = results
  const isSecurePage = page.origin.startsWith('https:')
  if (request === 'answered') return answeredDiagnosis(facts)
  if (isSecurePage && browser.name === 'safari') return 'safari'
  if (isSecurePage && !isLoopback(address)) return 'mixedContent'
  if (needsPermission(facts)) {
    if (permission === 'denied') return 'permissionDenied'
    if (permission !== undefined && permission !== 'none' && !page.isSecureContext) return 'insecurePage'
    if (permission === 'prompt') return 'permissionPending'
    if (browser.name === 'brave') return 'braveShields'
  }
  if (results.elsewhere !== undefined) return 'wrongPort'
  if (request === 'timeout' || (request === undefined && socket?.outcome === 'timeout')) return 'noAnswer'
  return socket?.outcome === 'blocked' ? 'socketBlocked' : 'clientNotRunning'
}

/** Something is there that answers HTTP, and gave the page no socket. */
function answeredDiagnosis({ address, page, browser, results }: CheckFacts): Diagnosis {
  const { reading, redirect, elsewhere, permission, socket } = results
  if (reading === 'client') {
    if (permission === 'denied') return 'permissionDenied'
    return browser.name === 'brave' ? 'braveShields' : 'socketBlocked'
  }
  if (reading === 'other' || redirect === 'stays')
    return elsewhere !== undefined && address.port !== CLIENT_PORT ? 'wrongPort' : 'otherProgram'
  return socket?.outcome === 'blocked' && page.origin.startsWith('https:') ? 'mixedContent' : 'originRefused'
}

/** 2: this computer, 1: the local network, 0: the internet. */
function nearness(address: Pick<ClientAddress, 'host'>): number {
  return isLoopback(address) ? 2 : isLocalNetwork(address) ? 1 : 0
}

/** The origin of a page that was opened as a file is 'null'. */
function hostOf({ origin }: CheckedPage): string {
  return URL.canParse(origin) ? new URL(origin).hostname.replace(/^\[|\]$/g, '') : ''
}

/** Where else a client may be: its usual port, and this computer by the number that clients listen on. */
export function otherAddresses(address: ClientAddress): readonly Pick<ClientAddress, 'host' | 'port'>[] {
  const formatted = formatAddress(address)
  const candidates = [
    { host: address.host, port: CLIENT_PORT },
    { host: '127.0.0.1', port: CLIENT_PORT },
  ]
  const seen = new Set([formatted])
  return candidates.filter(candidate => {
    const text = formatAddress(candidate)
    return seen.has(text) ? false : seen.add(text)
  })
}
