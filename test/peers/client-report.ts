import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import { CLIENT_PORT } from './real-client.ts'

const URL = `ws://127.0.0.1:${CLIENT_PORT}/api/websocket`
/** The client lets pages in that it serves itself. */
const ORIGIN = `http://127.0.0.1:${CLIENT_PORT}`

/** The full state that a client sends to a new connection. */
export type ClientReport = {
  readonly info: JsonObject
  readonly config: JsonObject
  /** The settings of each group, by its name. */
  readonly groups: ReadonlyMap<string, JsonObject>
  readonly units: readonly JsonObject[]
}

async function open(): Promise<{
  readonly socket: WebSocket
  readonly next: (fits: (message: Json) => boolean) => Promise<Json>
}> {
  const socket = new WebSocket(URL, { origin: ORIGIN, perMessageDeflate: false })
  const messages: Json[] = []
  let wake = (): void => undefined
  socket.on('message', data => {
    messages.push(JSON.parse(textOf(data)) as Json)
    wake()
  })
  let isOver = false
  socket.on('close', () => {
    isOver = true
    wake()
  })
  await once(socket, 'open')
  socket.on('error', () => undefined)
  return {
    socket,
    next: async fits => {
      for (;;) {
        const index = messages.findIndex(fits)
        if (index >= 0) return messages.splice(0, index + 1).at(-1) ?? null
        if (isOver) throw new Error('The client closed the socket of the test.')
        await new Promise<void>(resolve => (wake = resolve))
      }
    },
  }
}

function objectAt(parent: Json | undefined, key: string): JsonObject {
  const value = isJsonObject(parent) ? parent[key] : undefined
  return isJsonObject(value) ? value : {}
}

/**
 * What the client reports at this moment. Each time over a socket of its own, so that nothing of this depends on how
 * changes are followed: that is what the page is compared by.
 */
export async function ask(): Promise<ClientReport> {
  const { socket, next } = await open()
  try {
    const first = await next(isJsonObject)
    const units = isJsonObject(first) ? first['units'] : undefined
    return {
      info: objectAt(first, 'info'),
      config: objectAt(first, 'config'),
      groups: new Map(
        Object.entries(objectAt(first, 'groups')).map(([name, group]) => [name, objectAt(group, 'config')]),
      ),
      units: isJsonList(units) ? units.filter(isJsonObject) : [],
    }
  } finally {
    socket.terminate()
  }
}

/**
 * Sends the client a command, as another program on this computer does, and waits until its report shows the effect and the
 * second is over: of two commands within one a client drops the later (docs/protocol.md §5).
 */
export async function sendCommand(command: JsonObject, shows: (report: ClientReport) => boolean): Promise<void> {
  const { socket, next } = await open()
  try {
    await next(isJsonObject)
    socket.send(JSON.stringify(command))
    while (!shows(await ask())) await next(() => true)
    await wait(1000 - (Date.now() % 1000))
  } finally {
    socket.terminate()
  }
}

/** A list that is sent when it is asked for: the `log`, or the history (`wus`). */
export async function askFor(what: 'log' | 'wus'): Promise<readonly Json[]> {
  const { socket, next } = await open()
  try {
    await next(isJsonObject)
    socket.send(JSON.stringify({ cmd: what, enable: true }))
    const message = await next(sent => isJsonList(sent) && sent.length === 2 && sent[0] === what)
    const list = isJsonList(message) ? message[1] : []
    return isJsonList(list) ? list : []
  } finally {
    socket.terminate()
  }
}
