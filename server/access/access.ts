import type { IncomingHttpHeaders } from 'node:http'
import { createLimiter } from '../../network/api/limiter.ts'
import { isLoopbackAddress, isLoopbackHost, LOOPBACK_NAMES } from '../../network/loopback.ts'
import type { Config, Role, Scope } from '../config/schema.ts'
import { createVerifier, hashSecret, isSameHash, newSecret } from './passwords.ts'
import type { SessionStore } from './session-store.ts'

/** Who made a request, and what they may do. */
export type Identity = {
  readonly name: string
  readonly role: Role
  /** Of a token; undefined for people, whose role decides. */
  readonly scopes?: readonly Scope[]
  /** The hash of the session's cookie; undefined for tokens, proxies, and loopback without users. */
  readonly session?: string
  /** When it ends: epoch milliseconds. */
  readonly expires?: number
}

/** What a route needs. `public`: nothing; the others include each other upwards, except `metrics` and, for tokens, `inputs`. */
export type Need = 'public' | 'metrics' | 'view' | 'inputs' | 'control' | 'administer'

/** The parts of a request that decide about access. */
export type Caller = {
  readonly headers: IncomingHttpHeaders
  /** The IP address of the other end of the connection. */
  readonly remote: string | undefined
  readonly isEncrypted: boolean
}

export type LoginResult =
  | { readonly kind: 'signed-in'; readonly cookie: string; readonly name: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'slow-down'; readonly seconds: number }

export type Access = {
  /** Whether people have to sign in. */
  readonly needsLogin: boolean
  /** Whether Host names this server: false for a host name that was rebound to this computer's address. */
  readonly isOwnHost: (caller: Caller) => boolean
  /** Whether the Origin of a request is this server's own, or absent. `isNeeded`: an absent one is refused. */
  readonly isOwnOrigin: (caller: Caller, isNeeded?: boolean) => boolean
  readonly identify: (caller: Caller) => Promise<Identity | undefined>
  readonly login: (caller: Caller, name: string, password: string) => Promise<LoginResult>
  readonly logout: (identity: Identity) => Promise<string>
  /** Undefined if the caller may go on; else the seconds to wait. */
  readonly secondsToWait: (caller: Caller, what: 'request' | 'socket') => number | undefined
  /** Calls back when the identity may not be used any more. Returns what stops that. */
  readonly whenOver: (identity: Identity, end: () => void) => () => void
  /** Whether what is sent cannot be read on the network: it came by TLS, or from this computer. */
  readonly isConfidential: (caller: Caller) => boolean
  readonly setPort: (port: number) => void
}

const SESSION_MS = 14 * 24 * 3_600_000
const COOKIE = 'foldboard_session'
const MINUTE_MS = 60_000
const LOGIN_ATTEMPTS = 10
const REQUESTS_A_MINUTE = 1_200
/** A page opens a socket for each machine, and all of them again when the connection was lost. */
const SOCKETS_A_MINUTE = 12_000
/** Longest delay of a timer. */
const LONGEST_TIMER = 2 ** 31 - 1

/** On loopback and without users, each user of this computer may do everything that the settings allow. */
const LOCAL_PERSON: Identity = { name: 'local', role: 'administrator' }

