import * as assert from 'node:assert'
import * as buffer from 'node:buffer'
import * as events from 'node:events'
import * as path from 'node:path'
import * as stream from 'node:stream'
import * as url from 'node:url'
import * as util from 'node:util'
import * as zlib from 'node:zlib'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import AsynchronousLibsql from 'libsql/promise'
import { createDevice, type Device } from './browser/device.ts'
import { openTab, type Tab } from './browser/tab.ts'
import { createInhabitants, type Inhabitants } from './inhabitants/inhabitants.ts'
import { createHomes, type HomeParts } from './inhabitants/homes.ts'
import { createHousehold, type Household } from './inhabitants/household.ts'
import { createConditions } from './internet/conditions.ts'
import { createInternet, type Internet } from './internet/internet.ts'
import type { NetworkProgram, StartedNetwork } from './programs/network.ts'
import type { Page, PageProgram } from './programs/page.ts'
import { startProcess } from './realms/node-process.ts'
import { loadProgram, type InspectActors } from './realms/programs.ts'
import { ProcessEnded, type RealmOptions } from './realms/realm.ts'
import { PORTS } from './server-settings.ts'
import { createServers, type Servers } from './servers.ts'
import { createChances, type Chances } from './time/chance.ts'
import { createSecrets } from './invariants/secrets.ts'
import { createSessionBooks, type SessionBooks } from './invariants/session-books.ts'
import type { Journal } from './time/journal.ts'
import { MINUTE } from './time/durations.ts'
import { createScheduler, type Scheduler } from './time/scheduler.ts'
import { rsaPairOf } from './crypto/rsa.ts'
import { DEMO } from '../network/demo-account.ts'
import { idOfKey, spkiOf } from '../network/keys.ts'
import type { FrameFault, SocketChannel } from '../network/faults/kinds.ts'
import type { Faults, Network } from '../network/index.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import { NEW_PASSPHRASE, WRONG_PASSPHRASE } from './people/passphrases.ts'

const PORT = 7400
const KEY_BITS = 1024
const SERVICES: Readonly<Record<number, string>> = {
  [PORT]: 'dashboard',
  [PORT + 1]: 'api',
  [PORT + 2]: 'relay',
  [PORT + 3]: 'direct',
  [PORTS.alerts]: 'alerts',
  [PORTS.database]: 'database',
  ...Object.fromEntries(
    [1, 2, 3].flatMap(number => [
      [PORTS.server + number, `server ${number}`],
      [PORTS.peer + number, `peer ${number}`],
    ]),
  ),
}

export type OpenPage = Page & { readonly tab: Tab; readonly device: Device }

/** Everything there is, in one process, on one clock, from one seed. */
export type World = {
  readonly scheduler: Scheduler
  readonly chances: Chances
  readonly internet: Internet
  readonly network: Network
  /** What the network itself can do wrong. */
  readonly networkFaults: Faults
  /** What is wrong with the messages of a channel. */
  readonly faultyChannels: Map<SocketChannel, FrameFault>
  /** Errors that nothing caught, with the realm in which they were thrown. */
  readonly errors: readonly string[]
  readonly device: (name: string) => Device
  readonly devices: () => readonly Device[]
  /** `addresses`: of clients besides the one on this computer. */
  readonly openPage: (device: Device, addresses?: readonly string[]) => OpenPage
  readonly inhabitants: Inhabitants
  readonly homes: ReturnType<typeof createHomes>
  readonly household: Household
  readonly sessions: SessionBooks
  /** Pages that are open. */
  readonly pages: () => readonly OpenPage[]
  readonly closePage: (page: OpenPage) => void
  /** Stops a page, and closes it after a minute, in which everything must have been released. */
  readonly leavePage: (page: OpenPage) => void
  /** What pages still held when they were closed after they had been left. */
  readonly leaks: readonly string[]
  readonly servers: Servers | undefined
  /** Commands that machines received of servers. */
  readonly serverCommands: readonly ServerCommand[]
  /** Whether servers can reach a machine, by its slot. */
  readonly isReachable: (slot: number) => boolean
  /** Where secrets were sent, stored or recorded that do not belong there. */
  readonly leakedSecrets: readonly string[]
  /** Paths that the API was asked for. */
  readonly calls: readonly string[]
}

