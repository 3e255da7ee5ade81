import { createActor, fromCallback, fromPromise } from 'xstate'
import { createSessionHolder, SESSION } from '../actors/account/stored-session.ts'
import type { Vault } from '../actors/account/vault.ts'
import { askTime, createApi } from '../actors/network/api.ts'
import { clientLink } from '../actors/network/client-link.ts'
import { pingHost } from '../actors/network/host-ping.ts'
import { clientMemory } from '../actors/storage/memory.ts'
import { createCorrectedClock } from '../actors/network/corrected-clock.ts'
import { versionWatch, type VersionWatchDeps } from '../actors/offline/version-watch.ts'
import type { RecordDeps } from './parts/records.ts'
import type { MoleculeStoreActorDeps } from '../actors/molecules/molecule-store-actor.ts'
import { page } from '../actors/browser/page.ts'
import { createCache, type CacheStore } from '../actors/resources/cache.ts'
import { createResources } from '../actors/resources/resources.ts'
import { createLocalStore, parsePreferences } from '../actors/storage/storage.ts'
import { keptValue, TAGS_KEY, VIEWS_KEY } from '../actors/storage/kept-value.ts'
import { parseViews, writtenViews } from '../folding/fleet/saved-views.ts'
import { parseTags } from '../folding/fleet/tags.ts'
import type { TagsFact } from '../machines/fleet/tags/tags.events.ts'
import { tagsMachine } from '../machines/fleet/tags/tags.machine.ts'
import type { ViewsFact } from '../machines/fleet/views/views.events.ts'
import { viewsMachine } from '../machines/fleet/views/views.machine.ts'
import { tabs, type TabsDeps } from '../actors/browser/tabs.ts'
import type { LastingStorage, UnitDatabase } from '../actors/storage/unit-store.ts'
import { ticker } from '../actors/browser/ticker.ts'
import { wireWatch } from '../actors/network/wire-watch.ts'
import type { OpenSocket } from '../actors/wire/hub.types.ts'
import type { Wire } from '../actors/wire/wire.ts'
import type { Recorder } from '../journal/recorder.ts'
import { loadCode } from '../loading/load-code.ts'
import { appMachine } from '../machines/app/app.machine.ts'
import { clockMachine } from '../machines/app/clock/clock.machine.ts'
import { defaultPreferences, preferencesMachine } from '../machines/app/preferences/preferences.machine.ts'
import { systemOf, type System } from '../machines/app/system.ts'
import { updatesMachine } from '../machines/app/updates/updates.machine.ts'
import { clientMachine } from '../machines/connection/client/client.machine.ts'
import { clientWait } from '../machines/connection/client/client.setup.ts'
import { withJitter } from '../folding/shared/back-off.ts'
import { fleetMachine } from '../machines/connection/fleet/fleet.machine.ts'
import { selectToRemember } from '../machines/connection/fleet/fleet.memory.ts'
import { selectAccountId } from '../machines/account/account/account.selectors.ts'
import { selectRelayUrl } from '../machines/connection/relay/relay.selectors.ts'
import type { ResourceKey, ResourceSecrets } from '../folding/shared/resource-keys.ts'
import { queryCacheMachine } from '../machines/resource/query-cache/query-cache.machine.ts'
import type { Fetched, StoredResource } from '../machines/resource/resource/resource.events.ts'
import { resourceMachine, resourceWait } from '../machines/resource/resource/resource.machine.ts'
import { asWebUrl, below, type WebUrl } from '../protocol/url.ts'
import { partFailedMessage } from '../machines/app/app.messages.ts'
import { createErrorReporter } from '../journal/failures.ts'
import type { NotifierDeps } from '../actors/incidents/notifier.ts'
import type { OpenIncidents } from '../actors/incidents/incident-store.ts'
import { codeLoader } from '../actors/network/code-loader.ts'
import { bringActors, type LateActors } from '../machines/app/app.actors.ts'
import type { PartName } from '../machines/app/app.parts.ts'
import type { LogSearchDeps } from '../actors/log-search/log-search.ts'
import type { Settings } from './settings.ts'

