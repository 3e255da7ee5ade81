import { randomInt } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { createApi } from './api/app.ts'
import type { ApiServices } from './api/context.ts'
import { catalog } from './catalog.ts'
import { createLoopbackCertificate, type Certificate } from './certificate.ts'
import { createSchedule, systemClock } from './clients/index.ts'
import { DEMO, ensureDemoAccount } from './demo-account.ts'
import type { Handler } from './faults/calls.ts'
import { createProfiles } from './fleet/client-profiles.ts'
import { createDirectServer, type DirectServer } from './fleet/direct-server.ts'
import { DEFAULT_TIMES } from './fleet/direct-socket.ts'
import { createFleet, type Fleet, type FleetClient } from './fleet/fleet.ts'
import { createOriginRule } from './fleet/origins.ts'
import { LOCAL_SLOT } from './fleet/slots.ts'
import { createOutbox } from './mail/mail.ts'
import { createRelay, type Relay } from './node/relay.ts'
import { createBroadcastStore } from './node/broadcast-store.ts'
import { resolveOptions, type NetworkOptions, type ResolvedOptions } from './options.ts'
import { openServer } from '../host/server.ts'
import { directAddresses, serveDashboard } from '../host/dashboard.ts'
import type { PageSettings } from '../host/settings.ts'
import { PROVIDER } from './provider/users.ts'
import { createCreditRecorder, type CreditRecorder } from './statistics/credit-recorder.ts'
import { createPopulation, savePopulation, type Population } from './statistics/population.ts'
import { createSeriesSource } from './statistics/series.ts'
import { createStandings } from './statistics/standings.ts'
import { createSubscriptions, SUBSCRIPTION_PATH, type Subscriptions } from './statistics/subscriptions.ts'
import { accountByKey } from './store/accounts.ts'
import { storedAccount, type StoredAccount } from './store/stored-account.ts'
import { saveBroadcast, storedBroadcasts } from './store/broadcasts.ts'
import { seedCatalog } from './store/catalog.ts'
import { deleteCredits } from './store/credits.ts'
import { clearStates } from './store/clients.ts'
import type { StoredEmail } from './store/emails.ts'
import { unlinkAllMachines } from './store/machines.ts'
import { closeAllSessions } from './store/sessions.ts'
import { setSetting, setting } from './store/settings.ts'
import { openStore, type Store } from './store/store.ts'

export type Network = {
  readonly dashboardUrl: string
  readonly apiUrl: string
  /** `ws://…/ws/account` and `/ws/client` are under it. */
  readonly nodeUrl: string
  /** host:port of the simulated local client. */
  readonly directAddress: string
  readonly account: { readonly email: string; readonly passphrase: string }
  /** base64 SHA-256 of the relay's public key, with TLS. */
  readonly certificatePin: string | undefined
  /** Where stored emails are shown. */
  readonly outboxUrl: string
  /** Stored emails, newest first. */
  outbox(): Promise<readonly StoredEmail[]>
  /** The demo account as it is stored, with its machines. */
  stored(): Promise<StoredAccount | undefined>
  /** For tests: what the API loses. */
  readonly forget: { sessions(): Promise<void>; machines(): Promise<void> }
  readonly statistics: {
    /** Sends a point of the current time to every subscribed page, as on the hour. */
    announce(): Promise<void>
    /** Resolves when the credits of all ended units are stored. */
    settled(): Promise<void>
  }
  readonly relay: Relay
  readonly direct: DirectServer
  /** The local client, not linked at first. */
  readonly local: FleetClient
  /** The clients of the demo account created so far, by slot. */
  clients(): readonly FleetClient[]
  /** Resolves when every client except offline ones is logged in at the relay. */
  online(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 20

const LATEST_CLIENT = [8, 5, 7] as const

function randomSeed(): number {
  return randomInt(2 ** 31)
}

/**
 * The given seed, else the stored one, else a random one. Another seed than the stored one deletes stored states and
 * credits.
 */
async function chooseSeed(store: Store, wanted: number | undefined): Promise<number> {
  const stored = await setting(store, 'seed')
  const seed = wanted ?? (stored === undefined ? randomSeed() : Number(stored))
  if (stored !== undefined && Number(stored) !== seed) {
    await clearStates(store)
    await deleteCredits(store)
  }
  await setSetting(store, 'seed', String(seed))
  return seed
}

async function startRelay(
  store: Store,
  { nodePort, relayPaceMs, faults, requestMs, report }: ResolvedOptions,
  tls: { key: string; cert: string } | undefined,
  allowedOrigins: readonly string[],
): Promise<Relay> {
  const broadcasts = createBroadcastStore(await storedBroadcasts(store), (account, broadcast) => {
    saveBroadcast(store, { account, ...broadcast }).catch((error: unknown) => {
      report(`A broadcast could not be stored: ${error instanceof Error ? error.message : 'unknown reason'}`)
    })
  })
  const relay = createRelay({
    port: nodePort,
    broadcasts,
    paceMs: relayPaceMs,
    faults,
    allowedOrigins,
    requestMs,
    isAccount: async id => (await accountByKey(store, id)) !== undefined,
    now: () => Date.now() + (faults?.ahead() ?? 0),
    ...(tls === undefined ? {} : { tls }),
  })
  await relay.start()
  return relay
}

type Api = { apiUrl: string; subscriptions: Subscriptions; stop: () => Promise<void> }

async function startApi(
  services: ApiServices,
  population: Population,
  { apiPort, faults, requestMs }: ResolvedOptions,
): Promise<Api> {
  const api: Handler = createApi(services).fetch
  const answer = getRequestListener(faults?.onCalls(api) ?? api)
  const subscriptions = createSubscriptions({ ...services, series: createSeriesSource(services.store, population) })
  const server = await openServer({
    place: { what: 'the API', port: apiPort, option: '--api-port, or move all four with --port' },
    answer,
    upgrade: subscriptions.upgrade,
    limits: { requestMs },
  })
  return {
    apiUrl: `http://127.0.0.1:${server.port}`,
    subscriptions,
    stop: () => {
      subscriptions.stop()
      return server.close()
    },
  }
}

function schemeOf(certificate: Certificate | undefined): 'ws' | 'wss' {
  return certificate === undefined ? 'ws' : 'wss'
}

function clientsOf(fleet: Fleet): readonly FleetClient[] {
  return fleet
    .clients()
    .filter(({ slot }) => slot !== LOCAL_SLOT)
    .sort((one, other) => one.slot - other.slot)
}

function untilTrue(holds: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const poll = (): void => {
      if (holds()) resolve()
      else setTimeout(poll, POLL_MS)
    }
    poll()
  })
}

