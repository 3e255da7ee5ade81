import { createActor, fromCallback, fromPromise } from 'xstate'
import { createSessionHolder, renameMachine, unlinkMachine } from '../actors/account/account-tasks.ts'
import { createKeyStore } from '../actors/account/key-store.ts'
import { rememberPassword } from '../actors/account/remember-password.ts'
import type { Vault } from '../actors/account/vault.ts'
import { askTime, createApi } from '../actors/api.ts'
import { connectionProbes } from '../actors/connection-check/connection-probes.ts'
import { clientLink } from '../actors/client-link.ts'
import { machineMemory } from '../actors/memory.ts'
import { versionWatch, type VersionWatchDeps } from '../actors/offline/version-watch.ts'
import { framePacer } from '../actors/frame-pacer.ts'
import { moleculeStoreActor, type MoleculeStoreActorDeps } from '../actors/molecules/molecule-store-actor.ts'
import { logSearch, type LogSearchDeps } from '../actors/log-search/log-search.ts'
import { pingNode } from '../actors/node-ping.ts'
import { page } from '../actors/page.ts'
import { relaySocket } from '../actors/relay-socket.ts'
import { createCache, type CacheStore } from '../actors/resources/cache.ts'
import { createResources } from '../actors/resources/resources.ts'
import { seriesCacheActor } from '../actors/resources/series-cache.ts'
import { seriesSocket } from '../actors/resources/series-socket.ts'
import { createLocalStore, parsePreferences } from '../actors/storage.ts'
import { keptValue } from '../actors/kept-value.ts'
import { parseViews } from '../folding/fleet/saved-views.ts'
import { parseTags } from '../folding/fleet/tags.ts'
import type { TagsFact } from '../machines/fleet/tags/tags.events.ts'
import { tagsMachine } from '../machines/fleet/tags/tags.machine.ts'
import type { ViewsFact } from '../machines/fleet/views/views.events.ts'
import { viewsMachine } from '../machines/fleet/views/views.machine.ts'
import { tabs, type TabsDeps } from '../actors/tabs.ts'
import { unitStoreActor, type UnitDatabase } from '../actors/unit-store.ts'
import { ticker } from '../actors/ticker.ts'
import { wireWatch } from '../actors/wire-watch.ts'
import type { OpenSocket } from '../actors/wire/hub.types.ts'
import type { Wire } from '../actors/wire/wire.ts'
import type { Recorder } from '../journal/recorder.ts'
import { loadCode } from '../loading/load-code.ts'
import { appMachine } from '../machines/app/app/app.machine.ts'
import { LARGE_OFFSET } from '../machines/app/clock/clock.selectors.ts'
import { clockMachine } from '../machines/app/clock/clock.machine.ts'
import { defaultPreferences, preferencesMachine } from '../machines/app/preferences/preferences.machine.ts'
import { systemOf, type System } from '../machines/app/system.ts'
import { findUnsaved } from '../machines/app/updates/unsaved.ts'
import { updatesMachine } from '../machines/app/updates/updates.machine.ts'
import { broadcastMachine } from '../machines/connection/broadcast/broadcast.machine.ts'
import { connectionCheckMachine } from '../machines/connection/check/connection-check.machine.ts'
import { clientMachine } from '../machines/connection/client/client.machine.ts'
import { clientWait } from '../machines/connection/client/client.setup.ts'
import { withJitter } from '../folding/shared/back-off.ts'
import { fleetMachine } from '../machines/connection/fleet/fleet.machine.ts'
import { bulkMachine } from '../machines/fleet/bulk/bulk.machine.ts'
import { bulkPartMachine, type AccountWork } from '../machines/fleet/bulk-part/bulk-part.machine.ts'
import { selectToRemember } from '../machines/connection/fleet/fleet.memory.ts'
import { selectAccountId } from '../machines/account/account/account.selectors.ts'
import { selectRelayUrl } from '../machines/connection/relay/relay.selectors.ts'
import { relayMachine, relayWait } from '../machines/connection/relay/relay.machine.ts'
import type { ResourceKey, ResourceSecrets } from '../folding/shared/resource-keys.ts'
import { seriesMachine, seriesWait } from '../machines/resource/series/series.machine.ts'
import { queryCacheMachine } from '../machines/resource/query-cache/query-cache.machine.ts'
import type { Fetched, StoredResource } from '../machines/resource/resource/resource.events.ts'
import { logMachine } from '../machines/screens/log/log.machine.ts'
import { resourceMachine, resourceWait } from '../machines/resource/resource/resource.machine.ts'
import type { FileReading } from '../folding/unit/unit-file.ts'
import type { Exported, ExportTask, ImportTask } from '../machines/units/history/history.events.ts'
import { historyMachine } from '../machines/units/history/history.machine.ts'
import type { FileToSave } from '../machines/screens/viewer/viewer.events.ts'
import { viewerMachine } from '../machines/screens/viewer/viewer.machine.ts'
import type { ApiResult } from '../protocol/api-fault.ts'
import { createConcurrencyLimit } from '../protocol/concurrency-limit.ts'
import { below, type WebUrl } from '../protocol/url.ts'
import { partFailedMessage } from '../machines/app/app/app.messages.ts'
import { createErrorReporter } from '../journal/failures.ts'
import type { NotifierDeps } from '../actors/incidents/notifier.ts'
import type { OpenIncidents } from '../actors/incidents/incident-store.ts'
import { accountActors } from './account-actors.ts'
import { clientSettings } from './client-settings.ts'
import { incidentActors } from './incident-actors.ts'
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
  /** Where incidents are kept; undefined where a browser keeps none. */
  readonly openIncidents: OpenIncidents
  /** Notifications, sounds and badges, as far as the browser has them. */
  readonly notifications: Pick<NotifierDeps, 'navigator' | 'notification' | 'openAudio' | 'show'>
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
  /** Keeps what happens, when something does. */
  readonly recorder?: Recorder
}

