import { decodeAccount, decodeLogin, decodeSecret } from '../../src/protocol/api/api.ts'
import type { Account } from '../../src/protocol/api/api.ts'
import { applyChanges } from '../../src/protocol/client/changes.ts'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { decodeClientContent } from '../../src/protocol/client/client-message.ts'
import {
  createBroadcast,
  createLogin,
  createSessionCipher,
  openClientLogin,
} from '../../src/protocol/crypto/envelope.ts'
import type { SessionCipher } from '../../src/protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../src/protocol/fault.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { importAccountKeys } from '../../src/protocol/crypto/keys.ts'
import type { AccountKeys } from '../../src/protocol/crypto/keys.ts'
import { decodeRelayMessage } from '../../src/protocol/relay/relay-message.ts'
import type { RelayMessage } from '../../src/protocol/relay/relay-message.ts'
import { deriveSecrets, unwrapSecret } from '../../src/protocol/crypto/key-derivation.ts'
import { openTestSocket } from './test-socket.ts'

/** A page's side of the network, over HTTP and WebSocket. */
export type Api = (method: string, path: string, data?: JsonObject) => Promise<{ status: number; body: Json }>

export type SignedIn = { api: Api; account: () => Promise<Account>; keys: AccountKeys }

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(`Unreadable: ${result.fault.kind}`)
}

function apiFor(apiUrl: string, session: string | undefined): Api {
  return async (method, path, data) => {
    const inQuery = method === 'GET' || method === 'DELETE'
    const search =
      inQuery && data !== undefined
        ? `?${new URLSearchParams(Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])).toString()}`
        : ''
    const response = await fetch(`${apiUrl}${path}${search}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(session === undefined ? {} : { Authorization: session }) },
      ...(inQuery || data === undefined ? {} : { body: JSON.stringify(data) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
}

export async function signIn(
  apiUrl: string,
  { email, passphrase }: { email: string; passphrase: string },
): Promise<SignedIn> {
  const secrets = await deriveSecrets(email, passphrase)
  const { password } = secrets
  const login = await apiFor(apiUrl, undefined)('GET', '/login', { email, password })
  const api = apiFor(apiUrl, unwrap(decodeLogin(login.body)).id)
  const account = async (): Promise<Account> => unwrap(decodeAccount((await api('GET', '/account')).body))
  const secret = unwrap(decodeSecret((await api('GET', '/account/secret', { password })).body))
  const keys = await importAccountKeys(unwrap(await unwrapSecret(secrets, secret)), (await account()).pubkey ?? '')
  return { api, account, keys }
}

export type OpenClient = {
  readonly id: string
  /** The state after all messages so far. */
  data(): ClientData | undefined
  faults(): readonly Fault[]
  messages(): number
  send(command: JsonObject): Promise<void>
  /** Resolves when the state matches, now or after a later message. */
  until(matches: (data: ClientData) => boolean): Promise<ClientData>
}

function openClient(
  id: string,
  cipher: SessionCipher,
  say: (text: string) => void,
): OpenClient & { take(content: Json): void } {
  let data: ClientData | undefined
  let count = 0
  const faults: Fault[] = []
  const watchers = new Set<() => void>()
  return {
    id,
    data: () => data,
    faults: () => faults,
    messages: () => count,
    send: async command => {
      say(await cipher.sealCommand(command))
    },
    until: matches =>
      new Promise(resolve => {
        const notify = (): void => {
          if (data === undefined || !matches(data)) return
          watchers.delete(notify)
          resolve(data)
        }
        watchers.add(notify)
        notify()
      }),
    take: content => {
      count += 1
      for (const fact of decodeClientContent(content)) {
        if (fact.type === 'snapshot.received') data = fact.data
        if (fact.type === 'changes.received' && data !== undefined) data = applyChanges(data, fact.changes)
        if (fact.type === 'fault.found') faults.push(fact.fault)
      }
      for (const notify of [...watchers]) notify()
    },
  }
}

export type RelayPage = {
  /** Resolves with a session of this client as soon as it is logged in. */
  client(id: string): Promise<OpenClient>
  /** The next message of this type that was not returned before. */
  received<Type extends RelayMessage['type']>(type: Type): Promise<Extract<RelayMessage, { type: Type }>>
  broadcast(payload: JsonObject & { cmd: string }): Promise<void>
  say(text: string): void
  readonly closed: Promise<number>
  drop(): void
}

/** A page that is logged in at the relay and opens a session with every client. */
export async function openPage(nodeUrl: string, keys: AccountKeys, session = 'test-page'): Promise<RelayPage> {
  const socket = await openTestSocket(`${nodeUrl}/ws/account`)
  socket.send(await createLogin(keys, { time: new Date().toISOString(), session }))
  const clients = new Map<string, { client: ReturnType<typeof openClient>; cipher: SessionCipher }>()
  const waiting = new Map<string, ((client: OpenClient) => void)[]>()
  const pending: RelayMessage[] = []
  let notify: (() => void) | undefined

  const enter = async (message: Extract<RelayMessage, { type: 'connect' }>): Promise<void> => {
    const { id, sessionKey } = unwrap(await openClientLogin(keys, message.client))
    const cipher = createSessionCipher({ client: id, session, key: sessionKey })
    const client = openClient(id, cipher, text => {
      socket.send(text)
    })
    clients.set(id, { client, cipher })
    socket.send(await cipher.sealOpen())
    for (const resolve of waiting.get(id) ?? []) resolve(client)
    waiting.delete(id)
  }

  const handle = async (message: RelayMessage): Promise<void> => {
    if (message.type === 'connect') await enter(message)
    if (message.type === 'disconnect') clients.delete(message.id)
    if (message.type === 'message') {
      const open = clients.get(message.client)
      if (open !== undefined) open.client.take(unwrap(await open.cipher.open(message)))
      return
    }
    pending.push(message)
    notify?.()
  }

  const read = async (): Promise<void> => {
    for (;;) {
      const message = decodeRelayMessage(await socket.next())
      if (message.ok) await handle(message.value)
    }
  }
  void read()

  return {
    client: id => {
      const open = clients.get(id)
      if (open !== undefined) return Promise.resolve(open.client)
      return new Promise(resolve => {
        waiting.set(id, [...(waiting.get(id) ?? []), resolve])
      })
    },
    received: async <Type extends RelayMessage['type']>(type: Type) => {
      const isWanted = (message: RelayMessage): message is Extract<RelayMessage, { type: Type }> =>
        message.type === type
      for (;;) {
        const found = pending.find(isWanted)
        if (found !== undefined) {
          pending.splice(pending.indexOf(found), 1)
          return found
        }
        await new Promise<void>(resolve => {
          notify = resolve
        })
      }
    },
    broadcast: async payload => {
      socket.send(await createBroadcast(keys, { time: new Date().toISOString(), ...payload }))
    },
    say: text => {
      socket.send(text)
    },
    closed: socket.closed,
    drop: () => {
      socket.drop()
    },
  }
}