export const createAccess = (
  { listen, proxy, users, tokens }: Pick<Config, 'listen' | 'proxy' | 'users' | 'tokens'>,
  sessions: SessionStore,
  now: () => number,
): Access => {
  const needsLogin = users.length > 0
  const verify = createVerifier()
  const attempts = createLimiter({ most: LOGIN_ATTEMPTS, withinMs: MINUTE_MS, now })
  const limits = {
    request: createLimiter({ most: REQUESTS_A_MINUTE, withinMs: MINUTE_MS, now }),
    socket: createLimiter({ most: SOCKETS_A_MINUTE, withinMs: MINUTE_MS, now }),
  }
  const watchers = new Map<string, Set<() => void>>()
  const ownHosts = new Set(listen.origins.map(origin => new URL(origin).host.toLowerCase()))
  let port = listen.port

  const isProxy = ({ remote }: Caller): boolean =>
    remote !== undefined && proxy.addresses.includes(plainAddress(remote))
  const addressOf = (caller: Caller): string => {
    const forwarded = isProxy(caller) ? textOf(caller.headers['x-forwarded-for'])?.split(',').at(-1)?.trim() : undefined
    return forwarded === undefined || forwarded === '' ? plainAddress(caller.remote ?? '') : forwarded.slice(0, 64)
  }
  const isSecure = (caller: Caller): boolean =>
    caller.isEncrypted || (isProxy(caller) && textOf(caller.headers['x-forwarded-proto']) === 'https')

  const isOwnHost = ({ headers }: Caller): boolean => {
    const host = headers.host?.toLowerCase()
    if (host === undefined) return false
    if (ownHosts.has(host)) return true
    return (
      isLoopbackHost(host) &&
      (host.endsWith(`:${port}`) || (!host.replace('[::1]', '').includes(':') && (port === 80 || port === 443)))
    )
  }

  const isOwnOrigin = (caller: Caller, isNeeded = false): boolean => {
    const { origin, host } = caller.headers
    if (origin === undefined) return !isNeeded
    if (listen.origins.includes(origin)) return true
    const own = LOOPBACK_NAMES.some(
      name => isOwnHost({ ...caller, headers: { host } }) && host?.toLowerCase().startsWith(name) === true,
    )
    return own && origin === `${isSecure(caller) ? 'https' : 'http'}://${host?.toLowerCase() ?? ''}`
  }

  const identifyToken = (secret: string): Identity | undefined => {
    const hash = hashSecret(secret)
    const found = tokens.find(token => isSameHash(token.hash, hash))
    if (found === undefined || found.expires.getTime() <= now()) return undefined
    const { name, scopes, expires } = found
    return {
      name: `token ${name}`,
      role: scopes.includes('control') ? 'operator' : 'viewer',
      scopes,
      expires: expires.getTime(),
    }
  }

  const identifySession = async (secret: string): Promise<Identity | undefined> => {
    const session = hashSecret(secret)
    const found = await sessions.find(session, now())
    // The settings decide: a user who was removed, or has another role now, is known by their name only.
    const user = users.find(({ name }) => name === found?.user)
    return found === undefined || user === undefined
      ? undefined
      : { name: user.name, role: user.role, session, expires: found.expires }
  }

  return {
    needsLogin,
    isOwnHost,
    isOwnOrigin,
    identify: async caller => {
      const bearer = /^Bearer ([\w-]{20,200})$/.exec(caller.headers.authorization ?? '')?.[1]
      if (bearer !== undefined) return identifyToken(bearer)
      if (!needsLogin) return LOCAL_PERSON
      const header = proxy['user-header']
      const named = header === undefined || !isProxy(caller) ? undefined : textOf(caller.headers[header.toLowerCase()])
      const trusted = users.find(({ name }) => name === named)
      if (trusted !== undefined) return { name: trusted.name, role: trusted.role }
      const cookie = cookieOf(caller.headers.cookie)
      return cookie === undefined ? undefined : identifySession(cookie)
    },
    login: async (caller, name, password) => {
      const address = addressOf(caller)
      const seconds = attempts.secondsToWait(address)
      if (seconds !== undefined) return { kind: 'slow-down', seconds }
      attempts.count(address)
      const user = users.find(known => known.name === name)
      const isRight = await verify(password, user?.password)
      if (isRight === 'busy') return { kind: 'slow-down', seconds: 2 }
      if (!isRight || user === undefined) return { kind: 'wrong' }
      attempts.reset(address)
      const secret = newSecret()
      await sessions.add({ hash: hashSecret(secret), user: user.name, expires: now() + SESSION_MS }, now())
      const secure = isSecure(caller) ? '; Secure' : ''
      return {
        kind: 'signed-in',
        name: user.name,
        cookie: `${COOKIE}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_MS / 1000}${secure}`,
      }
    },
    logout: async ({ session }) => {
      if (session !== undefined) {
        await sessions.remove(session)
        for (const end of [...(watchers.get(session) ?? [])]) end()
      }
      return `${COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`
    },
    secondsToWait: (caller, what) => {
      const address = addressOf(caller)
      const seconds = limits[what].secondsToWait(address)
      if (seconds === undefined) limits[what].count(address)
      return seconds
    },
    whenOver: ({ session, expires }, end) => {
      const key = session ?? ''
      const ends = watchers.get(key) ?? new Set()
      if (session !== undefined) watchers.set(key, ends.add(end))
      const timer =
        expires === undefined ? undefined : setTimeout(end, Math.min(LONGEST_TIMER, Math.max(0, expires - now())))
      return () => {
        clearTimeout(timer)
        ends.delete(end)
        if (ends.size === 0) watchers.delete(key)
      }
    },
    isConfidential: caller =>
      isSecure(caller) ||
      (!isProxy(caller) && isLoopbackAddress(plainAddress(caller.remote ?? '')) && isLoopbackHost(caller.headers.host)),
    setPort: bound => {
      port = bound
    },
  }
}

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, administrator: 3 }
const NEEDED: Readonly<Record<Exclude<Need, 'public' | 'metrics'>, number>> = {
  view: 1,
  inputs: 2,
  control: 2,
  administer: 3,
}

/** Whether a user or program may use a route. */
export const mayUse = (identity: Identity | undefined, need: Need): boolean => {
  if (need === 'public') return true
  if (identity === undefined) return false
  const { role, scopes } = identity
  if (scopes === undefined) return need === 'metrics' || RANKS[role] >= NEEDED[need]
  if (need === 'metrics') return scopes.includes('metrics') || scopes.includes('read')
  if (need === 'view') return scopes.includes('read') || scopes.includes('control')
  if (need === 'inputs') return scopes.includes('inputs') || scopes.includes('control')
  return need === 'control' && scopes.includes('control')
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0]

/** IPv4 addresses of a socket that listens to both kinds are written as IPv6. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d)/, '')

const cookieOf = (header: string | undefined): string | undefined =>
  header
    ?.slice(0, 8192)
    .split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)
