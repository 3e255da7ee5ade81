import { parseArgs } from 'node:util'
import { isIP } from 'node:net'
import {
  DEFAULT_CLIENT,
  DEFAULT_DATA,
  DEFAULT_LISTEN,
  DEFAULT_PORT,
  MAX_CLIENTS,
  MAX_ACCOUNT_CLIENTS,
  type NetworkOptions,
} from './options.ts'
import { GENERATIONS, isGeneration, type Generation } from './clients/profiles/generations.ts'
import type { Address } from '../host/pass-through.ts'

export type CommandLine =
  | { kind: 'help' }
  | { kind: 'wrong'; message: string }
  | { kind: 'run'; network: boolean; options: NetworkOptions }

/** How the program was started: from a clone of the repository, or from the npm package. */
export type Program = 'clone' | 'package'

const COMMANDS: Readonly<Record<Program, string>> = {
  clone: `Usage: npm start -- [options]     the built dashboard with the demo network
       npm run dev -- [options]   the same, from the sources, with hot reloading`,
  package: `Usage: foldboard [options]     serves the dashboard, and forwards it to your folding client`,
}

const DEFAULT_NETWORK: Readonly<Record<Program, boolean>> = { clone: true, package: false }

export function usage(program: Program): string {
  return `${COMMANDS[program]}

  --port N          the dashboard's port (default ${DEFAULT_PORT}); API, relay node and simulated
                    local client take the next three
  --machines N      simulated machines in the demo account, 0 to ${MAX_ACCOUNT_CLIENTS} (default 6)
  --speed X         speed of work (default 1)
  --seed S          seed of machines, work and statistics: the same seed gives the same ones
  --data DIR        folder of the database (default ${DEFAULT_DATA})
  --client H:P      your own folding client (default ${DEFAULT_CLIENT.host}:${DEFAULT_CLIENT.port}); can be repeated,
                    for up to ${MAX_CLIENTS} clients that the page reaches through this server
  --listen ADDRESS  address of this computer at which the dashboard listens (default ${DEFAULT_LISTEN});
                    only programs of this computer, and pages that they open as localhost or
                    127.0.0.1, reach the client
  --published       the port is published to this computer only, as by podman run -p 127.0.0.1:…:
                    whoever connects is one of its programs
  --demo            with the demo network${DEFAULT_NETWORK[program] ? ' (default)' : ''}
  --no-network      the dashboard alone, with its built-in settings${DEFAULT_NETWORK[program] ? '' : ' (default)'}

  --api-port N, --node-port N, --direct-port N   other ports
  --pace MS         time for each message of a machine at the relay; 0 for none (default 300)
  --command-delay MS   delay of commands at machines (default 300)
  --key-bits N      RSA bits of machine keys (default 2048, above 64 machines 1024)
  --client-version V   version of the simulated clients: ${Object.keys(GENERATIONS).join(', ')}
  --uniform         machines alike, with two running units each, for benchmarks
  --changes-every MS   interval of changes of each running unit (default: as real clients)
  --tls             wss:// at the relay node, with a certificate generated for this run
  --origin URL      another page that may call the API; can be repeated
  --help            this text`
}

const OPTIONS = {
  port: { type: 'string' },
  'api-port': { type: 'string' },
  'node-port': { type: 'string' },
  'direct-port': { type: 'string' },
  machines: { type: 'string' },
  speed: { type: 'string' },
  seed: { type: 'string' },
  data: { type: 'string' },
  client: { type: 'string', multiple: true },
  listen: { type: 'string' },
  published: { type: 'boolean' },
  demo: { type: 'boolean' },
  'no-network': { type: 'boolean' },
  pace: { type: 'string' },
  'command-delay': { type: 'string' },
  'key-bits': { type: 'string' },
  'client-version': { type: 'string' },
  uniform: { type: 'boolean' },
  'changes-every': { type: 'string' },
  tls: { type: 'boolean' },
  origin: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const

class InvalidOption extends Error {}

type Range = { from: number; to: number; whole?: boolean }

function numberFor(name: string, text: string | undefined, { from, to, whole = true }: Range): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  const fits =
    text.trim() !== '' && Number.isFinite(value) && value >= from && value <= to && (!whole || Number.isInteger(value))
  if (!fits)
    throw new InvalidOption(`--${name} must be a ${whole ? 'whole ' : ''}number from ${from} to ${to}, not '${text}'.`)
  return value
}