const API_TIMEOUT = 30_000
const PING_TIMEOUT = 5000
/** Calls of the account's API that run at once when many machines are renamed or unlinked. */
const ACCOUNT_CALLS = 4
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
  const inTurn = createConcurrencyLimit(ACCOUNT_CALLS)
  const remembered = createLocalStore(deps.storage)
  const ping = pingNode({ fetch: deps.fetch, timeout: PING_TIMEOUT })
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
      settings: clientSettings(api),
    },
  })

  const app = createActor(
    appMachine.provide({
      actors: {
        ...accountActors({ ...signInDeps(deps), api, session, now: correctedNow, random: deps.random }, deps.document),
        clock: clockMachine.provide({
          actors: { ticker: ticker({ document: deps.document, now }), askTime: fromPromise(() => askTime(api)) },
        }),
        preferences: preferencesMachine.provide({
          actions: { keepPreferences: (_, preferences) => remembered.writePreferences(preferences) },
        }),
        relay: relayMachine.provide({
          delays: { reconnectDelay: ({ context }) => withJitter(relayWait(context), deps.random()) },
          actors: {
            relaySocket: relaySocket({ wire }),
            pingNode: fromPromise(({ input, signal }) => ping(input.url, signal)),
          },
        }),
        broadcaster: broadcastMachine.provide({
          actors: {
            readClock: fromPromise(() =>
              Promise.resolve({ now: correctedNow(), isTrusted: Math.abs(offset) <= LARGE_OFFSET }),
            ),
          },
        }),
        connectionCheck: connectionCheckMachine.provide({
          actors: {
            connectionProbes: connectionProbes({
              fetch: deps.fetch,
              window: deps.window,
              apiUrl: settings.apiUrl,
              account: () => ({
                id: selectAccountId(system.account.getSnapshot()),
                relayUrl: selectRelayUrl(system.relay.getSnapshot()),
              }),
              now,
            }),
          },
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
              key: 'foldboard.tags',
              parse: parseTags,
              serialize: tags => tags,
              toFact: (tags): TagsFact => ({ type: 'tags.restored', tags }),
            }),
          },
        }),
        views: viewsMachine.provide({
          actors: {
            viewStore: keptValue({
              window: deps.window,
              storage: deps.storage,
              key: 'foldboard.views',
              parse: parseViews,
              serialize: ({ views, chosen }) => ({ views, default: chosen }),
              toFact: (views): ViewsFact => ({ type: 'views.restored', views }),
            }),
          },
        }),
        series: seriesMachine.provide({
          delays: { reconnectDelay: ({ context }) => withJitter(seriesWait(context), deps.random()) },
          actors: {
            seriesSocket: seriesSocket({ openSocket: deps.openSocket, url: settings.statisticsUrl }),
            seriesCache: seriesCacheActor({ cache, now: correctedNow }),
          },
        }),
        queryCache: queryCacheMachine.provide({
          actors: { resource },
          actions: { clearPersonal: () => resources.forgetPerson() },
        }),
        history: historyMachine.provide({
          actors: {
            historyStore: unitStoreActor(deps.openUnits),
            exportUnits: fromPromise<Exported, ExportTask>(async ({ input }) =>
              (await unitFiles()).exportUnits({ document: deps.document, url: URL, now })(input),
            ),
            importUnits: fromPromise<FileReading, ImportTask>(async ({ input }) =>
              (await unitFiles()).importUnits(input),
            ),
          },
        }),
        incidents: incidentActors({
          ...deps.notifications,
          document: deps.document,
          window: deps.window,
          open: deps.openIncidents,
          openChannel: deps.openChannel,
          system: () => system,
          now: correctedNow,
        }),
        viewer: viewerMachine.provide({
          actors: {
            moleculeStore: moleculeStoreActor({ openStore: deps.openMolecules, now }),
            framePacer: framePacer({ window: deps.window }),
            saveFile: fromPromise<undefined, FileToSave>(async ({ input, signal }) => {
              const { saveFile } = await loadCode(() => import('../actors/file-saver.ts'))
              return saveFile({ document: deps.document, url: URL, pause, now })(input, signal)
            }),
          },
        }),
        bulk: bulkMachine.provide({
          actors: {
            part: bulkPartMachine.provide({
              actors: {
                callAccount: fromPromise<ApiResult<unknown>, AccountWork>(({ input }) =>
                  inTurn(() =>
                    input.kind === 'rename' ? renameMachine({ api }, input) : unlinkMachine({ api }, input.machine),
                  ),
                ),
              },
            }),
          },
        }),
        log: logMachine.provide({ actors: { logSearch: logSearch({ openThread: deps.openSearch }) } }),
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
    }),
    {
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
        ...(settings.demo === undefined ? {} : { demo: settings.demo }),
      },
      inspect: event => {
        deps.recorder?.inspect(event)
        failures.inspect(event)
      },
      ...(deps.recorder === undefined ? {} : { clock: deps.recorder.clock }),
    },
  )
  const system: System = systemOf(app)
  // Nothing but a mistake in the app's own wiring can end it. Without a listener the error would be thrown once more.
  app.subscribe({ error: error => deps.recorder?.recordError(error, 'app') })
  app.start()
  deps.recorder?.begin(app)
  return system
}

const unitFiles = () => loadCode(() => import('../actors/unit-files.ts'))

const signInDeps = ({ vault, storage, window, credentials, keyBits }: SystemDeps) => ({
  keyStore: createKeyStore(vault, storage),
  origin: window.location.origin,
  leaveFor: (url: string) => window.location.assign(url),
  rememberPassword: rememberPassword({ credentials, scope: window }),
  keyBits: keyBits ?? KEY_BITS,
})

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** Undefined where browsers have no such thing. */
export const channelOf = (scope: typeof globalThis): TabsDeps['openChannel'] =>
  'BroadcastChannel' in scope ? () => new scope.BroadcastChannel(CHANNEL) : undefined