/** Steps that stop what has been started, in reverse order, also when the start fails. */
type Cleanup = { add(step: () => void | Promise<void>): void; run(): Promise<void> }

function createCleanup(): Cleanup {
  const steps: (() => void | Promise<void>)[] = []
  return {
    add: step => steps.unshift(step),
    run: async () => {
      for (const step of steps.splice(0)) await step()
    },
  }
}

/**
 * Starts a folding network on loopback in this process: API, relay node, simulated clients and dashboard. Resolves when
 * all servers listen and the local client exists; other clients log in afterwards.
 */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const cleanup = createCleanup()
  try {
    return await assemble(resolveOptions(options), cleanup)
  } catch (error) {
    await cleanup.run()
    throw error
  }
}

type StartedParts = {
  store: Store | undefined
  seed: number
  apiUrl: () => string
  certificate: Certificate | undefined
}

async function startFleet(options: ResolvedOptions, parts: StartedParts, cleanup: Cleanup): Promise<Fleet> {
  const schedule = createSchedule(systemClock, error => {
    options.report(
      `A simulated client failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  })
  cleanup.add(() => schedule.stop())
  const fleet = await createFleet({
    ...options,
    ...parts,
    count: options.machines,
    bits: options.keyBits,
    scheme: schemeOf(parts.certificate),
    ca: parts.certificate?.cert,
    profileFor: createProfiles(parts.seed, options.uniform, options.clientVersion, options.pastUnits),
    schedule,
  })
  cleanup.add(() => fleet.stop())
  return fleet
}

async function startDirect(
  options: ResolvedOptions,
  local: FleetClient,
  pages: readonly string[],
  redirect: string,
): Promise<DirectServer> {
  const direct: DirectServer = createDirectServer({
    client: local.client,
    port: options.directPort,
    allows: createOriginRule(() => direct.port(), options.directOrigins ?? pages),
    times: { ...DEFAULT_TIMES, commandDelayMs: options.commandDelayMs },
    faults: options.faults,
    redirect,
    requestMs: options.requestMs,
  })
  await direct.start()
  return direct
}

function settingsFor(
  apiUrl: string,
  node: string,
  scheme: 'ws' | 'wss',
  { otherClients, isDemo }: ResolvedOptions,
): PageSettings {
  return {
    'api-url': apiUrl,
    'direct-address': directAddresses(otherClients.length),
    'node-scheme': scheme,
    node,
    'version-url': `${apiUrl}/release/latest.json`,
    'statistics-url': `${apiUrl.replace(/^http/, 'ws')}${SUBSCRIPTION_PATH}`,
    'awards-url': `${apiUrl}/awards`,
    'news-url': apiUrl,
    providers: `${PROVIDER.id}=${PROVIDER.name}`,
    ...(isDemo ? { demo: `${DEMO.email} ${DEMO.passphrase}` } : {}),
  }
}

async function assemble(options: ResolvedOptions, cleanup: Cleanup): Promise<Network> {
  const { report } = options
  const kept: { store?: Store; credits?: CreditRecorder } = {}
  cleanup.add(() => kept.store?.destroy())
  cleanup.add(() => kept.credits?.stop())
  const open = async (): Promise<Store> => (kept.store ??= await openStore(options.data))
  const known = options.isNew ? undefined : await open()
  const seed = known === undefined ? (options.seed ?? randomSeed()) : await chooseSeed(known, options.seed)
  const certificate = options.tls ? createLoopbackCertificate() : undefined
  // Set below: the other parts need the dashboard's port. The dashboard answers no request before.
  const lateParts: { settings: PageSettings; api?: Api; direct?: DirectServer; local?: FleetClient } = { settings: {} }
  let markReady = (): void => undefined
  const ready = new Promise<void>(resolve => {
    markReady = resolve
  })

  const dashboard = await serveDashboard({
    port: options.port,
    listen: options.listen,
    isPublished: options.isPublished,
    folder: options.dist,
    createPages: options.createPages,
    client: options.client,
    otherClients: options.otherClients,
    standIn: () =>
      lateParts.direct?.isListening() === true ? { host: '127.0.0.1', port: lateParts.direct.port() } : undefined,
    onClientBehind: isThere => lateParts.local?.client.setClientBehind(isThere),
    settings: () => lateParts.settings,
    report,
    ready,
    requestMs: options.requestMs,
  })
  cleanup.add(() => dashboard.stop())
  const pages = [...dashboard.origins, ...options.allowedOrigins]

  const fleet = await startFleet(
    options,
    { store: known, seed, apiUrl: () => lateParts.api?.apiUrl ?? '', certificate },
    cleanup,
  )
  const { local } = fleet
  const direct = await startDirect(options, local, pages, dashboard.url)
  cleanup.add(() => direct.stop())
  lateParts.direct = direct
  lateParts.local = local

  await options.others
  const store = await open()
  if (options.isNew) await chooseSeed(store, seed)
  const credits = await createCreditRecorder(store, report)
  kept.credits = credits
  await seedCatalog(store, catalog())
  const relay = await startRelay(store, options, certificate, pages)
  cleanup.add(() => relay.stop())
  const node = `127.0.0.1:${relay.port()}`
  const population = createPopulation(seed)
  await savePopulation(store, population)
  const account = await ensureDemoAccount(store, options.accountKeyBits)
  const mail = createOutbox(store)
  const api = await startApi(
    {
      store,
      nodeAddress: node,
      allowedOrigins: pages,
      latestVersion: LATEST_CLIENT,
      report,
      mail,
      seed,
      standings: createStandings(store, population, Date.now),
      onKeyRevoked: clients => {
        for (const client of clients) relay.dropClient(client)
      },
      now: Date.now,
    },
    population,
    options,
  )
  cleanup.add(() => api.stop())
  const { apiUrl } = api
  lateParts.settings = settingsFor(apiUrl, node, schemeOf(certificate), options)

  lateParts.api = api
  fleet.fill({ store, credits, account })
  await dashboard.findPeer()
  markReady()

  return {
    dashboardUrl: dashboard.url,
    apiUrl,
    nodeUrl: `${schemeOf(certificate)}://${node}`,
    directAddress: `127.0.0.1:${direct.port()}`,
    account: DEMO,
    certificatePin: certificate?.pin,
    outboxUrl: `${apiUrl}/outbox`,
    outbox: mail.outbox,
    stored: () => storedAccount(store, DEMO.email),
    forget: { sessions: () => closeAllSessions(store), machines: () => unlinkAllMachines(store) },
    statistics: { announce: () => api.subscriptions.announce(), settled: () => credits.flush() },
    relay,
    direct,
    local,
    clients: () => clientsOf(fleet),
    online: async () => {
      await fleet.filled()
      const expected = clientsOf(fleet).filter(({ client }) => !client.profile.offline).length
      await untilTrue(() => relay.clientCount() >= expected)
    },
    stop: () => cleanup.run(),
  }
}
