import { utf8Text } from '../../protocol/crypto/bytes.ts'
import {
  type OpenedLogin,
  type SessionCipher,
  createBroadcast,
  createLogin,
  createSessionCipher,
  openClientLogin,
  verifyBroadcast,
} from '../../protocol/crypto/envelope.ts'
import { decodeClientContent } from '../../protocol/client/client-message.ts'
import type { Fault } from '../../protocol/fault.ts'
import { isoTime } from '../../protocol/iso-time.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import { createConcurrencyLimit } from '../../protocol/concurrency-limit.ts'
import { createIvSet } from '../../protocol/crypto/iv-set.ts'
import { createOrderedQueue } from '../../protocol/ordered-queue.ts'
import {
  type Broadcast,
  type Connect,
  type FromClient,
  decodeRelayMessage,
} from '../../protocol/relay/relay-message.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import {
  END_SESSIONS,
  LOGIN_PER_CLIENT,
  NODE_CHECK,
  SAMPLE_INTERVAL,
  SAMPLE_PER_CLIENT,
  SAMPLE_SHIFT,
  SECOND,
} from '../pacing.ts'
import { openFullStates } from './full-states.ts'
import type { HubDeps, LinkReport, RelayReport } from './hub.types.ts'
import { type Session, createSession } from './session.ts'

/** Logins that are decrypted at a time. */
const LOGINS_AT_ONCE = 2

export type RelayOptions = { readonly url: SocketUrl; readonly keys: AccountKeys; readonly session: string }

export type Relay = {
  openSession(client: string, notify: TellLink): Session
  broadcast(payload: JsonObject): void
  probe(client: string): void
  /** Ends all sessions at the clients; those that are followed are opened again. The node answers with its clients. */
  logInAgain(): void
  /** Milliseconds between requests of the full state of each client, in place of changes; undefined to follow changes. */
  sample(interval: number | undefined): void
  close(): void
}

export type TellLink = (at: number, facts: readonly LinkReport[]) => void
type TellRelay = (at: number, facts: readonly RelayReport[]) => void

/** A client with its current session key. */
type Client = {
  readonly login: OpenedLogin
  /** Its encrypted session key as received. */
  readonly key: string
  readonly cipher: SessionCipher
  session: Session | undefined
}

/**
 * An account's socket to its node. Logs in, verifies messages, and passes those of each client to its session. Messages
 * of one client stay in order; clients do not wait for each other.
 */
