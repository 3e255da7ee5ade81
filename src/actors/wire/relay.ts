import { encodeBase64Url } from '../../protocol/crypto/base64.ts'
import { randomBytes, utf8Text } from '../../protocol/crypto/bytes.ts'
import type { OpenedLogin, SessionCipher } from '../../protocol/crypto/envelope.ts'
import {
  createBroadcast,
  createLogin,
  createSessionCipher,
  openMachineLogin,
  verifyBroadcast,
} from '../../protocol/crypto/envelope.ts'
import { decodeClientContent } from '../../protocol/client-message.ts'
import type { Fault } from '../../protocol/fault.ts'
import { isoTime } from '../../protocol/iso-time.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import { idOfKey } from '../../protocol/crypto/keys.ts'
import { createConcurrencyLimit } from '../../protocol/concurrency-limit.ts'
import { createIvSet } from '../../protocol/crypto/iv-set.ts'
import { createOrderedQueue } from '../../protocol/ordered-queue.ts'
import type { Broadcast, Connect, FromMachine } from '../../protocol/relay-message.ts'
import { decodeRelayMessage } from '../../protocol/relay-message.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import {
  AGE_CHECK,
  AGE_CHECK_PER_SESSION,
  RELAY_ALIVE_INTERVAL,
  RENEWAL_DELAY,
  RENEWAL_INTERVAL,
  RENEWAL_PER_CLIENT,
  RENEWAL_TIMEOUT,
} from '../pacing.ts'
import type { HubDeps, LinkReport, RelayReport, Socket } from './hub.types.ts'
import type { Session } from './session.ts'
import { createSession } from './session.ts'

/** Logins that are decrypted at a time. */
const LOGINS_AT_ONCE = 2

const SESSION_BYTES = 12

/** How often a renewal that has to wait is tried. Milliseconds. */
const RENEWAL_STEP = 250

export type RelayOptions = { readonly url: SocketUrl; readonly keys: AccountKeys; readonly session: string }

export type Relay = {
  openSession(client: string, tell: TellLink): Session
  broadcast(payload: JsonObject): void
  probe(client: string): void
  /** Replaces the connection by a new one, which ends sessions at clients. Those that are used go on. */
  renew(): void
  /** Milliseconds between requests of the full state of each client, in place of changes; undefined to follow changes. */
  sample(interval: number | undefined): void
  close(): void
}

export type TellLink = (at: number, facts: readonly LinkReport[]) => void
type TellRelay = (at: number, facts: readonly RelayReport[]) => void

/** A client with its current session key. */
type Client = {
  readonly login: OpenedLogin
  readonly signature: string
  /** Undefined until the current connection of the relay lists the client. */
  cipher: SessionCipher | undefined
  session: Session | undefined
}

/** A socket, and the id under which the node delivers to it. */
type Connection = {
  readonly session: string
  readonly openedAt: number
  /**
   * Encrypted session keys of earlier logins. A machine makes a new one for each connection; a repeated one would start
   * with an empty set of IVs, so that recorded messages could be replayed.
   */
  readonly usedKeys: ReturnType<typeof createIvSet>
  socket: Socket | undefined
  isLoggedIn: boolean
}

/**
 * An account's socket to its node. Logs in, verifies messages, and passes those of each client to its session. Messages
 * of one client stay in order; clients do not wait for each other.
 */
