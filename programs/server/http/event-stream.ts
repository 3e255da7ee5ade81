import type { Access } from '../access/access.ts'
import type { Outlets } from '../gateway/outlets.ts'
import { incidentAnswer } from './alert-handlers.ts'
import { clientAnswer, unitAnswer } from './answers.ts'
import type { ServerNews } from '../news.ts'
import type { ApiServices, Handlers } from './handler.ts'

export type EventStreamServices = Pick<ApiServices, 'follow' | 'now'> & {
  readonly access: Pick<Access, 'whenOver'>
  readonly outlets: Outlets
}

const ALIVE_MS = 20_000
/** nginx passes events on at once only when it is told so. */
const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' }

/** The handler of server-sent events. */
export function eventHandlers({ access, follow, now, outlets }: EventStreamServices): Pick<Handlers, 'events'> {
  let last: { readonly event: ServerNews; readonly message: Uint8Array } | undefined
  const messageOf = (event: ServerNews): Uint8Array => {
    if (last?.event !== event) last = { event, message: encode(event.type, contentOf(event, now())) }
    return last.message
  }
  return {
    events: ({ identity, query: { types } }, context) => {
      if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
      const { incoming } = context.env
      const queue = createQueue()
      const close = (): void => {
        queue.close()
        outlet?.close()
        clearInterval(alive)
        cancelEnd()
        unfollow()
      }
      const outlet = outlets.open(identity.name, 'events', {
        waiting: () => queue.bytes() + incoming.socket.writableLength,
        end: () => {
          close()
          incoming.destroy()
        },
      })
      if (outlet === undefined) return context.json({ error: 'Too many streams' }, 429)
      const send = (key: string, message: Uint8Array): void => {
        queue.put(key, message)
        outlet.wrote()
      }
      let sentCount = 0
      const unfollow = follow(event => {
        if (types?.includes(event.type) === false) return
        send(keyOf(event) ?? `once ${sentCount++}`, messageOf(event))
      })
      const alive = setInterval(() => send('alive', ALIVE), ALIVE_MS)
      const cancelEnd = access.whenOver(identity, () => {
        close()
        incoming.destroy()
      })
      send('alive', ALIVE)
      return context.body(queue.stream(close), 200, HEADERS)
    },
  }
}

/** Of what a slow reader needs only the newest; units that ended and incidents that changed are told once each. */
function keyOf(event: ServerNews): string | undefined {
  if (event.type === 'units' || event.type === 'incidents') return undefined
  return event.type === 'machine' ? `machine ${event.machine.number}` : event.type
}

function encode(event: string, content: unknown): Uint8Array {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`)
}

const ALIVE = encode('alive', {})

/** Messages that wait for a reader: a newer one takes the place of one with the same key. */
function createQueue() {
  const waiting = new Map<string, Uint8Array>()
  let bytes = 0
  let isClosed = false
  let wake = (): void => undefined
  return {
    bytes: () => bytes,
    put: (key: string, message: Uint8Array): void => {
      if (isClosed) return
      bytes += message.length - (waiting.get(key)?.length ?? 0)
      waiting.set(key, message)
      wake()
    },
    close: (): void => {
      isClosed = true
      waiting.clear()
      bytes = 0
      wake()
    },
    stream: (onCancel: () => void): ReadableStream<Uint8Array> =>
      new ReadableStream(
        {
          pull: async controller => {
            if (waiting.size === 0 && !isClosed) await new Promise<void>(resolve => (wake = resolve))
            for (const [key, message] of waiting) {
              waiting.delete(key)
              bytes -= message.length
              controller.enqueue(message)
              return
            }
            controller.close()
          },
          cancel: onCancel,
        },
        { highWaterMark: 0 },
      ),
  }
}

function contentOf(event: ServerNews, at: number): unknown {
  switch (event.type) {
    case 'machine':
      return clientAnswer(event.machine)
    case 'incidents':
      return event.incidents.map(incident => incidentAnswer(incident, at))
    case 'units':
      return event.units.map(unit => unitAnswer(unit, new Map()))
    case 'schedules':
    case 'shared':
      return {}
  }
}
