import { createActor, fromCallback, fromPromise, type AnyActorLogic } from 'xstate'
import { createSessionHolder, storesSession } from '../actors/account/stored-session.ts'
import type { Vault } from '../actors/account/vault.ts'
import { askTime, createApi } from '../actors/api.ts'
import { clientLink } from '../actors/client-link.ts'
import { machineMemory } from '../actors/memory.ts'
import { versionWatch, type VersionWatchDeps } from '../actors/offline/version-watch.ts'
import type { MoleculeStoreActorDeps } from '../actors/molecules/molecule-store-actor.ts'
import type { LogSearchDeps } from '../actors/log-search/log-search.ts'
import { page } from '../actors/page.ts'
import { createCache, type CacheStore } from '../actors/resources/cache.ts'
import { createResources } from '../actors/resources/resources.ts'
import { createLocalStore, parsePreferences } from '../actors/storage.ts'
import { tabs, type TabsDeps } from '../actors/tabs.ts'
import type { UnitDatabase } from '../actors/unit-store.ts'
import { ticker } from '../actors/ticker.ts'
import { wireWatch } from '../actors/wire-watch.ts'
import type { OpenSocket } from '../actors/wire/hub.types.ts'
import type { Wire } from '../actors/wire/wire.ts'
import type { Recorder } from '../journal/recorder.ts'
import { loadCode } from '../loading/load-code.ts'
import { appMachine } from '../machines/app/app/app.machine.ts'
import { clockMachine } from '../machines/app/clock/clock.machine.ts'
import { defaultPreferences, preferencesMachine } from '../machines/app/preferences/preferences.machine.ts'
import type { DeferredGroup } from '../machines/app/deferred.ts'
import { systemOf, type System } from '../machines/app/system.ts'
import { findUnsaved } from '../machines/app/updates/unsaved.ts'
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
import { below, type WebUrl } from '../protocol/url.ts'
import { partFailedMessage } from '../machines/app/app/app.messages.ts'
import { createErrorReporter } from '../journal/failures.ts'
import type * as AccountModule from './deferred/account.ts'
import type * as ClientSettingsModule from './deferred/client-settings.ts'
import type * as ConnectionsModule from './deferred/connections.ts'
import type * as HistoryModule from './deferred/history.ts'
import type * as LogModule from './deferred/log.ts'
import type * as SeriesModule from './deferred/series.ts'
import type * as ViewerModule from './deferred/viewer.ts'
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
  /** Where molecules that were looked at are kept. */
  readonly openMolecules: MoleculeStoreActorDeps['openStore']
  readonly openChannel: TabsDeps['openChannel']
  /** For the statistics socket; those of clients and relays are the wire's. */
  readonly openSocket: OpenSocket
  /** Where logs are searched, away from the page's own thread. */
  readonly openSearch: LogSearchDeps['openThread']
  readonly credentials: CredentialsContainer | undefined
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** Bits of the key of a new account: 4096, but for tests that make many. */
  readonly keyBits?: number
  /** Watches for new versions of this page. Undefined in development, where the page is not stored. */
  readonly versions?: Omit<VersionWatchDeps, 'document' | 'window' | 'now'>
  /** The code of deferred actors where it is there already; otherwise it is loaded when it is needed. */
  readonly modules?: DeferredModules
  /** Keeps what happens, when something does. */
  readonly recorder?: Recorder
}

const API_TIMEOUT = 30_000
const CHANNEL = 'foldboard'
const KEY_BITS = 4096