export function openRelay(options: RelayOptions, deps: HubDeps, offset: () => number, notify: TellRelay): Relay {
  const { keys, session: sessionId } = options
  const clients = new Map<string, Client>()
  // Connects and disconnects stay in order, although logins are decrypted asynchronously.
  const inArrivalOrder = createOrderedQueue()
  const limitLogins = createConcurrencyLimit(LOGINS_AT_ONCE)
  /**
   * Encrypted session keys of earlier logins. A client makes a new one for each connection; a repeated one would start
   * with an empty set of IVs, so that recorded messages could be replayed.
   */
  const usedKeys = createIvSet()
  /** The same of connected clients: a node lists them all when the account logs in again. */
  const currentKeys = new Set<string>()
  /** The newest of each command, epoch ms: a node sends it again when the account logs in again. */
  const broadcastAt = new Map<string, number>()
  let sampleInterval: number | undefined
  /** When within an interval requests are sent, milliseconds. Pages of an account differ in it. */
  let phase = SAMPLE_INTERVAL * deps.random()
  let shiftedAt = -Infinity
  let isLoginDue = false
  let loggedInAt = -Infinity
  /** Clients that the node has listed since then. Their logins are still being decrypted. */
  let listed = 0
  let reportedAliveAt = -Infinity
  /** When anything last arrived over one of the two connections. */
  let receivedAt = -Infinity
  let awaitsAnswer = false
  let isClosed = false

  const isoNow = () => isoTime(deps.now() + offset())
  const report = (at: number, fault: Fault) => notify(at, [{ type: 'fault.found', fault }])

  const endSession = async (client: Client, at: number) => {
    const { session } = client
    client.session = undefined
    await session?.end(at)
  }

  /**
   * Decrypting a login takes milliseconds, in some browsers on this thread. Messages that have arrived go first, so that
   * connected clients are shown while a thousand others log in.
   */
  const decryptLogin = async (message: Connect) => {
    await new Promise<void>(resolve => deps.later(0, resolve))
    return isClosed ? undefined : openClientLogin(keys, message.client)
  }

  const connectClient = async (message: Connect, at: number) => {
    const { key } = message.client.payload
    if (currentKeys.has(key)) return
    const login = await inArrivalOrder(limitLogins(() => decryptLogin(message)))
    if (isClosed || login === undefined) return
    if (!login.ok) {
      report(at, login.fault)
      return
    }
    const { id, sessionKey, encryptedKey } = login.value
    const use = usedKeys.add(encryptedKey)
    if (use !== 'added') {
      report(at, { kind: use === 'reused' ? 'login-reused' : 'too-many-logins' })
      return
    }
    const before = clients.get(id)
    if (before) currentKeys.delete(before.key)
    currentKeys.add(key)
    clients.set(id, {
      login: login.value,
      key,
      cipher: createSessionCipher({ client: id, session: sessionId, key: sessionKey }),
      session: undefined,
    })
    if (before) await endSession(before, at)
    notify(at, [{ type: 'client.connected', id }])
  }

  const disconnectClient = async (id: string, at: number) => {
    currentKeys.delete(clients.get(id)?.key ?? '')
    await inArrivalOrder(Promise.resolve())
    const client = clients.get(id)
    if (isClosed || !client) return
    clients.delete(id)
    currentKeys.delete(client.key)
    await endSession(client, at)
    notify(at, [{ type: 'client.disconnected', id }])
  }

  const checkBroadcast = async (message: Broadcast, at: number) => {
    const isValid = await inArrivalOrder(verifyBroadcast(keys.publicKey, message))
    if (isClosed) return
    const { cmd, time } = message.payload
    const sentAt = Date.parse(time)
    if (!isValid) report(at, { kind: 'bad-broadcast-signature' })
    else if (Number.isNaN(sentAt))
      report(at, { kind: 'wrong-type', path: ['payload', 'time'], expected: 'a time', found: 'string' })
    else if (sentAt > (broadcastAt.get(cmd) ?? -Infinity)) {
      broadcastAt.set(cmd, sentAt)
      notify(at, [{ type: 'broadcast.received', cmd, time: sentAt, payload: message.payload as JsonObject }])
    }
  }

  const openMessage = (message: FromClient, at: number) => {
    const client = clients.get(message.client)
    if (!client) report(at, { kind: 'wrong-session' })
    else if (client.session) client.session.receive(client.cipher.open(message), at)
    // Without a session the content is dropped, but the IV counts as used.
    else void client.cipher.open(message)
  }

  const reportAlive = (at: number) => {
    receivedAt = at
    if (awaitsAnswer) {
      awaitsAnswer = false
      notify(at, [{ type: 'login.answered' }])
    }
    if (Math.abs(at - reportedAliveAt) < SECOND) return
    reportedAliveAt = at
    notify(at, [])
  }

  const receive = (data: string | ArrayBuffer) => {
    const at = deps.now()
    reportAlive(at)
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
        listed += 1
        void connectClient(message, at)
        break
      case 'disconnect':
        void disconnectClient(message.id, at)
        break
      case 'broadcast':
        void checkBroadcast(message, at)
        break
    }
  }

  const loginFor = (session: string) => createLogin(keys, { time: isoNow(), session })

  const sendLogin = async () => {
    const login = await loginFor(sessionId)
    if (isClosed) return
    loggedInAt = deps.now()
    listed = 0
    socket.send(login)
  }

  const logIn = async () => {
    await sendLogin()
    if (!isClosed) notify(deps.now(), [{ type: 'socket.opened' }])
  }

  const logInAgain = async () => {
    isLoginDue = false
    await sendLogin()
    if (isClosed) return
    awaitsAnswer = true
    notify(deps.now(), [{ type: 'login.sent' }])
    for (const { session } of clients.values()) session?.ended()
  }

  /** Milliseconds that a connection which logged in at `last` waits for its next login. */
  const loginPause = (last: number) => {
    const pause = LOGIN_PER_CLIENT * Math.max(clients.size, listed)
    return Math.min(pause, last + pause - deps.now())
  }

  const shiftRequests = () => {
    const at = deps.now()
    if (Math.abs(at - shiftedAt) < SAMPLE_INTERVAL) return
    shiftedAt = at
    phase = (phase + SAMPLE_SHIFT * deps.random()) % SAMPLE_INTERVAL
  }

  const endSessions = () => {
    if (isLoginDue || isClosed) return
    isLoginDue = true
    deps.later(Math.max(END_SESSIONS, loginPause(loggedInAt)), () => void logInAgain())
  }

  const finish = async () => {
    const at = deps.now()
    isClosed = true
    fullStates.close()
    await Promise.all([...clients.values()].map(client => endSession(client, at)))
    notify(at, [{ type: 'socket.closed' }])
  }

  const socket = deps.openSocket(options.url, {
    opened: () => void logIn(),
    received: receive,
    refused: fault => report(deps.now(), fault),
    closed: () => void finish(),
  })

  const fullStates = openFullStates({
    url: options.url,
    deps,
    createLogin: loginFor,
    loginPause,
    received: (id, content, at) => {
      reportAlive(at)
      clients.get(id)?.session?.receiveSample(content, at)
    },
    ended: () => {
      for (const { session } of clients.values()) session?.samplesLost()
    },
  })

  return {
    openSession(id, tellLink) {
      const client = isClosed ? undefined : clients.get(id)
      const session = createSession({
        cipher: client?.cipher,
        sendText: text => socket.send(text),
        deps,
        decode: content => deps.decode?.(id, content) ?? decodeClientContent(content),
        report: tellLink,
        offset,
        ask: (commands, share) => {
          if (client !== undefined) fullStates.ask(client.login, commands, share)
        },
        endAtClient: endSessions,
        unanswered: () => {
          if (Math.abs(deps.now() - receivedAt) >= NODE_CHECK) endSessions()
        },
        spread: () => SAMPLE_PER_CLIENT * clients.size,
        phase: () => phase,
        changesFollowed: shiftRequests,
      })
      if (client) {
        void endSession(client, deps.now())
        client.session = session
        session.sample(sampleInterval)
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
      void createBroadcast(keys, stamped).then(text => socket.send(text))
    },
    probe(id) {
      const client = clients.get(id)
      // A session that nobody follows would be opened at the client by this, and stay open.
      if (client?.session) client.session.open()
      else endSessions()
    },
    logInAgain: () => void logInAgain(),
    sample(interval) {
      sampleInterval = interval
      for (const { session } of clients.values()) session?.sample(interval)
    },
    close() {
      isClosed = true
      fullStates.close()
      for (const client of clients.values()) void endSession(client, deps.now())
      socket.close()
    },
  }
}
