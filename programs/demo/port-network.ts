import { openSocketWith } from '../../src/actors/wire/socket.ts'
import type { OpenSocket } from '../../src/actors/wire/hub.types.ts'
import { isOfNetwork, type Answered, type Asked, type SocketNews } from './messages.ts'

/** Waits for the port of the network. */
type Network = Promise<MessagePort>

async function ask(network: Network, asked: Asked): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel()
  ;(await network).postMessage(asked, [port2])
  return port1
}

const OPEN = 1
const CLOSED = 3

/** A WebSocket that leads to the network of the demo. */
class PortSocket extends EventTarget {
  binaryType = 'arraybuffer'
  readyState = 0
  #port: Promise<MessagePort>

  constructor(network: Network, url: string) {
    super()
    this.#port = ask(network, { type: 'socket', url })
    void this.#port.then(port => {
      port.onmessage = ({ data }: MessageEvent<SocketNews>) => this.#received(data, port)
    })
  }

  send(data: string): void {
    void this.#port.then(port => port.postMessage(data))
  }

  close(): void {
    void this.#port.then(port => port.postMessage(undefined))
  }

  #received(news: SocketNews, port: MessagePort): void {
    if (news.type === 'open') this.readyState = OPEN
    if (news.type === 'close') {
      this.readyState = CLOSED
      port.close()
    }
    this.dispatchEvent(Object.assign(new Event(news.type), news.type === 'message' ? { data: news.data } : {}))
  }
}

export function openSocketOver(network: Network): OpenSocket {
  return openSocketWith(url => new PortSocket(network, url))
}

/** Statuses that may have no body. */
const EMPTY = [101, 204, 205, 304]

/** `fetch` whose calls of the API and of machines are answered by the network of the demo. */
export function fetchOver(network: Network): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (!isOfNetwork(request.url)) return fetch(request)
    const { method, mode, credentials, headers } = request
    const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer()
    const port = await ask(network, {
      type: 'call',
      url: request.url,
      request: { method, mode, credentials, headers: Object.fromEntries(headers), body },
    })
    const answered = await new Promise<Answered>((resolve, reject) => {
      const abort = (): void => reject(request.signal.reason as Error)
      request.signal.addEventListener('abort', abort)
      if (request.signal.aborted) abort()
      port.onmessage = ({ data }: MessageEvent<Answered>) => resolve(data)
    }).finally(() => port.close())
    if (answered === undefined) throw new TypeError('Failed to fetch')
    const { status, headers: answeredHeaders, body: answeredBody } = answered
    return new Response(EMPTY.includes(status) ? null : answeredBody, { status, headers: [...answeredHeaders] })
  }
}
