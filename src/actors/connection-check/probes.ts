import * as v from 'valibot'
import {
  type ApiResult,
  type HostResult,
  type PermissionResult,
  type ProbeResults,
  type ReadingResult,
  type RedirectResult,
  type RelayResult,
  type RequestResult,
  type SocketResult,
  isOwnServer,
  needsPermission,
  otherAddresses,
} from '../../folding/client/connection-diagnosis.ts'
import { formatAddress, isLoopback, socketUrl, type ClientAddress } from '../../folding/address/address.ts'
import { readBrowser, type BrowserHints } from '../../folding/shared/browser.ts'
import type { CheckEnvironment, ProbeReport } from '../../machines/connection/check/connection-check.events.ts'
import { utf8Text } from '../../protocol/crypto/bytes.ts'
import { decodeClientMessage } from '../../protocol/client/client-message.ts'
import { type SocketUrl, type WebUrl, below } from '../../protocol/url.ts'
import { readBoundedText } from '../limits.ts'

/** What this module uses of a browser's socket. */
export type ProbeSocket = {
  binaryType: string
  close(): void
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: object) => void): void
}

export type ProbeDeps = {
  readonly fetch: typeof globalThis.fetch
  /** Throws where the browser forbids the address. */
  readonly createSocket: (url: SocketUrl) => ProbeSocket
  /** Rejects where the browser has no permission of this name. */
  readonly queryPermission: (name: string) => Promise<'granted' | 'denied' | 'prompt'>
  /** Fetches without reading, from inside a frame that may connect to `origin` alone: a redirect elsewhere fails. */
  readonly fetchInFrame: (origin: string) => Promise<ConfinedFetch>
  readonly page: CheckEnvironment['page']
  readonly readHints: () => Promise<BrowserHints>
  readonly apiUrl: WebUrl
  readonly account: () => ProbedAccount
  readonly now: () => number
  /** Milliseconds for each probe. */
  readonly timeLimit: number
}

export type ConfinedFetch = {
  readonly fetch: (url: string, signal: AbortSignal) => Promise<unknown>
  readonly close: () => void
}

/** Who is signed in, and their relay. */
export type ProbedAccount = { readonly id: string | undefined; readonly relayUrl: SocketUrl | undefined }

type Run = {
  readonly deps: ProbeDeps
  readonly address: ClientAddress
  readonly signal: AbortSignal
}

/** Runs all probes of one address. Reports each result when it is known; never rejects. */
export async function runProbes(
  deps: ProbeDeps,
  address: ClientAddress,
  signal: AbortSignal,
  report: (fact: ProbeReport) => void,
): Promise<void> {
  const run: Run = { deps, address, signal }
  const { page } = deps
  const account = deps.account()
  const browser = readBrowser(await deps.readHints())
  report({ type: 'probes.began', environment: { page, browser, isSignedIn: account.id !== undefined } })
  const find = async <Name extends keyof ProbeResults>(
    name: Name,
    result: Promise<ProbeResults[Name]>,
  ): Promise<ProbeResults[Name]> => {
    const found = await result
    if (!signal.aborted) report({ type: 'probes.found', results: { [name]: found } })
    return found
  }
  const isOwn = isOwnServer({ page, address })
  const socket = find('socket', probeSocket(run, account.id))
  const alone = [
    find('permission', probePermission(run)),
    find('api', probeApi(run)),
    find('relay', probeRelay(run, account.relayUrl)),
  ]
  await Promise.all([...alone, isOwn ? tryOwnServer(run, socket, find) : tryAddress(run, socket, find)])
  report({ type: 'probes.ended' })
}

type Find = <Name extends keyof ProbeResults>(
  name: Name,
  result: Promise<ProbeResults[Name]>,
) => Promise<ProbeResults[Name]>

/** The page's own server forwards to a client, or is one. */
async function tryOwnServer(run: Run, socket: Promise<SocketResult | undefined>, find: Find): Promise<void> {
  if (hasOpened(await socket)) return
  const host = await find('host', probeHost(run))
  if (host?.outcome === 'none') await find('reading', probeReading(run))
  if (host?.outcome !== 'away') await find('elsewhere', probeElsewhere(run))
}

async function tryAddress(run: Run, socket: Promise<SocketResult | undefined>, find: Find): Promise<void> {
  if (hasOpened(await socket)) return
  const request = await find('request', probeRequest(run, run.address))
  if (request === 'answered') {
    const reading = await find('reading', probeReading(run))
    if (reading === 'unreadable') await find('redirect', probeRedirect(run))
  }
  await find('elsewhere', probeElsewhere(run))
}