/** The one place where machines meet actors. Starts outside React, so that nothing opens twice. */
export const startSystem = (deps: SystemDeps): System => {
  const { settings, wire, now } = deps
  let offset = 0
  const correctedNow = (): number => now() + offset
  const compareClock = (found: number): void => {
    offset = found
    system.clock.send({ type: 'clock.compared', offset: found })
    wire.correctClock(found)
  }
  const failures = createErrorReporter((error, actor) => {
    deps.recorder?.recordError(error, actor)
    system.dialogs.send({ type: 'dialogs.showMessage', message: partFailedMessage(actor, error) })
  })
  const session = createSessionHolder()
  const api = createApi({
    fetch: deps.fetch,
    baseUrl: settings.apiUrl,
    session: session.get,
    compareClock,
    now,
    timeout: API_TIMEOUT,
  })
  const remembered = createLocalStore(deps.storage)
  const cache = createCache(deps.cacheStore, correctedNow)
  const resources = createResources({
    api,
    fetch: deps.fetch,
    settings,
    licensesUrl: below(deps.window.location.origin as WebUrl, '/licenses.json'),
    cache,
    now: correctedNow,
    random: deps.random,
  })
  const resource = resourceMachine.provide({
    delays: { retryDelay: ({ context }) => withJitter(resourceWait(context), deps.random()) },
    actors: {
      recallResource: fromPromise<StoredResource | undefined, { readonly key: ResourceKey }>(({ input }) =>
        resources.recall(input.key),
      ),
      fetchResource: fromPromise<Fetched, { readonly key: ResourceKey; readonly secrets: ResourceSecrets | undefined }>(
        ({ input }) => resources.fetch(input.key, input.secrets),
      ),
    },
  })
  const client = clientMachine.provide({
    delays: { reconnectDelay: ({ context }) => withJitter(clientWait(context), deps.random()) },
    actors: {
      clientLink: clientLink({ wire }),
      readClock: fromPromise(() => Promise.resolve(correctedNow())),
    },
  })

  /** The logic of each group's actors, by their names in the app's table. */
  const logicOf: DeferredLogic = {
    account: ({ accountGroup }) =>
      accountGroup({ ...pickAccountDeps(deps), api, session, now: correctedNow, clockOffset: () => offset }),
    // Not an actor of the app: client machines start it.
    clientSettings: ({ clientSettings }) => {
      Object.assign(client.implementations.actors, { settings: clientSettings(api) })
      return {}
    },
    connections: ({ connectionsGroup }) =>
      connectionsGroup({
        fetch: deps.fetch,
        window: deps.window,
        apiUrl: settings.apiUrl,
        account: () => ({
          id: selectAccountId(system.account.getSnapshot()),
          relayUrl: selectRelayUrl(system.relay.getSnapshot()),
        }),
        now,
      }),
    history: ({ historyGroup }) => historyGroup(deps),
    log: ({ logGroup }) => logGroup(deps),
    series: ({ seriesGroup }) =>
      seriesGroup({
        openSocket: deps.openSocket,
        url: settings.statisticsUrl,
        cache,
        now: correctedNow,
        random: deps.random,
      }),
    viewer: ({ viewerGroup }) => viewerGroup(deps),
  }
  const provide = (code: DeferredGroup, modules: Partial<DeferredModules>): ActorLogics => {
    const logic = logicOf[code] as (module: DeferredModules[DeferredGroup] | undefined) => ActorLogics
    return logic(modules[code])
  }

  const machine = appMachine.provide({
    actors: {
      // The app starts the actors of a group after this, by their names in its table.
      groupLoader: fromPromise(async ({ input }) => {
        const { code } = input
        Object.assign(machine.implementations.actors, provide(code, { [code]: await loaders[code]() }))
        return undefined
      }),
      clock: clockMachine.provide({
        actors: { ticker: ticker({ document: deps.document, now }), askTime: fromPromise(() => askTime(api)) },
      }),
      preferences: preferencesMachine.provide({
        actions: { keepPreferences: (_, preferences) => remembered.writePreferences(preferences) },
      }),
      fleet: fleetMachine.provide({
        actors: { client },
        actions: { keepAddresses: (_, addresses) => remembered.writeAddresses(addresses) },
      }),
      queryCache: queryCacheMachine.provide({
        actors: { resource },
        actions: { clearPersonal: () => resources.forgetPerson() },
      }),
      page: page({ document: deps.document, window: deps.window, now }),
      memory: machineMemory({
        cache,
        isAvailable: Promise.all([deps.vault, deps.cacheStore]).then(stores => !stores.includes(undefined)),
        now: correctedNow,
        document: deps.document,
        selectMachines: () => selectToRemember(system.fleet.getSnapshot()),
      }),
      wire: wireWatch({ wire }),
      updates: updatesMachine.provide({
        actors: {
          versionWatch:
            deps.versions === undefined
              ? fromCallback(() => undefined)
              : versionWatch({ ...deps.versions, document: deps.document, window: deps.window, now }),
          findUnsaved: fromPromise(() => Promise.resolve(findUnsaved(system))),
        },
      }),
      tabs: tabs({
        openChannel: deps.openChannel,
        readPreferences: value => parsePreferences(value, defaultPreferences),
      }),
    },
  })
  const { modules } = deps
  if (modules !== undefined)
    for (const code of Object.keys(loaders) as DeferredGroup[])
      Object.assign(machine.implementations.actors, provide(code, modules))
  const app = createActor(machine, {
    systemId: 'app',
    input: {
      at: now(),
      preferences: remembered.readPreferences(defaultPreferences),
      fleet: {
        defaultAddress: settings.directAddress,
        otherDefaults: settings.otherDirectAddresses,
        addresses: remembered.readAddresses(),
      },
      nodeScheme: settings.nodeScheme,
      isSecure: deps.window.isSecureContext,
      awardsUrl: settings.awardsUrl,
      providers: settings.providers,
      hasSession: storesSession(deps.storage),
      defers: modules === undefined,
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

/** The code of each group. */
export type DeferredModules = {
  readonly account: typeof AccountModule
  readonly clientSettings: typeof ClientSettingsModule
  readonly connections: typeof ConnectionsModule
  readonly history: typeof HistoryModule
  readonly log: typeof LogModule
  readonly series: typeof SeriesModule
  readonly viewer: typeof ViewerModule
}

type ActorLogics = Readonly<Record<string, AnyActorLogic>>
type DeferredLogic = { readonly [Code in DeferredGroup]: (module: DeferredModules[Code]) => ActorLogics }

const loaders: { readonly [Code in DeferredGroup]: () => Promise<DeferredModules[Code]> } = {
  account: () => loadCode(() => import('./deferred/account.ts')),
  clientSettings: () => loadCode(() => import('./deferred/client-settings.ts')),
  connections: () => loadCode(() => import('./deferred/connections.ts')),
  history: () => loadCode(() => import('./deferred/history.ts')),
  log: () => loadCode(() => import('./deferred/log.ts')),
  series: () => loadCode(() => import('./deferred/series.ts')),
  viewer: () => loadCode(() => import('./deferred/viewer.ts')),
}

const pickAccountDeps = ({
  vault,
  storage,
  document,
  window,
  fetch,
  wire,
  random,
  credentials,
  keyBits,
}: SystemDeps) => ({
  vault,
  storage,
  document,
  window,
  fetch,
  wire,
  random,
  credentials,
  keyBits: keyBits ?? KEY_BITS,
})

/** Undefined where browsers have no such thing. */
export const channelOf = (scope: typeof globalThis): TabsDeps['openChannel'] =>
  'BroadcastChannel' in scope ? () => new scope.BroadcastChannel(CHANNEL) : undefined
