import './globals.ts'
import { changedBytes, loadDatabase } from './node/libsql.ts'
import { openDB, type IDBPDatabase } from 'idb'
import { startNetwork } from '../network/network.ts'
import { fetchOf } from '../simulation/browser/fetch.ts'
import { webSocketOf } from '../simulation/internet/web-socket.ts'
import { PORTS, type Answered, type Asked, type SocketNews } from './messages.ts'
import { loadStructures } from './structures.ts'
import { internet, visitor, whenListening } from './world.ts'

/* The embedded network, in a worker of the page: the same sources as `npm start`, with the edges of the simulation. */

const machines = Number(self.name.split(' ')[1])

/** Milliseconds between two writes of what a reload continues with. */
const SAVE_INTERVAL = 3000
/** Of each machine: more than a week. */
const PAST_UNITS = 80
const KEY_BITS = 1024
const ACCOUNT_KEY_BITS = 2048

const WebSocket = webSocketOf(visitor, internet, self.location.origin)
const call = fetchOf(visitor, internet, self.location.origin)

const FILES = 'files'

/** Where the database is kept, one for each number of machines. Without storage a reload begins with new machines. */
function openFiles(): Promise<IDBPDatabase | undefined> {
  return openDB('foldboard-demo', 1, { upgrade: database => void database.createObjectStore(FILES) }).catch(
    () => undefined,
  )
}

let beginOthers: (() => void) | undefined
/** The page asks for more than the client of this computer, which it shows first. */
const others = new Promise<void>(resolve => {
  beginOthers = resolve
})

async function start(): Promise<void> {
  const files = await openFiles()
  const bytes = (await files?.get(FILES, machines)) as Uint8Array | undefined
  const database = bytes === undefined ? others.then(() => loadDatabase(bytes)) : loadDatabase(bytes)
  if (bytes !== undefined) await database
  await startNetwork({
    apiPort: PORTS.api,
    nodePort: PORTS.node,
    directPort: PORTS.client,
    machines,
    keyBits: KEY_BITS,
    accountKeyBits: ACCOUNT_KEY_BITS,
    pastUnits: PAST_UNITS,
    // Whoever is connected by account asks for molecules in a way that nobody can read here.
    others: others.then(() => Promise.all([database, loadStructures()])),
    isNew: bytes === undefined,
    report: line => reportError(new Error(line)),
  })
  setInterval(() => {
    const changed = changedBytes()
    if (changed !== undefined) files?.put(FILES, changed, machines).catch(() => undefined)
  }, SAVE_INTERVAL)
}

start().catch(reportError)

function serveSocket(port: MessagePort, url: string): void {
  const socket = new WebSocket(url)
  const report = (news: SocketNews): void => port.postMessage(news)
  socket.addEventListener('open', () => report({ type: 'open' }))
  socket.addEventListener('error', () => report({ type: 'error' }))
  socket.addEventListener('close', () => report({ type: 'close' }))
  socket.addEventListener('message', event => {
    if ('data' in event) report({ type: 'message', data: event.data as string | ArrayBuffer })
  })
  let ready = Promise.resolve()
  port.onmessage = ({ data }: MessageEvent<string | undefined>) => {
    if (data?.includes('"viz"') === true) ready = ready.then(loadStructures)
    void ready.then(() => (data === undefined ? socket.close() : socket.send(data)))
  }
}

async function serveCall(port: MessagePort, { url, request }: Extract<Asked, { type: 'call' }>): Promise<void> {
  const { body, ...rest } = request
  try {
    const answer = await call(url, { ...rest, ...(body === undefined ? {} : { body }) })
    const answered: Answered = {
      status: answer.status,
      headers: [...answer.headers],
      body: await answer.arrayBuffer(),
    }
    port.postMessage(answered)
  } catch {
    port.postMessage(undefined)
  }
}

async function serve({ data, ports: [port] }: MessageEvent<Asked>): Promise<void> {
  if (port === undefined) return
  if (data.type === 'peer') port.onmessage = event => void serve(event as MessageEvent<Asked>)
  else {
    if (new URL(data.url).port !== String(PORTS.client)) beginOthers?.()
    await whenListening(data.url)
    if (data.type === 'socket') serveSocket(port, data.url)
    else await serveCall(port, data)
  }
}

addEventListener('message', event => void serve(event as MessageEvent<Asked>))
