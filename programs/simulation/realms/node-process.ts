import { createCrypto } from '../crypto/subtle.ts'
import { createNodeCrypto } from '../crypto/node-crypto.ts'
import { fetchOf } from '../browser/fetch.ts'
import { compression } from '../browser/compression.ts'
import type { Internet } from '../internet/internet.ts'
import { createHonoServer, createNodeHttp, createNodeNet } from '../internet/node-http.ts'
import { createWs } from '../internet/ws.ts'
import { abortSignalOf, dateOf, mathOf, nodeTimers, performanceOf } from './clock.ts'
import type { InspectActors, Program } from './programs.ts'
import { createRealm, type Realm, type RealmOptions } from './realm.ts'

/** Modules that compute only, or that the world can do without simulating them. */
export type RealModules = Readonly<Record<string, unknown>>

type ProcessOptions = {
  readonly realm: RealmOptions
  readonly internet: Internet
  readonly program: Program
  readonly crypto: Crypto
  readonly modules: RealModules
  readonly print: (line: string) => void
  /** Receives what all actors of the program do. */
  readonly inspectActors?: InspectActors | undefined
  /** More modules that are simulated. */
  readonly simulated?: (realm: Realm) => Readonly<Record<string, unknown>>
}

/** Starts a program of Node. */
export function startProcess(processOptions: ProcessOptions) {
  const { realm: options, internet, program, crypto, modules, print, inspectActors } = processOptions
  const realm: Realm = createRealm(options)
  const timers = nodeTimers(realm)
  const wait = (ms: number): Promise<void> => new Promise(resolve => timers.setTimeout(() => resolve(), ms))
  const simulated: Readonly<Record<string, unknown>> = {
    'node:crypto': createNodeCrypto(realm.chance),
    'node:http': createNodeHttp(realm, internet),
    'node:https': createNodeHttp(realm, internet),
    'node:net': createNodeNet(realm),
    'node:os': { cpus: () => [1, 2], availableParallelism: () => 2, hostname: () => realm.name },
    'node:timers/promises': { setTimeout: wait, setImmediate: () => wait(1) },
    '@hono/node-server': createHonoServer(),
    ws: createWs(realm, internet),
    'node:module': { createRequire: () => require },
    ...processOptions.simulated?.(realm),
  }
  const require = (name: string): unknown => {
    const found = [simulated, modules].map(each => each[name] ?? each[`node:${name}`]).find(each => each !== undefined)
    if (found === undefined) throw new Error(`${name} is not simulated.`)
    return found
  }
  const exports = program.run({
    ...timers,
    ...compression,
    Date: dateOf(realm),
    Math: mathOf(realm),
    performance: performanceOf(realm),
    crypto: createCrypto(crypto, realm.chance),
    fetch: fetchOf(realm, internet),
    AbortSignal: abortSignalOf(realm),
    require,
    inspectActors,
    process: {
      env: {},
      argv: [],
      versions: { node: '20.0.0' },
      platform: 'linux',
      nextTick: (run: () => void) => process.nextTick(run),
      emitWarning: () => undefined,
      version: 'v20.0.0',
      release: { name: 'node' },
      uptime: () => 0,
      cpuUsage: () => ({ user: 0, system: 0 }),
      hrtime: Object.assign(() => [0, 0], { bigint: () => 0n }),
      resourceUsage: () => ({}),
      getActiveResourcesInfo: () => [],
      on: () => undefined,
      memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    },
    console: { log: print, error: print, warn: print },
    __filename: '/simulated/program.js',
  })
  return { realm, exports }
}