function hasOpened(socket: SocketResult | undefined): boolean {
  return socket?.outcome === 'client' || socket?.outcome === 'other' || socket?.outcome === 'silent'
}

const TIMEOUT = Symbol('timeout')

/** The result of `work`, or TIMEOUT. */
async function inTime<T>(
  { deps, signal }: Run,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof TIMEOUT> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(deps.timeLimit)])
  return Promise.race([
    work(ended),
    new Promise<typeof TIMEOUT>(resolve => {
      if (ended.aborted) resolve(TIMEOUT)
      ended.addEventListener('abort', () => resolve(TIMEOUT), { once: true })
    }),
  ])
}

const QUIETLY = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit

function httpOrigin(address: Pick<ClientAddress, 'host' | 'port'>): string {
  return `http://${formatAddress(address)}`
}

/** Browsers allow pages loaded over HTTPS plain HTTP requests only to this computer. */
function isMixed({ deps: { page } }: Run, address: Pick<ClientAddress, 'host'>): boolean {
  return page.origin.startsWith('https:') && !isLoopback(address)
}

async function probeSocket(run: Run, account: string | undefined): Promise<SocketResult> {
  const { page } = run.deps
  const isSecure = page.origin.startsWith('https:') && isOwnServer({ page, address: run.address })
  let socket: ProbeSocket
  try {
    socket = run.deps.createSocket(socketUrl(run.address, isSecure))
  } catch {
    return { outcome: 'blocked' }
  }
  const seen = { open: false }
  socket.binaryType = 'arraybuffer'
  const result = await inTime(
    run,
    () =>
      new Promise<SocketResult>(resolve => {
        socket.addEventListener('open', () => (seen.open = true))
        socket.addEventListener('error', () => undefined)
        socket.addEventListener('close', () => resolve({ outcome: seen.open ? 'other' : 'failed' }))
        socket.addEventListener('message', event => resolve(firstMessage(event, account)))
      }),
  )
  socket.close()
  return result === TIMEOUT ? { outcome: seen.open ? 'silent' : 'timeout' } : result
}

function firstMessage(event: object, account: string | undefined): SocketResult {
  const data: unknown = 'data' in event ? event.data : undefined
  const text = typeof data === 'string' ? data : data instanceof ArrayBuffer ? utf8Text(data) : ''
  const snapshot = decodeClientMessage(text).find(({ type }) => type === 'snapshot.received')
  if (snapshot?.type !== 'snapshot.received') return { outcome: 'other' }
  const { version, account: linked } = snapshot.data.info
  const isLinked = typeof linked === 'string' && linked !== ''
  return {
    outcome: 'client',
    version: typeof version === 'string' ? version : undefined,
    link: !isLinked ? 'none' : linked === account ? 'own' : 'other',
  }
}

/** Chrome had one permission for both kinds of addresses before it had two. */
function permissionNames(address: ClientAddress): readonly string[] {
  return [isLoopback(address) ? 'loopback-network' : 'local-network', 'local-network-access']
}

async function probePermission({ deps, address }: Run): Promise<PermissionResult> {
  if (!needsPermission({ page: deps.page, address })) return 'none'
  for (const name of permissionNames(address)) {
    const state = await deps.queryPermission(name).catch(() => undefined)
    if (state !== undefined) return state
  }
  return 'none'
}

/** Without a callback, clients send the browser to another site (docs/protocol.md §10). */
const CALLBACK = 'foldboard'
const PING = `/ping?callback=${CALLBACK}`

/** Asks one server alone: a request whose answer is not read has to follow redirects, and in a frame it cannot. */
function inFrame<T>(
  run: Run,
  origin: string,
  work: (answers: (path: string) => Promise<boolean>) => Promise<T>,
): Promise<T | typeof TIMEOUT> {
  return inTime(run, async signal => {
    const frame = await run.deps.fetchInFrame(origin)
    try {
      return await work(path =>
        frame.fetch(`${origin}${path}`, signal).then(
          () => true,
          () => false,
        ),
      )
    } finally {
      frame.close()
    }
  })
}