export type SystemDeps = {
  readonly settings: Settings
  readonly wire: Wire
  readonly document: Document
  readonly window: Window
  readonly storage: Storage | undefined
  /** Where keys that cannot be read are kept; undefined where a browser keeps none. */
  readonly vault: Promise<Vault | undefined>
  /** Where remote values are kept; undefined where a browser keeps none. */
  readonly cacheStore: Promise<CacheStore | undefined>
  /** Where the history of units is kept; undefined where a browser keeps none. */
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  readonly lastingStorage?: LastingStorage | undefined
  /** Where incidents are kept; undefined where a browser keeps none. */
  readonly openIncidents: OpenIncidents
  /** Notifications, sounds and badges, as far as the browser has them. */
  readonly notifications: Pick<NotifierDeps, 'navigator' | 'notification' | 'openAudio' | 'show'>
  /** Where molecules that were looked at are kept. */
  readonly openMolecules: MoleculeStoreActorDeps['openStore']
  /** Where what was seen of units is kept. */
  readonly openRecords: RecordDeps['open']
  readonly openChannel: TabsDeps['openChannel']
  /** For the statistics socket; those of clients and relays are the wire's. */
  readonly openSocket: OpenSocket
  /** Where logs are searched, away from the page's own thread. */
  readonly openSearchThread: LogSearchDeps['openThread']
  readonly credentials: CredentialsContainer | undefined
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** Bits of the key of a new account: 4096, but for tests that make many. */
  readonly keyBits?: number
  /** Watches for new versions of this page. Undefined in development, where the page is not stored. */
  readonly versions?: Omit<VersionWatchDeps, 'document' | 'window' | 'now'>
  /** Keeps what happens, when something does. */
  readonly recorder?: Recorder
}

/** The path of the page, with a slash at its end. */
const root = import.meta.env.BASE_URL as `/${string}`
const API_TIMEOUT = 30_000
const PING_TIMEOUT = 5000
const CHANNEL = 'foldboard'
const KEY_BITS = 4096

