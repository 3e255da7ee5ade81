import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'
import { openClientLogin } from '../../src/protocol/crypto/envelope.ts'
import { importAccountKeys, verifyText, type AccountKeys } from '../../src/protocol/crypto/keys.ts'
import { createClientCipher, type ClientCipher } from '../client-envelope.ts'
import type { ClientLogin, ToClient } from '../../src/protocol/relay/relay-message.ts'
import { deriveSecrets, wrapSecret } from '../../src/protocol/crypto/key-derivation.ts'
import { readRecordedKey, readRecording } from '../recording.ts'

type SessionMessage = Extract<Awaited<ReturnType<ClientCipher['open']>>, { ok: true }>['value']
type Login = {
  readonly type: 'login'
  readonly payload: { readonly session: string }
  readonly pubkey: string
  readonly signature: string
}
type Connect = { readonly type: 'connect'; readonly client: ClientLogin }

export const CREDENTIALS = { email: 'relay@recorded.example', passphrase: 'what was recorded' } as const
/** The session under which the recording was made: a page must take it for its own to understand what was recorded. */
export const RECORDED_SESSION = '8Lq7DN0vNus80s09'
export const RECORDED_MACHINE = '7jpWGH1vP4RtjXhInDj_sUnK-Y2yqGvUd5XDuUjxHN4'

/** An account server and a relay node that know one account: the recorded one. The relay sends only what was recorded. */
export async function startRecordedRelay() {
  const { spki, pkcs8 } = readRecordedKey()
  const privateKey = Buffer.from(pkcs8, 'base64')
  const keys = await importAccountKeys(privateKey, spki)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = await createApi({ node, spki, privateKey })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  server.on('request', api.answer)
  const player = createPlayer(keys)
  sockets.on('connection', player.serve)
  return {
    node,
    /** Paths of the API in the order in which they were asked for. */
    asked: api.asked,
    /** The next message of the page to the machine, opened with the recorded key. */
    takeFromPage: player.takeFromPage,
    playUntil: player.playUntil,
    stop: () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

type ApiParts = { readonly node: string; readonly spki: string; readonly privateKey: Uint8Array }

async function createApi({ node, spki, privateKey }: ApiParts) {
  const secrets = await deriveSecrets(CREDENTIALS.email, CREDENTIALS.passphrase)
  const secret = await wrapSecret(secrets, privateKey)
  const account = {
    created: '2026-11-20T14:00:00Z',
    email: CREDENTIALS.email,
    user: 'Relay_User',
    team: 777,
    passkey: '',
    cause: 'cancer',
    node,
    pubkey: spki,
    config: {},
    teams: [],
    machines: [{ id: RECORDED_MACHINE, name: 'My Machine' }],
  }
  const answers: Readonly<Record<string, (query: URLSearchParams) => object | undefined>> = {
    '/login': query => (query.get('password') === secrets.password ? { id: 'a session of the API' } : undefined),
    '/account/secret': () => ({ secret }),
    '/account': () => account,
    '/team/777': () => ({ id: 777, name: 'Recorded Folders' }),
    '/versions': () => [{ version: [8, 5, 7] }],
  }
  const asked: string[] = []
  const answer: RequestListener = ({ url = '', method, headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://node')
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*')
    response.setHeader('Access-Control-Allow-Credentials', 'true')
    response.setHeader('Access-Control-Allow-Headers', 'Authorization')
    if (method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    asked.push(pathname)
    const found = answers[pathname]?.(searchParams)
    response
      .writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(found ?? { error: 'Not found' }))
  }
  return { answer, asked: (): readonly string[] => asked }
}

function createPlayer(keys: AccountKeys) {
  const recorded = readRecording('relay-account').filter(
    ({ socket, dir, type }) => socket === 'A' && dir === 'in' && type === 'text',
  )
  const fromPage: SessionMessage[] = []
  let position = 0
  let cipher: ClientCipher | undefined
  let page: WebSocket | undefined
  let wake = (): void => undefined

  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>(resolve => (wake = resolve))
    }
  }
  const takeFromPage = (): Promise<SessionMessage> => until(() => fromPage.shift())

  const receive = async (socket: WebSocket, message: Login | ToClient): Promise<void> => {
    if (message.type === 'login') {
      if (await isRecordedLogin(message, keys)) page = socket
    } else {
      const opened = await cipher?.open(message)
      if (cipher === undefined || opened?.ok !== true) socket.terminate()
      // Before it opens a session, a page requests a state over another connection. None was recorded.
      else if (opened.value.session !== RECORDED_SESSION)
        socket.send(await cipher.seal(opened.value.session, { info: {}, config: {}, groups: {}, units: [] }))
      else fromPage.push(opened.value)
    }
    wake()
  }

  const changeKey = async ({ client }: Connect): Promise<void> => {
    const machine = await openClientLogin(keys, client)
    if (!machine.ok) throw new Error(`The recorded login cannot be opened: ${machine.fault.kind}`)
    cipher = createClientCipher(machine.value.id, machine.value.sessionKey)
  }

  const waitForOpening = async (): Promise<void> => {
    const { type, session } = await takeFromPage()
    if (type !== 'session-open' || session !== RECORDED_SESSION) throw new Error('The page opened no session.')
  }

  return {
    takeFromPage,
    serve: (socket: WebSocket): void => {
      let last = Promise.resolve()
      socket.on('message', data => {
        last = last.then(() => receive(socket, JSON.parse(textOf(data)) as Login | ToClient))
      })
    },
    /**
     * Says what the relay said until that millisecond of the recording. Where the machine has a new key, it waits for
     * the page to open its session, as the machine did.
     */
    playUntil: async (ms: number): Promise<void> => {
      const socket = await until(() => page)
      for (let next = recorded[position]; next !== undefined && next.ms <= ms; next = recorded[++position]) {
        const message = JSON.parse(next.raw) as Connect | { readonly type: '' }
        if (message.type === 'connect') await changeKey(message)
        socket.send(next.raw)
        if (message.type === 'connect') await waitForOpening()
      }
    },
  }
}

async function isRecordedLogin({ payload, pubkey, signature }: Login, { publicKey }: AccountKeys): Promise<boolean> {
  return (
    pubkey === publicKey &&
    payload.session === RECORDED_SESSION &&
    (await verifyText(publicKey, signature, JSON.stringify(payload)))
  )
}
