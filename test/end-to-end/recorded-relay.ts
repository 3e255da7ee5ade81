import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { textOf } from '../../network/node/abrupt-socket.ts'
import { openMachineLogin } from '../../src/protocol/envelope.ts'
import { importAccountKeys, verifyText } from '../../src/protocol/keys.ts'
import { createMachineCipher, type MachineCipher } from '../../src/protocol/machine-envelope.ts'
import type { MachineLogin, ToMachine } from '../../src/protocol/relay-message.ts'
import { deriveSecrets, wrapSecret } from '../../src/protocol/secrets.ts'
import { readRecordedKey, readRecording } from './recording.ts'

type SessionMessage = Extract<Awaited<ReturnType<MachineCipher['open']>>, { ok: true }>['value']
type Login = { readonly payload: { readonly session: string }; readonly pubkey: string; readonly signature: string }

export const CREDENTIALS = { email: 'relay@recorded.example', passphrase: 'what was recorded' } as const
/** The session under which the recording was made: a page must take it for its own to understand what was recorded. */
export const RECORDED_SESSION = '8Lq7DN0vNus80s09'
export const RECORDED_MACHINE = '7jpWGH1vP4RtjXhInDj_sUnK-Y2yqGvUd5XDuUjxHN4'

/** An account server and a relay node that know one account: the recorded one. The relay says only what was recorded. */
export const startRecordedRelay = async () => {
  const { spki, pkcs8 } = readRecordedKey()
  const privateKey = Buffer.from(pkcs8, 'base64')
  const keys = await importAccountKeys(privateKey, spki)
  const secrets = await deriveSecrets(CREDENTIALS.email, CREDENTIALS.passphrase)
  const recorded = readRecording('relay-account').filter(({ socket, dir, type }) => socket === 'A' && dir === 'in' && type === 'text')
  const asked: string[] = []
  const fromPage: SessionMessage[] = []
  let position = 0
  let cipher: MachineCipher | undefined
  let page: WebSocket | undefined
  let wake = (): void => undefined

  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const account = {
    created: '2026-11-20T14:00:00Z', email: CREDENTIALS.email, user: 'Relay_User', team: 777, passkey: '', cause: 'cancer', node, pubkey: spki,
    config: {}, teams: [], machines: [{ id: RECORDED_MACHINE, name: 'My Machine' }],
  }
  const answers: Readonly<Record<string, (query: URLSearchParams) => Promise<object | undefined>>> = {
    '/login': query => Promise.resolve(query.get('password') === secrets.password ? { id: 'a session of the API' } : undefined),
    '/account/secret': async () => ({ secret: await wrapSecret(secrets, privateKey) }),
    '/account': () => Promise.resolve(account),
    '/versions': () => Promise.resolve([{ version: [8, 5, 7] }]),
  }
  const answer = async ({ url = '', method, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(url, 'http://node')
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*')
    response.setHeader('Access-Control-Allow-Credentials', 'true')
    response.setHeader('Access-Control-Allow-Headers', 'Authorization')
    if (method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    asked.push(pathname)
    const found = await answers[pathname]?.(searchParams)
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(found ?? { error: 'Not found' }))
  }
  server.on('request', (request, response) => void answer(request, response))

  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>(resolve => (wake = resolve))
    }
  }

  const logIn = async (socket: WebSocket, { payload, pubkey, signature }: Login): Promise<void> => {
    const isSigned = await verifyText(spki, signature, JSON.stringify(payload))
    if (!isSigned || pubkey !== spki || payload.session !== RECORDED_SESSION) {
      socket.terminate()
      return
    }
    page = socket
    wake()
  }
  const receive = async (socket: WebSocket, message: { type: string }): Promise<void> => {
    if (message.type === 'login') {
      await logIn(socket, message as unknown as Login)
      return
    }
    const opened = await cipher?.open(message as unknown as ToMachine)
    if (opened?.ok !== true) {
      socket.terminate()
      return
    }
    fromPage.push(opened.value)
    wake()
  }
  sockets.on('connection', socket => {
    let last = Promise.resolve()
    socket.on('message', data => {
      last = last.then(() => receive(socket, JSON.parse(textOf(data)) as { type: string }))
    })
  })

  const changeKey = async (login: MachineLogin): Promise<void> => {
    const machine = await openMachineLogin(keys, login)
    if (!machine.ok) throw new Error(`The recorded login cannot be opened: ${machine.fault.kind}`)
    cipher = createMachineCipher(machine.value.id, machine.value.sessionKey)
  }

  const takeFromPage = (): Promise<SessionMessage> => until(() => fromPage.shift())

  return {
    node,
    /** Paths of the API in the order in which they were asked for. */
    asked: (): readonly string[] => asked,
    /** The next message of the page to the machine, opened with the recorded key. */
    takeFromPage,
    /**
     * Says what the relay said until that millisecond of the recording. Where the machine has a new key, it waits for
     * the page to open its session, as the machine did.
     */
    playUntil: async (ms: number): Promise<void> => {
      const socket = await until(() => page)
      for (; position < recorded.length && (recorded[position]?.ms ?? Infinity) <= ms; position++) {
        const { raw } = recorded[position] ?? { raw: '' }
        const message = JSON.parse(raw) as { type: string; client: MachineLogin }
        if (message.type === 'connect') await changeKey(message.client)
        socket.send(raw)
        if (message.type !== 'connect') continue
        const opening = await takeFromPage()
        if (opening.type !== 'session-open' || opening.session !== RECORDED_SESSION) throw new Error('The page opened no session.')
      }
    },
    stop: () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}
