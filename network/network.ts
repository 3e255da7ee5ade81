import { randomInt } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { createApi } from './api/app.ts'
import type { ApiServices } from './api/context.ts'
import { catalogue } from './catalog.ts'
import { createLoopbackCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { createSchedule, systemClock } from './clients/index.ts'
import { DEMO, ensureDemoAccount } from './demo-account.ts'
import type { Answer } from './faults/calls.ts'
import { createCast } from './fleet/machine-profiles.ts'
import { createDirectServer } from './fleet/direct-server.ts'
import type { DirectServer } from './fleet/direct-server.ts'
import { REAL_TIMES } from './fleet/direct-socket.ts'
import { createFleet } from './fleet/fleet.ts'
import type { Fleet, FleetClient } from './fleet/fleet.ts'
import { createOriginRule } from './fleet/origins.ts'
import { LOCAL_SEAT } from './fleet/slots.ts'
import { createOutbox, createSmtpPost } from './mail/mail.ts'
import { createRelay } from './node/relay.ts'
import type { Relay } from './node/relay.ts'
import { createShelf } from './node/shelf.ts'
import { settle } from './options.ts'
import type { NetworkOptions, Settled } from './options.ts'
import { openServer } from './server.ts'
import { serveDashboard } from './serve/dashboard.ts'
import type { PageSettings } from './serve/settings.ts'
import { PROVIDER } from './provider/people.ts'
import { openLedger } from './statistics/ledger.ts'
import type { Ledger } from './statistics/ledger.ts'
import { createPopulation } from './statistics/population.ts'
import type { Population } from './statistics/population.ts'
import { createSeriesBook } from './statistics/series.ts'
import { createStandings } from './statistics/standings.ts'
import { createSubscriptions, SUBSCRIPTION_PATH } from './statistics/subscriptions.ts'
import type { Subscriptions } from './statistics/subscriptions.ts'
import { accountByKey } from './store/accounts.ts'
import { keepBroadcast, keptBroadcasts } from './store/broadcasts.ts'
import { seedCatalogue } from './store/catalog.ts'
import { settlePopulation } from './statistics/settle.ts'
import { forgetCredits } from './store/credits.ts'
import { forgetStates } from './store/clients.ts'
import type { KeptMail } from './store/mails.ts'
import { setSetting, setting } from './store/settings.ts'
import { openStore } from './store/store.ts'
import type { Store } from './store/store.ts'

export type Network = {
  readonly dashboardUrl: string
  readonly apiUrl: string
  /** `ws://…/ws/account` and `/ws/client` are under it. */
  readonly nodeUrl: string
  /** host:port of the simulated local client, as one types it into the dashboard. */
  readonly directAddress: string
  readonly account: { readonly email: string; readonly passphrase: string }
  /** base64 SHA-256 of the relay's public key, when it speaks wss. */
  readonly certificatePin: string | undefined
  /** Where letters can be read; undefined when they are sent by SMTP. */
  readonly outboxUrl: string | undefined
  /** Kept letters, newest first. */
  outbox(): Promise<readonly KeptMail[]>
  readonly statistics: {
    /** A point of this moment to every page that subscribed, as on the hour. */
    announce(): Promise<void>
    /** Every unit that has ended so far is in the books. */
    settled(): Promise<void>
  }
  readonly relay: Relay
  readonly direct: DirectServer
  /** The client on this computer, linked to nobody at first. */
  readonly local: FleetClient
  /** The machines of the demo account that are there so far, by seat. */
  clients(): readonly FleetClient[]
  /** Every machine that is not away is logged in at the relay. */
  online(): Promise<void>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 20

const LATEST_CLIENT = [8, 5, 7] as const

/** The seed that was asked for, else the stored world's, else a new one. Another seed than the stored one is another world. */
const chooseSeed = async (store: Store, wanted: number | undefined): Promise<number> => {
  const stored = await setting(store, 'seed')
  const seed = wanted ?? (stored === undefined ? randomInt(2 ** 31) : Number(stored))
  if (stored !== undefined && Number(stored) !== seed) {
    await forgetStates(store)
    await forgetCredits(store)
  }
  await setSetting(store, 'seed', String(seed))
  return seed
}

const startRelay = async (
  store: Store,
  { nodePort, relayPaceMs, faults, requestMs, report }: Settled,
  tls: { key: string; cert: string } | undefined,
  allowedOrigins: readonly string[],
): Promise<Relay> => {
  const shelf = createShelf(await keptBroadcasts(store), (account, broadcast) => {
    keepBroadcast(store, { account, ...broadcast }).catch((error: unknown) => {
      report(`A broadcast could not be stored: ${error instanceof Error ? error.message : 'unknown reason'}`)
    })
  })
  const relay = createRelay({
    port: nodePort,
    shelf,
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

const startApi = async (
  services: ApiServices,
  population: Population,
  { apiPort, faults, requestMs }: Settled,
): Promise<Api> => {
  const api: Answer = createApi(services).fetch
  const answer = getRequestListener(faults?.onCalls(api) ?? api)
  const subscriptions = createSubscriptions({ ...services, book: createSeriesBook(services.store, population) })
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

const schemeOf = (certificate: Certificate | undefined): 'ws' | 'wss' => (certificate === undefined ? 'ws' : 'wss')

const machinesOf = (fleet: Fleet): readonly FleetClient[] =>
  fleet
    .clients()
    .filter(({ seat }) => seat !== LOCAL_SEAT)
    .sort((one, other) => one.seat - other.seat)

const untilTrue = (holds: () => boolean): Promise<void> =>
  new Promise(resolve => {
    const look = (): void => {
      if (holds()) resolve()
      else setTimeout(look, LOOK_EVERY_MS)
    }
    look()
  })

/** What has been started so far, so that a start that fails half-way leaves nothing running. */
type Undo = { add(step: () => void | Promise<void>): void; run(): Promise<void> }

const createUndo = (): Undo => {
  const steps: (() => void | Promise<void>)[] = []
  return {
    add: step => {
      steps.unshift(step)
    },
    run: async () => {
      for (const step of steps.splice(0)) await step()
    },
  }
}

/**
 * A whole folding network on loopback, in this process: API, relay node, simulated clients, and the dashboard in front.
 * Resolves when everything listens and the local client is there; machines log in meanwhile.
 */
export const startNetwork = async (given: NetworkOptions = {}): Promise<Network> => {
  const undo = createUndo()
  try {
    return await assemble(settle(given), undo)
  } catch (error) {
    await undo.run()
    throw error
  }
}

type World = { store: Store; seed: number; apiUrl: string; certificate: Certificate | undefined; ledger: Ledger }

const startFleet = async (
  options: Settled,
  { store, seed, apiUrl, certificate, ledger }: World,
  undo: Undo,
): Promise<Fleet> => {
  const account = await ensureDemoAccount(store, options.accountKeyBits)
  const schedule = createSchedule(systemClock, error => {
    options.report(
      `A simulated client failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  })
  undo.add(() => {
    schedule.stop()
  })
  const fleet = createFleet({
    ...options,
    store,
    count: options.machines,
    bits: options.keyBits,
    seed,
    token: account.token,
    donor: account,
    ledger,
    apiUrl: () => apiUrl,
    scheme: schemeOf(certificate),
    ca: certificate?.cert,
    cast: createCast(seed, options.uniform),
    schedule,
  })
  undo.add(() => fleet.stop())
  return fleet
}

const startDirect = async (
  options: Settled,
  local: FleetClient,
  pages: readonly string[],
  redirect: string,
): Promise<DirectServer> => {
  const direct: DirectServer = createDirectServer({
    client: local.client,
    port: options.directPort,
    allows: createOriginRule(() => direct.port(), options.directOrigins ?? pages),
    times: { ...REAL_TIMES, commandDelayMs: options.commandDelayMs },
    faults: options.faults,
    redirect,
    requestMs: options.requestMs,
  })
  await direct.start()
  return direct
}

const settingsFor = (apiUrl: string, node: string, scheme: 'ws' | 'wss'): PageSettings => ({
  'api-url': apiUrl,
  'direct-address': 'self',
  'node-scheme': scheme,
  node,
  'version-url': `${apiUrl}/release/latest.json`,
  'statistics-url': `${apiUrl.replace(/^http/, 'ws')}${SUBSCRIPTION_PATH}`,
  'awards-url': `${apiUrl}/awards`,
  'news-url': apiUrl,
  providers: `${PROVIDER.id}=${PROVIDER.name}`,
  demo: `${DEMO.email} ${DEMO.passphrase}`,
})

const assemble = async (options: Settled, undo: Undo): Promise<Network> => {
  const { report } = options
  const store = await openStore(options.data)
  undo.add(() => store.destroy())
  await seedCatalogue(store, catalogue)
  const seed = await chooseSeed(store, options.seed)
  const certificate = options.tls ? createLoopbackCertificate() : undefined
  // Filled below: all others need to know the dashboard's port, and it answers nobody before they are there.
  const late: { settings: PageSettings; direct?: DirectServer } = { settings: {} }
  let open = (): void => undefined
  const ready = new Promise<void>(resolve => {
    open = resolve
  })

  const dashboard = await serveDashboard({
    port: options.port,
    folder: options.dist,
    client: options.client,
    standIn: () => (late.direct?.isListening() === true ? { host: '127.0.0.1', port: late.direct.port() } : undefined),
    settings: () => late.settings,
    report,
    ready,
    requestMs: options.requestMs,
  })
  undo.add(() => dashboard.stop())
  const pages = [...dashboard.origins, ...options.allowedOrigins]

  const relay = await startRelay(store, options, certificate, pages)
  undo.add(() => relay.stop())
  const node = `127.0.0.1:${relay.port()}`
  const population = createPopulation(seed)
  await settlePopulation(store, population)
  const post = options.smtp === undefined ? createOutbox(store) : createSmtpPost(options.smtp, options.mailFrom)
  undo.add(() => {
    post.close()
  })
  const api = await startApi(
    {
      store,
      nodeAddress: node,
      allowedOrigins: pages,
      latestVersion: LATEST_CLIENT,
      report,
      post,
      seed,
      standings: createStandings(store, population, Date.now),
      onKeyGone: machines => {
        for (const machine of machines) relay.dropMachine(machine)
      },
      now: Date.now,
    },
    population,
    options,
  )
  undo.add(() => api.stop())
  const { apiUrl } = api
  late.settings = settingsFor(apiUrl, node, schemeOf(certificate))

  const ledger = await openLedger(store, report)
  undo.add(() => ledger.stop())
  const fleet = await startFleet(options, { store, seed, apiUrl, certificate, ledger }, undo)
  const local = await fleet.local
  const direct = await startDirect(options, local, pages, dashboard.url)
  late.direct = direct
  undo.add(() => direct.stop())
  await dashboard.findPeer()
  open()

  return {
    dashboardUrl: dashboard.url,
    apiUrl,
    nodeUrl: `${schemeOf(certificate)}://${node}`,
    directAddress: `127.0.0.1:${direct.port()}`,
    account: DEMO,
    certificatePin: certificate?.pin,
    outboxUrl: post.outbox === undefined ? undefined : `${apiUrl}/outbox`,
    outbox: async () => (await post.outbox?.()) ?? [],
    statistics: { announce: () => api.subscriptions.announce(), settled: () => ledger.settled() },
    relay,
    direct,
    local,
    clients: () => machinesOf(fleet),
    online: async () => {
      await fleet.filled
      const expected = machinesOf(fleet).filter(({ client }) => !client.profile.offline).length
      await untilTrue(() => relay.machineCount() >= expected)
    },
    stop: () => undo.run(),
  }
}
