import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Identity } from '../access/access.ts'
import { createOutlets, type Budget } from '../gateway/outlets.ts'
import type { EndedUnit } from '../store/store.ts'
import type { ServerNews } from '../news.ts'
import type { Bindings } from './handler.ts'
import { eventHandlers } from './event-stream.ts'

const identity: Identity = { name: 'ana', role: 'viewer' }
const shared: ServerNews = { type: 'shared' }

function unit(id: string): EndedUnit {
  return {
    key: `attic ${id}`,
    machine: 'attic',
    unit: id,
    number: 1,
    group_name: '',
    resource: 'cpu:4',
    project: 18_201,
    run: 0,
    clone: 0,
    gen: 0,
    core: null,
    result: 'credited',
    credit: 1,
    ppd: null,
    run_time: 1,
    assigned: null,
    ended: 0,
  }
}

function start(budget: Budget = { bytes: 10_000, streams: { answer: 2, events: 2, socket: 2 } }) {
  const listeners = new Set<(event: ServerNews) => void>()
  const ends: (() => void)[] = []
  const { events } = eventHandlers({
    outlets: createOutlets(budget),
    now: () => 0,
    access: {
      whenOver: (_, end) => {
        ends.push(end)
        return () => undefined
      },
    },
    follow: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  const app = new Hono<{ Bindings: Bindings }>().get('/', context =>
    events({ identity, query: { types: undefined }, body: undefined }, context),
  )
  return {
    listeners,
    publish: (event: ServerNews) => [...listeners].forEach(listen => listen(event)),
    endSession: () => ends.forEach(end => end()),
    open: async (method = 'GET') => {
      const incoming = new IncomingMessage(new Socket())
      const response = await app.request('/', { method }, { incoming, identity })
      return { response, incoming, reader: response.body?.getReader() }
    },
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, messages: number): Promise<string> {
  let text = ''
  for (let count = 0; count < messages; count++) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  return text
}

test('a HEAD is answered with headers only, and nothing follows it', async () => {
  const { open, listeners } = start()
  for (let count = 0; count < 10; count++) {
    const { response, reader } = await open('HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(reader).toBeUndefined()
  }
  expect(listeners.size).toBe(0)
  expect((await open()).response.status).toBe(200)
})

test('one identity has so many streams, and gets back the one that it leaves', async () => {
  const { open, listeners } = start()
  const { reader } = await open()
  await open()
  expect((await open()).response.status).toBe(429)
  await reader?.cancel()
  expect(listeners.size).toBe(1)
  expect((await open()).response.status).toBe(200)
})

test('a reader that was away gets the newest of each kind once, and every unit and incident', async () => {
  const { open, publish } = start()
  const { reader } = await open()
  for (let count = 0; count < 1_000; count++) publish(shared)
  publish({ type: 'units', units: [unit('one')] })
  publish({ type: 'units', units: [unit('two')] })
  publish({ type: 'incidents', incidents: [] })
  publish({ type: 'incidents', incidents: [] })
  publish(shared)
  const text = await read(reader, 6)
  const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event)
  expect(events).toEqual(['alive', 'shared', 'units', 'units', 'incidents', 'incidents'])
  publish(shared)
  expect(await read(reader, 1)).toBe('event: shared\ndata: {}\n\n')
})

test('a reader for which too much waits is ended, and others of the same name are not', async () => {
  const { open, publish, listeners } = start()
  const [stalled, quick] = [await open(), await open()]
  for (let count = 0; count < 100; count++) {
    publish({ type: 'units', units: [unit(`unit ${count}`)] })
    await read(quick.reader, count === 0 ? 2 : 1)
  }
  expect(stalled.incoming.destroyed).toBe(true)
  expect(quick.incoming.destroyed).toBe(false)
  expect(listeners.size).toBe(1)
})

test('a stream ends with the session of its reader', async () => {
  const { open, listeners, endSession } = start()
  const { incoming, reader } = await open()
  await read(reader, 1)
  const next = reader?.read()
  endSession()
  expect((await next)?.done).toBe(true)
  expect(incoming.destroyed).toBe(true)
  expect(listeners.size).toBe(0)
})
