import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Faults } from './faults/faults.ts'
import { DEFAULT_FROM } from './mail/mail.ts'
import { DEFAULT_LIMITS } from './server.ts'
import type { CreatePages } from './serve/pages.ts'
import type { Address } from './serve/pass-through.ts'

/** What a network may be told. Everything has a default; port 0 asks for any free one. */
export type NetworkOptions = {
  /** The dashboard. API, relay node and simulated local client take the next three ports unless told otherwise. */
  port?: number
  apiPort?: number
  nodePort?: number
  directPort?: number
  /** Simulated clients in the demo account, 0 to 2,000. */
  machines?: number
  /** Work gets done this many times faster. */
  speed?: number
  /** The same world again. Default: the world that is stored, else a new one. */
  seed?: number
  /** Where the database is kept; `undefined` in memory only. */
  data?: string | undefined
  /** The real client that `/api/websocket` is passed to. */
  client?: Address
  /** Folder of the built dashboard. */
  dist?: string
  /** Serves other pages than those in `dist`, such as the sources. */
  createPages?: CreatePages
  /** Milliseconds that the relay takes for each message of a machine. */
  relayPaceMs?: number
  /** Milliseconds before a client acts on a command. */
  commandDelayMs?: number
  /** Bits of machine keys. */
  keyBits?: number
  /** Bits of the demo account's key when it is made. */
  accountKeyBits?: number
  /** wss:// at the relay node, with a certificate made for this run. */
  tls?: boolean
  /** All machines alike, of two running units each, instead of the six of the demo and others after them. */
  uniform?: boolean
  /** Fixed rate for benches: one change of each running unit every so many milliseconds. */
  changesEvery?: number
  /** Other pages that may call the API, such as a development server's. */
  allowedOrigins?: readonly string[]
  /** Pages that the simulated local client lets in. Default: those that the API lets in. */
  directOrigins?: readonly string[]
  /** Pause of machines after a lost relay connection, and after a failed one. */
  reconnectMs?: number
  retryMs?: number
  /** `smtp://user:password@host:port` to send letters; without it they are kept, to be read at the API's `/outbox`. */
  smtp?: string
  /** Sender of letters. */
  mailFrom?: string
  /** Milliseconds in which the headers of an HTTP request must be complete, on every port. */
  requestMs?: number
  /** What may go wrong between the parts: `createFaults(seed)`, which is switched on and off by whoever made it. */
  faults?: Faults
  /** One line of text for whoever watches. */
  report?: (line: string) => void
}

export const MAX_MACHINES = 2_000
/** Above this many machines, keys are short so that a mass fleet is there in seconds: they guard nothing. */
const FULL_KEYS_UP_TO = 64

export const DEFAULT_PORT = 7_400
export const DEFAULT_DATA = '.foldboard'
export const DEFAULT_CLIENT: Address = { host: '127.0.0.1', port: 7_396 }

const builtDashboard = (): string => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  return resolve(here, '..', 'dist')
}

export type Ports = { port: number; apiPort: number; nodePort: number; directPort: number }

const portsOf = (options: NetworkOptions): Ports => {
  const port = options.port ?? DEFAULT_PORT
  const after = (offset: number): number => (port === 0 ? 0 : port + offset)
  return {
    port,
    apiPort: options.apiPort ?? after(1),
    nodePort: options.nodePort ?? after(2),
    directPort: options.directPort ?? after(3),
  }
}

export type ResolvedOptions = Required<
  Omit<NetworkOptions, 'data' | 'seed' | 'changesEvery' | 'directOrigins' | 'smtp' | 'faults' | 'createPages'>
> &
  Pick<NetworkOptions, 'data' | 'seed' | 'changesEvery' | 'directOrigins' | 'smtp' | 'faults' | 'createPages'>

export const resolveOptions = (options: NetworkOptions): ResolvedOptions => {
  const machines = Math.min(MAX_MACHINES, options.machines ?? 6)
  return {
    machines,
    speed: 1,
    client: DEFAULT_CLIENT,
    dist: builtDashboard(),
    relayPaceMs: 100,
    commandDelayMs: 300,
    keyBits: machines > FULL_KEYS_UP_TO ? 1_024 : 2_048,
    accountKeyBits: 4_096,
    tls: false,
    uniform: false,
    allowedOrigins: [],
    reconnectMs: 800,
    retryMs: 15_000,
    requestMs: DEFAULT_LIMITS.requestMs,
    mailFrom: DEFAULT_FROM,
    report: () => undefined,
    ...options,
    ...portsOf(options),
  }
}
