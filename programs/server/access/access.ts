import { createLimiter } from '../../host/limiter.ts'
import type { Config, Role, Scope } from '../config/schema.ts'
import { refusalOf, type Ask } from './admission.ts'
import { createCallers, textOf, type Caller } from './caller.ts'
import { createGuesses } from './guesses.ts'
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

/** Whether a request is looked at, and in whose name: undefined for somebody who has not signed in. */
export type Admission =
  | { readonly kind: 'admitted'; readonly identity: Identity | undefined }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 403 | 421 | 429; readonly text: string; seconds?: number }

export type LoginResult =
  | { readonly kind: 'signed-in'; readonly cookie: string; readonly name: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'slow-down'; readonly seconds: number }

export type Access = {
  /** Decides about a request, by the rules of admission.ts, its limits and its credentials: the only way to an identity. */
  readonly admit: (caller: Caller, asks: Ask) => Promise<Admission>
  readonly login: (caller: Caller, name: string, password: string) => Promise<LoginResult>
  readonly logout: (caller: Caller, identity: Identity) => Promise<string>
  /** Ends what uses sessions that were ended elsewhere. */
  readonly lookAtSessions: () => Promise<void>
  /** Calls back when the identity may not be used any more. Returns what stops that. */
  readonly whenOver: (identity: Identity, end: () => void) => () => void
  /** Whether what is sent cannot be read on the network: it came by TLS, or from this computer. */
  readonly isConfidential: (caller: Caller) => boolean
  readonly setPort: (port: number) => void
}

const SESSION_MS = 14 * 24 * 3_600_000
const COOKIE = 'foldboard_session'
const MINUTE_MS = 60_000
const REQUESTS_A_MINUTE = 1_200
/** A page opens a socket for each client, and all of them again when the connection was lost. */
const SOCKETS_A_MINUTE = 12_000
/** Longest delay of a timer. */
const LONGEST_TIMER = 2 ** 31 - 1

/** On loopback and without users, each user of this computer may do everything that the settings allow. */
const LOCAL_PERSON: Identity = { name: 'local', role: 'administrator' }