export const openRelay = (options: RelayOptions, deps: HubDeps, correctedNow: () => number, tell: TellRelay): Relay => {
  const { keys } = options
  const clients = new Map<string, Client>()
  // Connects and disconnects stay in order, although logins are decrypted asynchronously.
  const inArrivalOrder = createOrderedQueue()
  const limitLogins = createConcurrencyLimit(LOGINS_AT_ONCE)
  let reportedAliveAt = -Infinity
  let sampling: number | undefined
  let hasLoggedIn = false
  let isRenewalDue = false
  let hasRenewed = false
  let isClosed = false

  const isoNow = () => isoTime(correctedNow())
  const report = (at: number, fault: Fault) => tell(at, [{ type: 'fault.found', fault }])
  const isOver = (connection: Connection): boolean => isClosed || connection !== current

  const endSession = async (client: Client, at: number) => {
    const { session } = client
    client.session = undefined
    await session?.end(at)
  }

  /**
   * Decrypting a login takes milliseconds, in some browsers on this thread. Messages that have arrived go first, so that
   * connected machines are shown while a thousand others log in.
   */
  const decryptLogin = async (message: Connect, connection: Connection) => {
    await new Promise<void>(resolve => deps.later(0, resolve))
    return isOver(connection) ? undefined : openMachineLogin(keys, message.client)
  }

  /** The client, if a renewed connection lists it with the same login as the one before. */
  const listedAgain = async ({ client: { pubkey, signature } }: Connect): Promise<Client | undefined> => {
    const known = clients.get((await idOfKey(pubkey)) ?? '')
    return known?.cipher === undefined && known?.signature === signature ? known : undefined
  }

  const reattach = (client: Client, connection: Connection) => {
    const { id, sessionKey, encryptedKey } = client.login
    connection.usedKeys.add(encryptedKey)
    client.cipher = createSessionCipher({ client: id, session: connection.session, key: sessionKey })
    client.session?.attach(client.cipher)
  }

  const connectClient = async (message: Connect, at: number, connection: Connection) => {
    const known = hasRenewed ? await inArrivalOrder(listedAgain(message)) : undefined
    if (isOver(connection)) return
    if (known?.cipher === undefined && known !== undefined) {
      reattach(known, connection)
      return
    }
    const login = await inArrivalOrder(limitLogins(() => decryptLogin(message, connection)))
    if (isOver(connection) || login === undefined) return
    if (!login.ok) {
      report(at, login.fault)
      return
    }
    const { id, sessionKey, encryptedKey, time } = login.value
    const use = connection.usedKeys.add(encryptedKey)
    if (use !== 'added') {
      report(at, { kind: use === 'reused' ? 'login-reused' : 'too-many-logins' })
      return
    }
    const before = clients.get(id)
    clients.set(id, {
      login: login.value,
      signature: message.client.signature,
      cipher: createSessionCipher({ client: id, session: connection.session, key: sessionKey }),
      session: undefined,
    })
    if (before) await endSession(before, at)
    const loginTime = Date.parse(time)
    tell(at, [{ type: 'client.connected', id, loginTime: Number.isNaN(loginTime) ? at : loginTime, at }])
  }

  const disconnectClient = async (id: string, at: number, connection: Connection) => {
    await inArrivalOrder(Promise.resolve())
    const client = clients.get(id)
    if (isOver(connection) || !client) return
    clients.delete(id)
    await endSession(client, at)
    tell(at, [{ type: 'client.disconnected', id }])
  }

  const checkBroadcast = async (message: Broadcast, at: number) => {
    const isValid = await inArrivalOrder(verifyBroadcast(keys.publicKey, message))
    if (isClosed) return
    const { cmd, time } = message.payload
    const sentAt = Date.parse(time)
    if (!isValid) report(at, { kind: 'bad-broadcast-signature' })
    else if (Number.isNaN(sentAt))
      report(at, { kind: 'wrong-type', path: ['payload', 'time'], expected: 'a time', found: 'string' })
    else tell(at, [{ type: 'broadcast.received', cmd, time: sentAt, payload: message.payload as JsonObject }])
  }

  const openMessage = (message: FromMachine, at: number) => {
    const client = clients.get(message.client)
    if (client?.cipher === undefined) report(at, { kind: 'wrong-session' })
    else if (client.session) client.session.receive(client.cipher.open(message), at)
    // Without a session the content is dropped, but the IV counts as used.
    else void client.cipher.open(message)
  }

  const receive = (data: string | ArrayBuffer, connection: Connection) => {
    const at = deps.now()
    if (at - reportedAliveAt >= RELAY_ALIVE_INTERVAL) {
      reportedAliveAt = at
      tell(at, [])
    }
    const decoded = decodeRelayMessage(typeof data === 'string' ? data : utf8Text(data))
    if (!decoded.ok) {
      report(at, decoded.fault)
      return
    }
    for (const fault of decoded.faults) report(at, fault)
    const message = decoded.value
    switch (message.type) {
      case 'message':
        openMessage(message, at)
        break
      case 'connect':
        void connectClient(message, at, connection)
        break
      case 'disconnect':
        void disconnectClient(message.id, at, connection)
        break
      case 'broadcast':
        void checkBroadcast(message, at)
        break
    }
  }

  const logIn = async (connection: Connection) => {
    const login = await createLogin(keys, { time: isoNow(), session: connection.session })
    if (isOver(connection)) return
    connection.socket?.send(login)
    connection.isLoggedIn = true
    if (!hasLoggedIn) tell(deps.now(), [{ type: 'socket.opened' }])
    hasLoggedIn = true
  }

  const finish = async () => {
    const at = deps.now()
    isClosed = true
    current.socket?.close()
    await Promise.all([...clients.values()].map(client => endSession(client, at)))
    tell(at, [{ type: 'socket.closed' }])
  }

  const connect = (session: string): Connection => {
    const connection: Connection = {
      session,
      openedAt: deps.now(),
      usedKeys: createIvSet(),
      socket: undefined,
      isLoggedIn: false,
    }
    connection.socket = deps.openSocket(options.url, {
      opened: () => void logIn(connection),
      received: data => receive(data, connection),
      refused: fault => report(deps.now(), fault),
      closed: () => void finish(),
    })
    return connection
  }

  let current = connect(options.session)

  /** Clients that the new connection does not list have disconnected meanwhile. */
  const endRenewal = (connection: Connection) => {
    if (isOver(connection)) return
    if (!connection.isLoggedIn) {
      void finish()
      return
    }
    const at = deps.now()
    for (const [id, { cipher }] of clients) if (cipher === undefined) void disconnectClient(id, at, connection)
  }

  const renew = () => {
    if (isClosed) return
    isRenewalDue = false
    hasRenewed = true
    current.socket?.close()
    for (const client of clients.values()) {
      client.cipher = undefined
      client.session?.attach(undefined)
    }
    const connection = (current = connect(encodeBase64Url(randomBytes(SESSION_BYTES))))
    deps.later(RENEWAL_TIMEOUT, () => endRenewal(connection))
  }

  const renewSoon = () => {
    if (isRenewalDue) return
    isRenewalDue = true
    const attempt = () => {
      if (isClosed || !isRenewalDue) return
      const isEarly = deps.now() < current.openedAt + RENEWAL_INTERVAL + RENEWAL_PER_CLIENT * clients.size
      if (isEarly || [...clients.values()].some(({ session }) => session?.isAwaiting() === true))
        deps.later(RENEWAL_STEP, attempt)
      else renew()
    }
    deps.later(RENEWAL_DELAY, attempt)
  }

  const ageCheck = () => {
    const followed = [...clients.values()].filter(({ session }) => session?.isFollowed() === true).length
    return Math.max(AGE_CHECK, followed * AGE_CHECK_PER_SESSION)
  }

  return {
    openSession(id, tellLink) {
      const client = isClosed ? undefined : clients.get(id)
      const session = createSession({
        sendText: text => current.socket?.send(text),
        deps,
        decode: content => deps.decode?.(id, content) ?? decodeClientContent(content),
        report: tellLink,
        wantsEnd: renewSoon,
        ageCheck,
      })
      if (client) {
        void endSession(client, deps.now())
        client.session = session
        session.sample(sampling)
        session.attach(client.cipher)
      } else void session.end(deps.now())
      return session
    },
    broadcast(payload) {
      const { cmd, time, ...rest } = payload
      const stamped = {
        cmd: typeof cmd === 'string' ? cmd : '',
        time: typeof time === 'string' ? time : isoNow(),
        ...rest,
      }
      void createBroadcast(keys, stamped).then(text => current.socket?.send(text))
    },
    probe(id) {
      const session = clients.get(id)?.session
      // A session that nobody follows would be opened at the client by this, and stay open.
      if (session?.isFollowed() === true) session.open()
      else renew()
    },
    renew,
    sample(interval) {
      sampling = interval
      for (const { session } of clients.values()) session?.sample(interval)
    },
    close() {
      isClosed = true
      for (const client of clients.values()) void endSession(client, deps.now())
      current.socket?.close()
    },
  }
}
