import { encodeBase64Url } from '../../protocol/crypto/base64.ts'
import { randomBytes, utf8Text } from '../../protocol/crypto/bytes.ts'
import { type SessionCipher, createSessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { createOrderedQueue } from '../../protocol/ordered-queue.ts'
import { decodeRelayMessage } from '../../protocol/relay/relay-message.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import { END_SESSIONS, LOST_ANSWER, MOLECULE_SHARE } from '../pacing.ts'
import type { HubDeps, Socket } from './hub.types.ts'

const SESSION_BYTES = 12

/** A second connection of an account to its node, for requests of full states. It is opened when it is needed. */
export type FullStates = {
  /** Requests the full state of a client, and what the commands cause. Its session ends at once, or after `share` milliseconds. */
  ask(client: ClientKey, commands: readonly JsonObject[], share: number): void
  close(): void
}

export type ClientKey = { readonly id: string; readonly sessionKey: CryptoKey }

type Parts = {
  readonly url: SocketUrl
  readonly deps: HubDeps
  /** A login of the account, as text, for a session. */
  readonly createLogin: (session: string) => Promise<string>
  /** Milliseconds that a connection which logged in at `last` waits for its next login. */
  readonly loginPause: (last: number) => number
  readonly received: (client: string, content: Promise<Result<Json>>, at: number) => void
  /** The connection has ended: what was not answered will not be. */
  readonly ended: () => void
}

type Connection = {
  readonly ask: FullStates['ask']
  readonly close: () => void
}

/**
 * A session ends at a client when its account logs in again (docs/protocol.md §11.3). So a request is a session-open, and then
 * a login: the client sends its state and no changes after it.
 */
export function openFullStates(parts: Parts): FullStates {
  let connection: Connection | undefined
  let isClosed = false
  return {
    ask(client, commands, share) {
      if (isClosed) return
      connection ??= connect(parts, () => {
        connection = undefined
        if (!isClosed) parts.ended()
      })
      connection.ask(client, commands, share)
    },
    close() {
      isClosed = true
      connection?.close()
    },
  }
}

function connect({ url, deps, createLogin, loginPause, received }: Parts, closed: () => void): Connection {
  const session = encodeBase64Url(randomBytes(SESSION_BYTES))
  const ciphers = new Map<string, { readonly key: CryptoKey; readonly cipher: SessionCipher }>()
  const inOrder = createOrderedQueue()
  let isEnding = false
  let shareEndsAt = -Infinity
  let loggedInAt = -Infinity
  let isOver = false
  let usedAt = deps.now()
  let begin = () => {}
  let cancelClosing = () => {}
  const isOpen = new Promise<void>(resolve => (begin = resolve))

  const post = async (text: Promise<string>) => {
    const ready = await inOrder(isOpen.then(() => text))
    socket.send(ready)
  }

  const logIn = () => {
    loggedInAt = deps.now()
    void post(createLogin(session))
  }

  const cipherOf = ({ id, sessionKey }: ClientKey): SessionCipher => {
    const cached = ciphers.get(id)
    if (cached?.key === sessionKey) return cached.cipher
    const cipher = createSessionCipher({ client: id, session, key: sessionKey })
    ciphers.set(id, { key: sessionKey, cipher })
    return cipher
  }

  const socket: Socket = deps.openSocket(url, {
    opened: begin,
    received: data => {
      const decoded = decodeRelayMessage(typeof data === 'string' ? data : utf8Text(data))
      if (!decoded.ok || decoded.value.type !== 'message') return
      const message = decoded.value
      const cipher = ciphers.get(message.client)?.cipher
      if (cipher !== undefined) received(message.client, cipher.open(message), deps.now())
    },
    closed: () => end(),
  })

  const end = () => {
    if (isOver) return
    isOver = true
    cancelClosing()
    closed()
  }

  const close = () => {
    socket.close()
    end()
  }

  const closeIfUnused = () => {
    const now = deps.now()
    usedAt = Math.min(usedAt, now)
    const left = usedAt + LOST_ANSWER - now
    if (left > 0) cancelClosing = deps.later(left, closeIfUnused)
    else close()
  }

  const endSoon = () => {
    if (isEnding) return
    isEnding = true
    const share = Math.min(MOLECULE_SHARE, shareEndsAt - deps.now())
    deps.later(Math.max(END_SESSIONS, share, loginPause(loggedInAt)), () => {
      isEnding = false
      // Meanwhile another client was asked for more.
      if (shareEndsAt > deps.now()) endSoon()
      else logIn()
    })
  }

  logIn()
  cancelClosing = deps.later(LOST_ANSWER, closeIfUnused)

  return {
    ask(client, commands, share) {
      usedAt = deps.now()
      const cipher = cipherOf(client)
      void post(cipher.sealOpen())
      for (const command of commands) void post(cipher.sealCommand(command))
      if (share > 0) shareEndsAt = usedAt + share
      endSoon()
    },
    close,
  }
}