function addressFor(text: string): Address {
  const found = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(text)
  const port = Number(found?.[2] ?? DEFAULT_CLIENT.port)
  if (found?.[1] === undefined || port < 1 || port > 65_535)
    throw new InvalidOption(`--client must be HOST:PORT, not '${text}'.`)
  return { host: found[1].replaceAll(/[[\]]/g, ''), port }
}

function generationFor(text: string | undefined): Generation | undefined {
  if (text === undefined || isGeneration(text)) return text
  throw new InvalidOption(`--client-version must be one of ${Object.keys(GENERATIONS).join(', ')}, not '${text}'.`)
}

/** Each address once: the same client twice is most likely a mistake in the command. */
function clientsFor(texts: readonly string[] = []): readonly Address[] {
  if (texts.length > MAX_CLIENTS) throw new InvalidOption(`--client can be given ${MAX_CLIENTS} times at most.`)
  const addresses = texts.map(addressFor)
  const names = addresses.map(({ host, port }) => `${host.toLowerCase()} ${port}`)
  const at = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (at !== -1) throw new InvalidOption(`--client ${texts[at] ?? ''} is given twice.`)
  return addresses
}

function listenFor(text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) !== 0) return text
  throw new InvalidOption(`--listen must be an IP address, not '${text}'.`)
}

function portFor(name: string, text: string | undefined): number | undefined {
  return numberFor(name, text, { from: 0, to: 65_535 })
}

/** Milliseconds that a real node takes for each message of a client (docs/protocol.md §11.6). */
const REAL_PACE = '300'

function withoutUndefined(options: {
  [Name in keyof NetworkOptions]: NetworkOptions[Name] | undefined
}): NetworkOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function messageOf(error: unknown): string {
  if (error instanceof InvalidOption) return error.message
  if (!(error instanceof Error)) return 'These options cannot be read.'
  const unknown = /^Unknown option '([^']+)'/.exec(error.message)
  return unknown === null ? (error.message.split('\n')[0] ?? '') : `There is no option ${unknown[1] ?? ''}.`
}

function read(words: readonly string[], program: Program): CommandLine {
  const { values } = parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false })
  if (values.help === true) return { kind: 'help' }
  if (values.demo === true && values['no-network'] === true)
    throw new InvalidOption('--demo and --no-network exclude each other.')
  const [client, ...otherClients] = clientsFor(values.client)
  const options = withoutUndefined({
    port: portFor('port', values.port),
    apiPort: portFor('api-port', values['api-port']),
    nodePort: portFor('node-port', values['node-port']),
    directPort: portFor('direct-port', values['direct-port']),
    machines: numberFor('machines', values.machines, { from: 0, to: MAX_ACCOUNT_CLIENTS }),
    speed: numberFor('speed', values.speed, { from: 0.001, to: 1_000_000, whole: false }),
    seed: numberFor('seed', values.seed, { from: 0, to: 2 ** 32 - 1 }),
    data: values.data ?? DEFAULT_DATA,
    listen: listenFor(values.listen),
    isPublished: values.published,
    client,
    otherClients: otherClients.length === 0 ? undefined : otherClients,
    relayPaceMs: numberFor('pace', values.pace ?? REAL_PACE, { from: 0, to: 60_000 }),
    commandDelayMs: numberFor('command-delay', values['command-delay'], { from: 0, to: 60_000 }),
    keyBits: numberFor('key-bits', values['key-bits'], { from: 1_024, to: 4_096 }),
    changesEvery: numberFor('changes-every', values['changes-every'], { from: 1, to: 3_600_000 }),
    clientVersion: generationFor(values['client-version']),
    uniform: values.uniform,
    tls: values.tls,
    allowedOrigins: values.origin,
  })
  return { kind: 'run', network: values.demo ?? (values['no-network'] !== true && DEFAULT_NETWORK[program]), options }
}

/** Parses the command-line arguments. Invalid ones give a message, never a guess. */
export function readCommandLine(words: readonly string[], program: Program = 'clone'): CommandLine {
  try {
    return read(words, program)
  } catch (error) {
    return { kind: 'wrong', message: `${messageOf(error)} Try --help.` }
  }
}
