import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Faults } from './faults/faults.ts'
import { DEFAULT_LIMITS } from '../host/server.ts'
import type { CreatePages } from '../host/pages.ts'
import type { Address } from '../host/pass-through.ts'
import type { Generation } from './clients/index.ts'

/** Options of a network. All are optional; port 0 requests any free port. */
export type NetworkOptions = {
  /** Port of the dashboard. API, relay node and simulated local client use the next three unless set. */
  port?: number
  apiPort?: number
  nodePort?: number
  directPort?: number
  /** IP address of this computer at which the dashboard listens; the other ports always listen on loopback. */
  listen?: string
  /** The dashboard's port is published to this computer only, as by a container: whoever connects may reach the clients. */
  isPublished?: boolean
  /** Simulated clients in the demo account, 0 to `MAX_ACCOUNT_CLIENTS`. */
  machines?: number
  /** Speed of work relative to real clients. */
  speed?: number
  /** Seed of clients, work and statistics. Default: the stored seed, else a random one. */
  seed?: number
  /** Whether pages offer the account, as one of simulated clients. Without, it takes real clients in place of simulated ones. */
  isDemo?: boolean
  /** Folder of the database; `undefined`: in memory. */
  data?: string | undefined
  /** The real client to which `/api/websocket` is forwarded. */
  client?: Address
  /** Others: `/clients/2/api/websocket` is forwarded to the first of them, and so on. */
  otherClients?: readonly Address[]
  /** Folder of the built dashboard. */
  dist?: string
  /** Serves other pages than those in `dist`, such as the sources. */
  createPages?: CreatePages
  /** Milliseconds of the relay for each message of a client; 0 for none. The command line's default is that of a real node. */
  relayPaceMs?: number
  /** Milliseconds before a client acts on a command. */
  commandDelayMs?: number
  /** Bits of client keys. */
  keyBits?: number
  /** Bits of the demo account's key when it is made. */
  accountKeyBits?: number
  /** Use wss:// at the relay node, with a certificate generated for this run. */
  tls?: boolean
  /** All clients alike, with two running units each, instead of the six demo profiles and others. */
  uniform?: boolean
  /** The generation of all simulated clients. Default: 8.5.7, and one of the six is too old to be controlled. */
  clientVersion?: Generation
  /** Units of each client that ended before the first start, at least; its profile has some of one or two days. */
  pastUnits?: number
  /** Fixed message rate for benchmarks: one change of each running unit every so many ms. */
  changesEvery?: number
  /** Other pages that may call the API, such as a development server's. */
  allowedOrigins?: readonly string[]
  /** Origins that the simulated local client accepts. Default: those of the API. */
  directOrigins?: readonly string[]
  /** Delay of clients after a lost relay connection, and after a failed attempt, in ms. */
  reconnectMs?: number
  retryMs?: number
  /** Milliseconds between two writes of the clients that have changed: what a killed process loses. */
  saveMs?: number
  /** Milliseconds in which the headers of an HTTP request must be complete, on every port. */
  requestMs?: number
  /** All but the local client begins after this. */
  others?: Promise<unknown>
  /** Nothing is stored: there is a local client before there is a database. */
  isNew?: boolean
  /** Faults between the parts, from `createFaults(seed)`, switched on and off by its creator. */
  faults?: Faults
  /** Receives lines for the console. */
  report?: (line: string) => void
}

export const MAX_ACCOUNT_CLIENTS = 5_000
/** Above this number of clients, keys are short, so that they are generated in seconds. They protect nothing. */
const FULL_KEYS_UP_TO = 64

export const DEFAULT_PORT = 7_400
export const DEFAULT_LISTEN = '127.0.0.1'
export const DEFAULT_DATA = '.foldboard'
/** The page's addresses of the others have numbers with two digits at most (`src/folding/address/address.ts`). */
export const MAX_CLIENTS = 64
export const DEFAULT_CLIENT: Address = { host: '127.0.0.1', port: 7_396 }

/** `dist` of the clone or package that this program belongs to, as a source or built. */
function builtDashboard(): string {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  return resolve(folder, basename(folder) === 'network' ? '../../dist' : '../dist')
}

export type Ports = { port: number; apiPort: number; nodePort: number; directPort: number }

function portsOf(options: NetworkOptions): Ports {
  const port = options.port ?? DEFAULT_PORT
  const after = (offset: number): number => (port === 0 ? 0 : port + offset)
  return {
    port,
    apiPort: options.apiPort ?? after(1),
    nodePort: options.nodePort ?? after(2),
    directPort: options.directPort ?? after(3),
  }
}

/** Options without a default. */
type Undecided =
  | 'data'
  | 'seed'
  | 'others'
  | 'clientVersion'
  | 'changesEvery'
  | 'directOrigins'
  | 'faults'
  | 'createPages'

export type ResolvedOptions = Required<Omit<NetworkOptions, Undecided>> & Pick<NetworkOptions, Undecided>

export function resolveOptions(options: NetworkOptions): ResolvedOptions {
  const clients = Math.min(MAX_ACCOUNT_CLIENTS, options.machines ?? 6)
  return {
    machines: clients,
    listen: DEFAULT_LISTEN,
    isPublished: false,
    speed: 1,
    pastUnits: 0,
    client: DEFAULT_CLIENT,
    otherClients: [],
    dist: builtDashboard(),
    relayPaceMs: 20,
    commandDelayMs: 300,
    keyBits: clients > FULL_KEYS_UP_TO ? 1_024 : 2_048,
    accountKeyBits: 4_096,
    tls: false,
    uniform: false,
    isDemo: true,
    isNew: false,
    allowedOrigins: [],
    reconnectMs: 800,
    retryMs: 15_000,
    saveMs: 1_000,
    requestMs: DEFAULT_LIMITS.requestMs,
    report: () => undefined,
    ...options,
    ...portsOf(options),
  }
}
