import { EventEmitter } from 'node:events'
import type { Realm } from '../realms/realm.ts'
import type { End, Frame } from './connection.ts'
import type { Internet } from './internet.ts'
import type { IncomingCall, SimulatedStream } from './node-http.ts'

const CONNECTING = 0
const OPEN = 1
const CLOSING = 2
const CLOSED = 3

type Sent = string | Uint8Array
type SocketOptions = { readonly maxPayload?: number; readonly autoPong?: boolean }
type SendOptions = { readonly binary?: boolean; readonly fin?: boolean }

function bytesOf(data: Sent): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data)
}

/** A socket of the package `ws`, as client and as server. */
class WsSocket extends EventEmitter {
  readonly CONNECTING = CONNECTING
  readonly OPEN = OPEN
  readonly CLOSING = CLOSING
  readonly CLOSED = CLOSED
  binaryType = 'nodebuffer'
  readyState: number
  isPaused = false
  #end: End | undefined
  #parts: Buffer[] = []
  #maxPayload: number
  #autoPong: boolean

  constructor(
    realm: Realm,
    end: End | undefined,
    isOpen: boolean,
    { maxPayload = Infinity, autoPong = true }: SocketOptions,
  ) {
    super()
    this.#autoPong = autoPong
    this.readyState = isOpen ? OPEN : CONNECTING
    this.#maxPayload = maxPayload
    this.#end = end
    if (end !== undefined)
      end.handler = {
        received: frame => this.#received(frame),
        // A computer that sleeps answers nothing.
        answersPings: () =>
          this.readyState === OPEN && this.#autoPong && this.listenerCount('ping') === 0 && !realm.isFrozen(),
        ended: () => this.ended(),
      }
  }

  get bufferedAmount(): number {
    return this.#end?.pending() ?? 0
  }

  send(data: Sent, options: SendOptions = {}): void {
    if (this.readyState === CONNECTING) throw new Error('WebSocket is not open: readyState 0 (CONNECTING)')
    if (this.readyState !== OPEN) return
    this.#parts.push(bytesOf(data))
    if (options.fin === false) return
    const whole = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts)
    this.#parts = []
    this.#end?.send({
      type: 'message',
      data: whole ?? Buffer.alloc(0),
      isBinary: options.binary ?? typeof data !== 'string',
    })
  }

  ping(data: Sent = ''): void {
    // Most of what happens in a year are pings that are answered: on a connection at rest they take no time.
    if (this.#end?.isAtRest() === true && this.#end.other().handler?.answersPings?.() === true) {
      this.emit('pong', bytesOf(data))
      return
    }
    this.#end?.send({ type: 'ping', data: bytesOf(data) })
  }

  pong(data: Sent = ''): void {
    this.#end?.send({ type: 'pong', data: bytesOf(data) })
  }

  close(code = 1000, reason = ''): void {
    if (this.readyState >= CLOSING) return
    this.readyState = CLOSING
    this.#end?.send({ type: 'closing', code, reason })
  }

  terminate(): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSING
    if (this.#end === undefined) this.ended()
    else this.#end.destroy()
  }

  pause(): void {
    this.isPaused = true
    this.#end?.pause()
  }

  resume(): void {
    this.isPaused = false
    this.#end?.resume()
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    if (type === 'message')
      this.on('message', (data: Buffer, isBinary: boolean) => {
        listener({ type, data: isBinary ? Uint8Array.from(data).buffer : data.toString() })
      })
    else this.on(type, () => listener({ type }))
  }

  ended(): void {
    if (this.readyState === CLOSED) return
    const wasConnecting = this.readyState === CONNECTING
    this.readyState = CLOSED
    if (wasConnecting) this.emit('error', new Error('connect ECONNREFUSED'))
    this.emit('close', 1006, Buffer.alloc(0))
  }

  #received(frame: Frame): void {
    switch (frame.type) {
      case 'message':
        if (frame.data.length > this.#maxPayload) this.terminate()
        else if (this.readyState === OPEN) this.emit('message', frame.data, frame.isBinary)
        return
      case 'ping':
        if (this.#autoPong) this.pong(frame.data)
        this.emit('ping', frame.data)
        return
      case 'pong':
        if (this.readyState === CONNECTING) {
          this.readyState = OPEN
          this.emit('open')
        } else this.emit('pong', frame.data)
        return
      case 'closing':
        this.close(frame.code)
    }
  }
}

/** The package `ws` of a realm. */
export function createWs(realm: Realm, internet: Internet) {
  class WebSocket extends WsSocket {
    static readonly CONNECTING = CONNECTING
    static readonly OPEN = OPEN
    static readonly CLOSING = CLOSING
    static readonly CLOSED = CLOSED

    constructor(
      url: string,
      { headers = {}, ...options }: SocketOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
    ) {
      const address = new URL(url)
      const end = internet.connect(realm, address, { host: address.host, ...headers })
      super(realm, end, false, options)
      if (end === undefined) realm.after(1, `no one at ${address.host}`, () => this.ended())
    }
  }

  class WebSocketServer extends EventEmitter {
    readonly clients = new Set<WsSocket>()
    #options: SocketOptions

    constructor(options: SocketOptions & { readonly server?: EventEmitter }) {
      super()
      this.#options = options
      options.server?.on('upgrade', (request: IncomingCall, stream: SimulatedStream, head: Buffer) =>
        this.handleUpgrade(request, stream, head, socket => this.emit('connection', socket, request)),
      )
    }

    handleUpgrade(
      request: IncomingCall,
      stream: SimulatedStream,
      _head: Buffer,
      whenOpen: (socket: WsSocket, request: IncomingCall) => void,
    ): void {
      const socket = new WsSocket(realm, stream.link, true, this.#options)
      this.clients.add(socket)
      socket.on('close', () => {
        this.clients.delete(socket)
        stream.destroy()
      })
      // The answer to the request for an upgrade.
      stream.link?.send({ type: 'pong', data: Buffer.from('upgrade') })
      whenOpen(socket, request)
    }
  }

  return { WebSocket, WebSocketServer, default: WebSocket }
}