/** The one place where machines meet actors. Starts outside React, so that nothing opens twice. */
export function startSystem(deps: SystemDeps): System {
  const { settings, wire, now } = deps
  const clock = createCorrectedClock(
    now,
    () => performance.now(),
    () => askTime(api),
    offset => {
      system.clock.send({ type: 'clock.compared', offset })
      wire.correctClock(offset)
    },
  )
  const failures = createErrorReporter((error, actor) => {
    deps.recorder?.recordError(error, actor)
    system.dialogs.send({ type: 'dialogs.showMessage', message: partFailedMessage(actor, error) })
  })
  const session = createSessionHolder()
  const api = createApi({
    fetch: deps.fetch,
    baseUrl: settings.apiUrl,
    session: session.get,
    compareClock: clock.compare,
    now,
    timeout: API_TIMEOUT,
  })
  const remembered = createLocalStore(deps.storage)
  const cache = createCache(deps.cacheStore, clock.now)
  const resources = createResources({
    api,
    fetch: deps.fetch,
    settings,
    licensesUrl: below(deps.window.location.origin as WebUrl, `${root}licenses.json`),
    cache,
    now: clock.now,
    random: deps.random,
  })
  const resource = resourceMachine.provide({
    delays: { retryDelay: ({ context }) => withJitter(resourceWait(context), deps.random()) },
    actors: {
      loadResource: fromPromise<StoredResource | undefined, { readonly key: ResourceKey }>(({ input }) =>
        resources.load(input.key),
      ),
      fetchResource: fromPromise<Fetched, { readonly key: ResourceKey; readonly secrets: ResourceSecrets | undefined }>(
        ({ input }) => resources.fetch(input.key, input.secrets),
      ),
    },
  })
  const { document, window } = deps
  const ping = pingHost({ fetch: deps.fetch, timeout: PING_TIMEOUT })
  const client = clientMachine.provide({
    delays: { reconnectDelay: ({ context }) => withJitter(clientWait(context), deps.random()) },
    actors: {
      clientLink: clientLink({ wire, offset: clock.offset }),
      pingHost: fromPromise(({ input: { url }, signal }) =>
        // From a page of HTTPS a request to a plain host fails, or makes the browser ask for a permission that a socket does not need.
        window.location.protocol === 'https:' && url.startsWith('ws:')
          ? Promise.resolve(undefined) // Any other address of a client leads to the site of the project (docs/protocol.md §10).
          : ping(asWebUrl(url), signal),
      ),
      readClock: fromPromise(clock.settled),
    },
  })

  const loadPart: Readonly<Record<PartName, () => Promise<Partial<LateActors>>>> = {
    account: async () => {
      const { accountMachines } = await loadCode(() => import('./parts/account.ts'))
      return accountMachines({
        ...deps,
        ping,
        api,
        session,
        now: clock.now,
        clockOffset: clock.offset,
        clockSettled: clock.settled,
        origin: window.location.origin,
        leaveFor: url => window.location.assign(url),
        keyBits: deps.keyBits ?? KEY_BITS,
      })
    },
    bulk: async () => {
      const { bulkMachines } = await loadCode(() => import('./parts/background.ts'))
      return bulkMachines({ api, now: clock.now, window: deps.window, storage: deps.storage })
    },
    clientSettings: async () => {
      const { clientSettings } = await loadCode(() => import('./parts/client-settings.ts'))
      bringActors(client, clientSettings(api))
      return {}
    },
    connections: async () => {
      const { connectionMachines } = await loadCode(() => import('./parts/connections.ts'))
      return connectionMachines({
        fetch: deps.fetch,
        window,
        apiUrl: settings.apiUrl,
        account: () => ({
          id: selectAccountId(system.account.getSnapshot()),
          relayUrl: selectRelayUrl(system.relay.getSnapshot()),
        }),
        now,
      })
    },
    history: async () => {
      const { historyMachines } = await loadCode(() => import('./parts/home.ts'))
      return historyMachines({
        openUnits: deps.openUnits,
        lastingStorage: deps.lastingStorage,
        serverFetch: settings.hasServer === true ? deps.fetch : undefined,
        document,
        api,
        correctedNow: clock.now,
        now,
      })
    },
    incidents: async () => {
      const { incidentMachines } = await loadCode(() => import('./parts/background.ts'))
      return incidentMachines({
        ...deps.notifications,
        document,
        window,
        open: deps.openIncidents,
        openChannel: deps.openChannel,
        system: () => system,
        now: clock.now,
      })
    },
    log: async () => {
      const { logMachines } = await loadCode(() => import('./parts/log.ts'))
      return logMachines({ openThread: deps.openSearchThread })
    },
    power: async () => {
      const { powerMachines } = await loadCode(() => import('./parts/power.ts'))
      return powerMachines({ window, storage: deps.storage, fetch: deps.fetch })
    },
    projects: async () => {
      const { projectsMachine } = await loadCode(() => import('../machines/screens/projects/projects.machine.ts'))
      return { projects: projectsMachine }
    },
    series: async () => {
      const { seriesMachines } = await loadCode(() => import('./parts/series.ts'))
      return seriesMachines({
        openSocket: deps.openSocket,
        url: settings.statisticsUrl,
        cache,
        now: clock.now,
        random: deps.random,
      })
    },
    viewer: async () => {
      const { viewerMachines } = await loadCode(() => import('./parts/home.ts'))
      return viewerMachines({ openStore: deps.openMolecules, window, document, now })
    },
    records: async () => {
      const { recordMachines } = await loadCode(() => import('./parts/background.ts'))
      return recordMachines({ open: deps.openRecords, system: () => system, now: clock.now })
    },
    server: async () => {
      const { serverMachines } = await loadCode(() => import('./parts/server.ts'))
      return serverMachines({
        fetch: deps.fetch,
        serviceWorker: deps.notifications.navigator.serviceWorker,
        notification: deps.notifications.notification,
        storage: deps.storage,
      })
    },
  }
  const machine = appMachine.provide({
    actors: {
      code: codeLoader(async part => bringActors(machine, await loadPart[part]())),
      clock: clockMachine.provide({
        actors: {
          ticker: ticker({ document: deps.document, now, wire: deps.wire }),
          askTime: fromPromise(() => askTime(api)),
        },
      }),
      preferences: preferencesMachine.provide({
        actions: { keepPreferences: (_, preferences) => remembered.writePreferences(preferences) },
      }),
      fleet: fleetMachine.provide({
        actors: { client },
        actions: { keepAddresses: (_, addresses) => remembered.writeAddresses(addresses) },
      }),
      tags: tagsMachine.provide({
        actors: {
          tagStore: keptValue({
            window: deps.window,
            storage: deps.storage,
            key: TAGS_KEY,
            parse: parseTags,
            toFact: (tags): TagsFact => ({ type: 'tags.restored', tags }),
          }),
        },
      }),
      views: viewsMachine.provide({
        actors: {
          viewStore: keptValue({
            window: deps.window,
            storage: deps.storage,
            key: VIEWS_KEY,
            parse: parseViews,
            serialize: writtenViews,
            toFact: (views): ViewsFact => ({ type: 'views.restored', views }),
          }),
        },
      }),
      queryCache: queryCacheMachine.provide({
        actors: { resource },
        actions: {
          clearPersonal: () => {
            resources.forgetPerson()
            // The viewer, which keeps molecules, may not run.
            deps.openMolecules().then(
              store => store?.clear(),
              () => undefined,
            )
          },
        },
      }),
      page: page({ document: deps.document, window: deps.window, now }),
      memory: clientMemory({
        cache,
        isAvailable: Promise.all([deps.vault, deps.cacheStore]).then(stores => !stores.includes(undefined)),
        now: clock.now,
        document: deps.document,
        selectClients: () => selectToRemember(system.fleet.getSnapshot()),
      }),
      wire: wireWatch({ wire }),
      updates: updatesMachine.provide({
        actors: {
          versionWatch:
            deps.versions === undefined
              ? fromCallback(() => undefined)
              : versionWatch({ ...deps.versions, document: deps.document, window: deps.window, now }),
          findUnsaved: fromPromise(async () => {
            const { findUnsaved } = await loadCode(() => import('../machines/app/updates/unsaved.ts'))
            return findUnsaved(system)
          }),
        },
      }),
      tabs: tabs({
        openChannel: deps.openChannel,
        readPreferences: value => parsePreferences(value, defaultPreferences),
        window,
        readAddresses: remembered.readAddresses,
      }),
    },
  })
  const app = createActor(machine, {
    systemId: 'app',
    input: {
      at: now(),
      preferences: remembered.readPreferences(defaultPreferences),
      fleet: {
        defaultAddress: settings.directAddress,
        otherDefaults: settings.otherDirectAddresses,
        addresses: remembered.readAddresses(),
        isDemo: settings.demo !== undefined,
      },
      nodeScheme: settings.nodeScheme,
      isSecure: deps.window.isSecureContext,
      awardsUrl: settings.awardsUrl,
      providers: settings.providers,
      hasSession: remembered.has(SESSION),
      ...(settings.demo === undefined ? {} : { demo: settings.demo }),
    },
    inspect: event => {
      deps.recorder?.inspect(event)
      failures.inspect(event)
    },
    ...(deps.recorder === undefined ? {} : { clock: deps.recorder.clock }),
  })
  const system: System = systemOf(app)
  // Nothing but a mistake in the app's own wiring can end it. Without a listener the error would be thrown once more.
  app.subscribe({ error: error => deps.recorder?.recordError(error, 'app') })
  app.start()
  deps.recorder?.begin(app)
  return system
}

/** Undefined where browsers have no such thing. */
export function channelOf(scope: typeof globalThis): TabsDeps['openChannel'] {
  return 'BroadcastChannel' in scope ? () => new scope.BroadcastChannel(CHANNEL) : undefined
}