export function createAccess(
  { listen, proxy, users, tokens }: Pick<Config, 'listen' | 'proxy' | 'users' | 'tokens'>,
  sessions: SessionStore,
  now: () => number,
  /** Milliseconds of a clock that is never set. */
  elapsed = (): number => performance.now(),
): Access {
  const verify = createVerifier()
  const guesses = createGuesses(elapsed)
  const limits = {
    request: createLimiter({ most: REQUESTS_A_MINUTE, withinMs: MINUTE_MS, now: elapsed }),
    socket: createLimiter({ most: SOCKETS_A_MINUTE, withinMs: MINUTE_MS, now: elapsed }),
  }
  const watchers = new Map<string, Set<() => void>>()
  const endSession = (session: string): void => {
    for (const end of [...(watchers.get(session) ?? [])]) end()
  }
  let port = listen.port
  const callers = createCallers({ listen, proxy, users, port: () => port })

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

  /** A name that nobody has takes as long as one of those that somebody has, and the same each time. */
  const hashInsteadOf = (name: string): string | undefined => {
    const hashes = users.flatMap(({ password }) => password ?? [])
    return hashes[Number.parseInt(hashSecret(name).slice(0, 8), 16) % hashes.length]
  }

  const identifySession = async (secret: string): Promise<Identity | undefined> => {
    const session = hashSecret(secret)
    const found = await sessions.find(session, now())
    // The settings decide: a user who was removed, or has another role now, is known by their name only.
    const user = users.find(({ name }) => name === found?.user)
    return found === undefined || user === undefined || found.made_with !== madeWith(user)
      ? undefined
      : { name: user.name, role: user.role, session, expires: found.expires }
  }

  /** A credential that is not right is never as good as none. */
  const identifyByHeader = (caller: Caller): Identity | 'none' | 'refused' => {
    const userHeader = callers.isProxy(caller) ? proxy['user-header'] : undefined
    const { authorization } = caller.headers
    const bearer = /^Bearer ([\w-]{20,200})$/.exec(authorization ?? '')?.[1]
    if (bearer !== undefined) return identifyToken(bearer) ?? 'refused'
    // A proxy that signs people in may pass on what they told it.
    if (authorization !== undefined && (userHeader === undefined || /^Bearer\b/i.test(authorization))) return 'refused'
    const named = userHeader === undefined ? undefined : textOf(caller.headers[userHeader.toLowerCase()])
    if (named === undefined || named === '') return 'none'
    const user = users.find(({ name }) => name === named)
    return user === undefined ? 'refused' : { name: user.name, role: user.role }
  }

  const identifyByCookie = async (caller: Caller): Promise<Identity | undefined> => {
    if (users.length === 0) return LOCAL_PERSON
    const cookie = cookieOf(caller.headers.cookie, callers.isSecure(caller))
    return cookie === undefined ? undefined : identifySession(cookie)
  }

  return {
    admit: async (caller, asks) => {
      const found = identifyByHeader(caller)
      const credential = typeof found === 'string' ? found : found.scopes === undefined ? 'proxy' : 'token'
      const refusal = refusalOf({ ...callers.factsOf(caller, asks), credential })
      if (refusal !== undefined) return { kind: 'refused', status: refusal.status, text: refusal.text }
      if (asks !== 'file') {
        const limit = limits[asks === 'socket' ? 'socket' : 'request']
        const address = callers.networkOf(caller)
        const seconds = limit.secondsToWait(address)
        if (seconds !== undefined) return { kind: 'refused', status: 429, text: 'Too many requests', seconds }
        limit.count(address)
      }
      if (asks === 'health') return { kind: 'admitted', identity: undefined }
      return { kind: 'admitted', identity: typeof found === 'string' ? await identifyByCookie(caller) : found }
    },
    login: async (caller, name, password) => {
      const address = callers.networkOf(caller)
      const seconds = guesses.secondsToWait(name, address)
      if (seconds !== undefined) return { kind: 'slow-down', seconds }
      const guess = guesses.begin(name, address)
      const user = users.find(candidate => candidate.name === name)
      const isRight = await verify(password, user?.password ?? hashInsteadOf(name), user?.password !== undefined)
      if (isRight === 'busy') return { kind: 'slow-down', seconds: 2 }
      if (!isRight || user === undefined) return { kind: 'wrong' }
      guess.right()
      const secret = newSecret()
      const session = { hash: hashSecret(secret), user: user.name, made_with: madeWith(user) }
      await sessions.add({ ...session, expires: now() + SESSION_MS }, now())
      return {
        kind: 'signed-in',
        name: user.name,
        cookie: cookieText(secret, SESSION_MS / 1000, callers.isSecure(caller)),
      }
    },
    logout: async (caller, { session }) => {
      if (session !== undefined) {
        await sessions.remove(session)
        endSession(session)
      }
      return cookieText('', 0, callers.isSecure(caller))
    },
    lookAtSessions: async () => {
      for (const session of [...watchers.keys()])
        if ((await sessions.find(session, now())) === undefined) endSession(session)
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
    isConfidential: callers.isConfidential,
    setPort: bound => {
      port = bound
    },
  }
}

/** A session ends when the password changes with which it was made. */
function madeWith({ password = '' }: Config['users'][number]): string {
  return hashSecret(password)
}

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, administrator: 3 }
const NEEDED: Readonly<Record<Exclude<Need, 'public' | 'metrics'>, number>> = {
  view: 1,
  inputs: 2,
  control: 2,
  administer: 3,
}

/** Whether a user or program may use a route. */
export function mayUse(identity: Identity | undefined, need: Need): boolean {
  if (need === 'public') return true
  if (identity === undefined) return false
  const { role, scopes } = identity
  if (scopes === undefined) return need === 'metrics' || RANKS[role] >= NEEDED[need]
  if (need === 'metrics') return scopes.includes('metrics') || scopes.includes('read')
  if (need === 'view') return scopes.includes('read') || scopes.includes('control')
  if (need === 'inputs') return scopes.includes('inputs') || scopes.includes('control')
  return need === 'control' && scopes.includes('control')
}

/** Of an encrypted connection: no page of another host name and no unencrypted one can set it. */
function cookieName(isSecure: boolean): string {
  return isSecure ? `__Host-${COOKIE}` : COOKIE
}

function cookieText(secret: string, seconds: number, isSecure: boolean): string {
  return `${cookieName(isSecure)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
}

function cookieOf(header: string | undefined, isSecure: boolean): string | undefined {
  const start = `${cookieName(isSecure)}=`
  return header
    ?.slice(0, 8192)
    .split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(start))
    ?.slice(start.length)
}
