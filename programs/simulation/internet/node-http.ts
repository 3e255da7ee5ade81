import { EventEmitter } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Realm } from '../realms/realm.ts'
import type { Answer, Call, Internet } from './internet.ts'
import type { End } from './connection.ts'

/** The stream below an upgraded connection: `ws` takes its `end`. */
export class SimulatedStream extends EventEmitter {
  readonly link: End | undefined
  readonly bytesRead = 0
  readonly remoteAddress = '127.0.0.1'
  destroyed = false

  constructor(link?: End) {
    super()
    this.link = link
  }

  setTimeout(): this {
    return this
  }

  /** Refuses an upgrade. */
  end(): void {
    this.destroy()
    this.emit('finish')
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.link?.destroy()
    this.emit('close')
  }
}

export type IncomingCall = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly headersDistinct: Readonly<Record<string, readonly string[]>>
  readonly httpVersion: string
  readonly socket: SimulatedStream
  readonly body: Buffer | undefined
  /** The whole body as text, in one part. */
  readonly setEncoding: () => readonly string[]
}

/** The part of `http.ServerResponse` that our programs use. */
class SimulatedResponse extends EventEmitter {
  headersSent = false
  readonly writableLength = 0
  #status = 200
  #headers: [string, string][] = []
  #finish: (answer: Answer) => void

  constructor(finish: (answer: Answer) => void) {
    super()
    this.#finish = finish
  }

  setHeader(name: string, value: string | number): this {
    this.#headers.push([name.toLowerCase(), String(value)])
    return this
  }

  writeHead(status: number, headers: Readonly<Record<string, string | number>> = {}): this {
    this.headersSent = true
    this.#status = status
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    return this
  }

  end(body: string | Uint8Array = ''): void {
    this.#finish({ status: this.#status, headers: this.#headers, body: Buffer.from(body) })
    this.emit('close')
  }

  destroy(): void {
    this.#finish({ status: 502, headers: [], body: Buffer.alloc(0) })
  }
}

type Answering = (request: IncomingCall, response: SimulatedResponse) => unknown

class SimulatedServer extends EventEmitter {
  maxConnections = 0
  #realm: Realm
  #internet: Internet
  #answer: Answering
  #port = 0
  #stop: (() => void) | undefined

  constructor(realm: Realm, internet: Internet, answer: Answering) {
    super()
    this.#realm = realm
    this.#internet = internet
    this.#answer = answer
  }

  setTimeout(): this {
    return this
  }

  listen(port: number, _host: string, whenListening: () => void): this {
    this.#port = port === 0 ? this.#internet.freePort() : port
    this.#stop = this.#internet.listen(this.#port, {
      realm: this.#realm,
      answer: call => this.#answerCall(call),
      upgrade: (call, end) => {
        const stream = new SimulatedStream(end)
        end.handler = { received: () => undefined, ended: () => stream.destroy() }
        this.emit('connection', stream)
        this.emit('upgrade', incoming(call, stream), stream, Buffer.alloc(0))
      },
    })
    this.#realm.after(0, 'listen', () => {
      if (this.#stop !== undefined) whenListening()
      else this.emit('error', Object.assign(new Error(`Port ${port} is taken.`), { code: 'EADDRINUSE' }))
    })
    return this
  }

  address(): { readonly port: number } {
    return { port: this.#port }
  }

  close(whenClosed?: () => void): this {
    this.#stop?.()
    this.#stop = undefined
    this.#realm.after(0, 'listened', () => whenClosed?.())
    return this
  }

  #answerCall(call: Call): Promise<Answer> {
    return new Promise(resolve => {
      const finish = (answer: Answer): void => resolve({ ...answer, headers: dated(answer.headers, this.#realm.now()) })
      this.#answer(incoming(call, new SimulatedStream()), new SimulatedResponse(finish))
    })
  }
}

/** Node adds the time of each answer. */
function dated(headers: Answer['headers'], at: number): Answer['headers'] {
  return headers.some(([name]) => name === 'date') ? headers : [...headers, ['date', new Date(at).toUTCString()]]
}

function incoming({ method, path, headers, body }: Call, socket: SimulatedStream): IncomingCall {
  return {
    method,
    url: path,
    headers,
    headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    httpVersion: '1.1',
    socket,
    body,
    setEncoding: () => [body?.toString('utf8') ?? ''],
  }
}

/** `node:http` of a realm. */
export function createNodeHttp(realm: Realm, internet: Internet) {
  return {
    createServer: (options: object | Answering, answer?: Answering) =>
      new SimulatedServer(realm, internet, answer ?? (options as Answering)),
    request: () => {
      throw new Error('request of node:http is not simulated.')
    },
  }
}

/** `node:net` of a realm. Nothing listens but the servers of `node:http`. */
export function createNodeNet(realm: Realm) {
  return {
    Socket: SimulatedStream,
    isIPv6,
    connect: () => {
      const stream = new SimulatedStream()
      realm.after(0, 'refused', () => stream.emit('error', new Error('connect ECONNREFUSED')))
      return stream
    },
  }
}

type FetchHandler = (request: Request, environment: { readonly incoming: IncomingCall }) => Response | Promise<Response>

/** `@hono/node-server` of a realm. */
export function createHonoServer() {
  return {
    getRequestListener:
      (handle: FetchHandler) =>
      async (incomingCall: IncomingCall, response: SimulatedResponse): Promise<void> => {
        const { method, url, headers, body } = incomingCall
        const request = new Request(`http://${headers['host'] ?? 'localhost'}${url}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        })
        const answer = await handle(request, { incoming: incomingCall })
        response.writeHead(answer.status)
        for (const [name, value] of answer.headers) response.setHeader(name, value)
        response.end(new Uint8Array(await answer.arrayBuffer()))
      },
  }
}
