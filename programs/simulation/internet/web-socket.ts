import type { Realm } from '../realms/realm.ts'
import type { Internet } from './internet.ts'
import type { End, Frame } from './connection.ts'

const CONNECTING = 0
const OPEN = 1
const CLOSING = 2
const CLOSED = 3
/** Milliseconds that a browser waits for the answer to its Close frame. */
const LONGEST_CLOSING = 30_000

/** An event with a field, as `MessageEvent` and `CloseEvent` have it. */
function eventWith(type: string, fields: object): Event {
  return Object.assign(new Event(type), fields)
}

/** The class `WebSocket` of a browser. */
export function webSocketOf(realm: Realm, internet: Internet, origin: string) {
  return class SimulatedWebSocket extends EventTarget {
    static readonly CONNECTING = CONNECTING
    static readonly OPEN = OPEN
    static readonly CLOSING = CLOSING
    static readonly CLOSED = CLOSED
    readonly url: string
    binaryType = 'blob'
    readyState = CONNECTING
    #end: End | undefined
    #release: () => void

    constructor(url: string) {
      super()
      const address = new URL(url)
      this.url = address.href
      this.#release = realm.hold(`socket ${address.href}`)
      this.#end = internet.connect(realm, address, { host: address.host, origin })
      if (this.#end === undefined) realm.after(1, `no one at ${address.host}`, () => this.#ended(1006))
      else
        this.#end.handler = {
          received: frame => this.#received(frame),
          answersPings: () => this.readyState === OPEN,
          ended: () => this.#ended(1006),
        }
    }

    get bufferedAmount(): number {
      return this.#end?.pending() ?? 0
    }

    send(data: string | ArrayBuffer | ArrayBufferView): void {
      if (this.readyState === CONNECTING) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError')
      if (this.readyState !== OPEN) return
      const isBinary = typeof data !== 'string'
      const bytes = isBinary
        ? Buffer.from(data instanceof ArrayBuffer ? data : data.buffer.slice(0))
        : Buffer.from(data, 'utf8')
      this.#end?.send({ type: 'message', data: bytes, isBinary })
    }

    close(code = 1000, reason = ''): void {
      if (this.readyState >= CLOSING) return
      const wasOpen = this.readyState === OPEN
      this.readyState = CLOSING
      if (!wasOpen) this.#end?.destroy()
      else {
        this.#end?.send({ type: 'closing', code, reason })
        realm.after(LONGEST_CLOSING, 'closing took too long', () => this.#end?.destroy())
      }
    }

    #received(frame: Frame): void {
      if (frame.type === 'pong' && this.readyState === CONNECTING) {
        this.readyState = OPEN
        this.dispatchEvent(new Event('open'))
      } else if (frame.type === 'message' && this.readyState === OPEN)
        this.dispatchEvent(
          eventWith('message', { data: frame.isBinary ? Uint8Array.from(frame.data).buffer : frame.data.toString() }),
        )
      else if (frame.type === 'ping') this.#end?.send({ type: 'pong', data: frame.data })
      else if (frame.type === 'closing') this.#end?.destroy()
    }

    #ended(code: number): void {
      if (this.readyState === CLOSED) return
      const wasConnecting = this.readyState === CONNECTING
      this.readyState = CLOSED
      this.#release()
      if (wasConnecting) this.dispatchEvent(new Event('error'))
      this.dispatchEvent(eventWith('close', { code, reason: '', wasClean: false }))
    }
  }
}