/** Whether anything answers. The answer itself is opaque. */
async function probeRequest(run: Run, address: Pick<ClientAddress, 'host' | 'port'>): Promise<RequestResult> {
  if (isMixed(run, address)) return 'blocked'
  const result = await inFrame(run, httpOrigin(address), answers => answers(PING)).catch(() => false)
  if (result === TIMEOUT) return 'timeout'
  return result ? 'answered' : 'failed'
}

/** It is read as text, and never run. */
const PING_ANSWER = /^\s*foldboard\(\{[^]*"redirect"/
const ANSWER_BYTES = 4096

async function probeReading(run: Run): Promise<ReadingResult> {
  const { page } = run.deps
  const origin = isOwnServer({ page, address: run.address }) ? page.origin : httpOrigin(run.address)
  const text = await inTime(run, signal =>
    run.deps
      .fetch(`${origin}${PING}`, { ...QUIETLY, mode: 'cors', redirect: 'error', signal })
      .then(async answer => (await readBoundedText(answer, ANSWER_BYTES)) ?? '')
      .catch(() => undefined),
  )
  if (text === TIMEOUT || text === undefined) return 'unreadable'
  return PING_ANSWER.test(text) ? 'client' : 'other'
}

/**
 * A client that refuses a page answers `/ping` to every page, and sends everything else to another site. A frame that may
 * connect to the client alone fails on the second, without asking that site, and not on the first.
 */
async function probeRedirect(run: Run): Promise<RedirectResult> {
  const result = await inFrame(run, httpOrigin(run.address), async (answers): Promise<RedirectResult> => {
    if (!(await answers(PING))) return 'unknown'
    return (await answers('/')) ? 'stays' : 'leaves'
  }).catch(() => 'unknown' as const)
  return result === TIMEOUT ? 'unknown' : result
}

async function probeElsewhere(run: Run): Promise<string | undefined> {
  for (const address of otherAddresses(run.address))
    if ((await probeRequest(run, address)) === 'answered') return formatAddress(address)
  return undefined
}

const hostSchema = v.object({
  client: v.pipe(v.string(), v.maxLength(300)),
  peer: v.picklist(['client', 'simulated', 'none', 'silent', 'other']),
})

/** Foldboard's own server reports what `/api/websocket` is forwarded to. */
async function probeHost(run: Run): Promise<HostResult> {
  const text = await inTime(run, signal =>
    run.deps
      .fetch(`${run.deps.page.origin}/api/client`, { ...QUIETLY, redirect: 'error', signal })
      .then(async answer => (await readBoundedText(answer, ANSWER_BYTES)) ?? '')
      .catch(() => undefined),
  )
  if (text === undefined || text === TIMEOUT) return { outcome: 'away' }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), hostSchema), text)
  return parsed.success
    ? { outcome: 'passes', clientAddress: parsed.output.client, peer: parsed.output.peer }
    : { outcome: 'none' }
}

/** Milliseconds. After a longer round trip the server's time is too uncertain. */
const TELLING_TRIP = 5000

async function probeApi(run: Run): Promise<ApiResult> {
  const { fetch, apiUrl, now } = run.deps
  const sentAt = now()
  const answer = await inTime(run, signal =>
    fetch(below(apiUrl, '/project/cause'), { ...QUIETLY, redirect: 'error', signal }).catch(() => undefined),
  )
  if (answer === TIMEOUT || answer === undefined) return { outcome: 'failed' }
  await answer.body?.cancel().catch(() => undefined)
  const heardAt = now()
  const date = Date.parse(answer.headers.get('Date') ?? '')
  // The header has whole seconds; it was written about half-way between question and answer.
  return Number.isFinite(date) && heardAt - sentAt <= TELLING_TRIP
    ? { outcome: 'answered', offset: Math.round(date + 500 - (sentAt + heardAt) / 2) }
    : { outcome: 'answered' }
}

/** Opens a socket and closes it again without logging in. */
async function probeRelay(run: Run, url: SocketUrl | undefined): Promise<RelayResult> {
  if (url === undefined) return 'none'
  let socket: ProbeSocket
  try {
    socket = run.deps.createSocket(url)
  } catch {
    return 'failed'
  }
  const result = await inTime(
    run,
    () =>
      new Promise<RelayResult>(resolve => {
        socket.addEventListener('open', () => resolve('answered'))
        socket.addEventListener('error', () => undefined)
        socket.addEventListener('close', () => resolve('failed'))
      }),
  )
  socket.close()
  return result === TIMEOUT ? 'failed' : result
}