/** `machine`: its slot. */
export type ServerCommand = { readonly at: number; readonly machine: number; readonly command: Json }

export type WorldOptions = {
  /** How many servers there are; several share a database. */
  readonly servers: number
  /** Epoch milliseconds at which the world begins. */
  readonly start: number
  /** Milliseconds between two changes of each running unit; undefined for one second, as real clients have it. */
  readonly changesEvery: number | undefined
  readonly seed: number
  readonly machines: number
  readonly journal: Journal
  /** Where the built programs are. */
  readonly programs: string
  /** Receives what all actors of all programs do. */
  readonly inspectActors?: InspectActors | undefined
}

const MODULES = {
  'node:assert': assert,
  'node:buffer': buffer,
  'node:events': events,
  'node:path': path,
  'node:stream': stream,
  'node:url': url,
  'node:util': util,
  'node:zlib': zlib,
  'node:fs': {},
  'node:fs/promises': {},
  libsql: Libsql,
  'libsql/promise': AsynchronousLibsql,
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What is left of the real world after a run has begun: a program that reaches it fails. */
function closeEscapes(scheduler: Scheduler): void {
  const escape = (name: string) => () => {
    throw new Error(`${name} of the real world was used in a simulated one.`)
  }
  for (const name of ['setTimeout', 'setInterval', 'fetch', 'WebSocket'])
    Object.defineProperty(globalThis, name, { value: escape(name), configurable: true, writable: true })
  // Databases of browsers run outside the realms of their pages, and outlive them.
  Object.defineProperty(globalThis, 'setImmediate', {
    value: (run: () => void) => scheduler.after(0, 'database', 'step', run),
    configurable: true,
    writable: true,
  })
  Object.defineProperty(Math, 'random', { value: escape('Math.random') })
  Object.defineProperty(Date, 'now', { value: scheduler.now })
}

export function createWorld(options: WorldOptions): World {
  const { seed, machines, journal: written, programs, changesEvery, inspectActors } = options
  const secrets = createSecrets(written, [DEMO.passphrase, WRONG_PASSPHRASE, NEW_PASSPHRASE])
  const { journal } = secrets
  const { crypto } = globalThis
  const load = (name: string) => loadProgram(join(programs, `${name}.cjs`))
  const [pageProgram, networkProgram] = [load('page'), load('network')]
  const workers = { wire: load('wire'), 'log-search': load('log-search') }

  const scheduler = createScheduler(options.start, journal)
  const chances = createChances(seed)
  const errors: string[] = []
  const fail = (realm: string, error: unknown): void => {
    if (error instanceof ProcessEnded) return
    const text = `${realm}: ${describeError(error)}`
    errors.push(text)
    journal.note(scheduler.now(), realm, `failed: ${text.split('\n')[0] ?? ''}`)
  }
  closeEscapes(scheduler)
  process.on('unhandledRejection', error => fail('a promise', error))
  process.on('uncaughtException', error => fail('an event', error))

  const sessions = createSessionBooks()
  const print = (line: string): void => journal.note(scheduler.now(), 'network', line)
  const calls: string[] = []
  const internet = createInternet({
    chances,
    conditions: createConditions(),
    services: SERVICES,
    note: ({ name }, what) => journal.note(scheduler.now(), name, what),
    whenCalled: (_, { path, headers }, service) => {
      if (service === 'api') calls.push(path)
      const { authorization } = headers
      if (authorization === undefined) return
      sessions.used(authorization)
      secrets.addPrivate(authorization)
      secrets.searchRecording('an address', path)
    },
    whenAnswered: (from, { headers }, status) => {
      if (status === 401) sessions.refused(from, headers['authorization'] ?? '', scheduler.now())
    },
  })

  const realmCounts = new Map<string, number>()
  const newRealm =
    (ahead: () => number) =>
    (name: string): RealmOptions => {
      const count = (realmCounts.get(name) ?? 0) + 1
      realmCounts.set(name, count)
      return { name, scheduler, chance: chances('realm', name, count), ahead, fail }
    }

  const networkProcess = startProcess({
    realm: newRealm(() => 0)('network'),
    internet,
    program: networkProgram,
    crypto,
    modules: MODULES,
    print,
    inspectActors,
  })
  let started: StartedNetwork | undefined
  const { start, listen } = networkProcess.exports as NetworkProgram
  start({ port: PORT, seed, machines, report: print, ...(changesEvery === undefined ? {} : { changesEvery }) }).then(
    running => {
      started = running
    },
    (error: unknown) => fail('network', error),
  )
  scheduler.runUntil(options.start + MINUTE)
  if (started === undefined) throw new Error(`The network did not start: ${errors.join('\n')}`)
  const { network, faults: networkFaults, settings } = started

  const serverCommands: ServerCommand[] = []
  const reachable = new Map<number, () => boolean>()
  const startServers = (): Servers => {
    for (const one of network.clients())
      listen(one, PORTS.machine + one.slot, command => {
        serverCommands.push({ at: scheduler.now(), machine: one.slot, command })
      }).then(
        isListening => reachable.set(one.slot, isListening),
        (error: unknown) => fail('a machine', error),
      )
    return createServers({
      count: options.servers,
      machines: network.clients().map(({ slot }) => slot),
      scheduler,
      internet,
      newRealm: (name, ahead) => newRealm(ahead)(name),
      program: load('server'),
      crypto,
      modules: MODULES,
      note: (who, what) => journal.note(scheduler.now(), who, what),
    })
  }
  const servers = options.servers === 0 ? undefined : startServers()
  const cases = existsSync(join(programs, 'cases.cjs')) ? load('cases') : undefined
  const inhabitants = createInhabitants({
    internet,
    newRealm: newRealm(() => 0),
    startCases:
      cases &&
      (realm => startProcess({ realm, internet, program: cases, crypto, modules: MODULES, print, inspectActors })),
    captures: join(programs, '../../../../shared/captures'),
  })

  const machineProgram = load('machine')
  const homeParts: HomeParts = {
    seed,
    newRealm: newRealm(() => 0),
    startMachine: realm =>
      startProcess({ realm, internet, program: machineProgram, crypto, modules: MODULES, print, inspectActors }),
  }
  const homes = createHomes(homeParts)
  const household = createHousehold({
    ...homeParts,
    account: {
      apiUrl: network.apiUrl,
      newKey: (name, installation) => {
        const { privateKey, publicKey } = rsaPairOf(KEY_BITS, chances('key', name, installation))
        return { privateKey, publicKey: spkiOf(publicKey), id: idOfKey(publicKey) }
      },
      token: async () => (await network.stored())?.token ?? '',
    },
  })

  const devices = new Map<string, Device>()
  const pages = new Set<OpenPage>()
  const leaks: string[] = []
  const forget = (page: OpenPage): void => {
    pages.delete(page)
    for (const { client } of [network.local, ...network.clients()]) {
      const stored = client.snapshotForStore()
      const config = isJsonObject(stored) ? (stored['config'] ?? null) : null
      const passkey = isJsonObject(config) ? config['passkey'] : undefined
      if (typeof passkey === 'string' && passkey !== '') secrets.addPrivate(passkey)
    }
    for (const text of page.recorded()) secrets.searchRecording(page.device.name, text)
  }
  return {
    scheduler,
    chances,
    internet,
    network,
    servers,
    serverCommands,
    isReachable: slot => reachable.get(slot)?.() === true,
    networkFaults,
    faultyChannels: new Map(),
    errors,
    device: name => {
      const device = devices.get(name) ?? createDevice(name)
      devices.set(name, device)
      return device
    },
    devices: () => [...devices.values()],
    inhabitants,
    homes,
    household,
    sessions,
    openPage: (device, addresses = []) => {
      const tab = openTab({
        device,
        origin: `http://localhost:${PORT}`,
        internet,
        newRealm: newRealm(() => device.ahead),
        program: pageProgram,
        settings: { ...settings(), 'direct-address': [network.directAddress, ...addresses].join(', ') },
        workers,
        crypto,
        inspectActors,
      })
      const page: OpenPage = { ...(tab.exports as PageProgram).openPage(), tab, device }
      pages.add(page)
      return page
    },
    leaks,
    leakedSecrets: secrets.leakedSecrets,
    calls,
    leavePage: page => {
      forget(page)
      page.stop()
      scheduler.after(MINUTE, 'world', 'left page', () => {
        leaks.push(...page.tab.realm.held().map(what => `${page.device.name}: ${what}`))
        page.tab.close()
      })
    },
    pages: () => [...pages],
    closePage: page => {
      forget(page)
      page.tab.close()
    },
  }
}
