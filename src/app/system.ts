import { createActor, fromPromise, type InspectionEvent } from 'xstate'
import { endSession, fetchAccount, restoreSession, createSessionHolder } from '../actors/account-tasks.ts'
import { createApi } from '../actors/api.ts'
import { clientLink } from '../actors/client-link.ts'
import { openKeyStore } from '../actors/key-store.ts'
import { fetchLatestVersion } from '../actors/latest-version.ts'
import { pingNode } from '../actors/node-ping.ts'
import { page } from '../actors/page.ts'
import { relaySocket } from '../actors/relay-socket.ts'
import { signInDesk } from '../actors/sign-in-desk.ts'
import { createRemembered } from '../actors/storage.ts'
import { ticker } from '../actors/ticker.ts'
import type { Wire } from '../actors/wire/wire.ts'
import { accountMachine } from '../machines/account/account/account.machine.ts'
import { signInMachine } from '../machines/account/sign-in/sign-in.machine.ts'
import { appMachine, type AppRef } from '../machines/app/app/app.machine.ts'
import { clockMachine } from '../machines/app/clock/clock.machine.ts'
import { defaultPreferences, preferencesMachine } from '../machines/app/preferences/preferences.machine.ts'
import type { System } from '../machines/app/system.types.ts'
import { clientMachine } from '../machines/connection/client/client.machine.ts'
import { fleetMachine } from '../machines/connection/fleet/fleet.machine.ts'
import { relayMachine } from '../machines/connection/relay/relay.machine.ts'
import { resourceMachine } from '../machines/resource/resource/resource.machine.ts'
import type { ApiResult } from '../protocol/api-fault.ts'
import type { Settings } from './settings.ts'

export type SystemDeps = {
  readonly settings: Settings
  readonly wire: Wire
  readonly document: Document
  readonly window: Window
  readonly storage: Storage | undefined
  readonly indexedDB: IDBFactory | undefined
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly inspect?: (event: InspectionEvent) => void
}

const API_TIMEOUT = 30_000
const PING_TIMEOUT = 5000
const DATABASE = 'foldboard'

/** The one place where machines meet actors. Starts outside React, so that nothing opens twice. */
export const startSystem = (deps: SystemDeps): System => {
  const { settings, wire, now } = deps
  let offset = 0
  const compareClock = (found: number): void => {
    offset = found
    system.clock.send({ type: 'clock.compared', offset: found })
    wire.correctClock(found)
  }
  const session = createSessionHolder()
  const api = createApi({ fetch: deps.fetch, baseUrl: settings.apiUrl, session: session.get, compareClock, now, timeout: API_TIMEOUT })
  const accountDeps = { api, session, keyStore: openKeyStore(deps.indexedDB, DATABASE) }
  const remembered = createRemembered(deps.storage)
  const ping = pingNode({ fetch: deps.fetch, timeout: PING_TIMEOUT })

  const client = clientMachine.provide({
    actors: {
      clientLink: clientLink({ wire }),
      readClock: fromPromise(() => Promise.resolve(now() + offset)),
    },
  })
  const app = createActor(
    appMachine.provide({
      actors: {
        clock: clockMachine.provide({ actors: { ticker: ticker({ document: deps.document, now }) } }),
        preferences: preferencesMachine.provide({
          actions: { keepPreferences: (_, preferences) => remembered.writePreferences(preferences) },
        }),
        signIn: signInMachine.provide({ actors: { signInDesk: signInDesk(accountDeps) } }),
        account: accountMachine.provide({
          actors: {
            restoreSession: fromPromise(() => restoreSession(accountDeps)),
            fetchAccount: fromPromise(() => fetchAccount(accountDeps)),
            endSession: fromPromise(() => endSession(accountDeps)),
          },
        }),
        relay: relayMachine.provide({
          actors: {
            relaySocket: relaySocket({ wire }),
            pingNode: fromPromise(({ input, signal }) => ping(input.url, signal)),
          },
        }),
        fleet: fleetMachine.provide({
          actors: { client },
          actions: { keepAddresses: (_, addresses) => remembered.writeAddresses(addresses) },
        }),
        version: resourceMachine.provide({
          actors: { fetchResource: fromPromise<ApiResult<unknown>, { readonly key: string }>(() => fetchLatestVersion(deps.fetch, settings.versionUrl)) },
        }),
        page: page({ document: deps.document, window: deps.window, now }),
      },
    }),
    {
      systemId: 'app',
      input: {
        at: now(),
        preferences: remembered.readPreferences(defaultPreferences),
        fleet: { defaultAddress: settings.directAddress, addresses: remembered.readAddresses() },
        nodeScheme: settings.nodeScheme,
        isSecure: deps.window.isSecureContext,
      },
      ...(deps.inspect === undefined ? {} : { inspect: deps.inspect }),
    },
  )
  const system: System = systemOf(app)
  app.start()
  return system
}

const systemOf = (app: AppRef): System => {
  const child = <Key extends Exclude<keyof System, 'app'>>(name: Key): System[Key] => {
    const ref = app.getSnapshot().children[name]
    if (ref === undefined) throw new Error(`The app has no '${name}'.`)
    return ref as System[Key]
  }
  return {
    app,
    clock: child('clock'),
    preferences: child('preferences'),
    dialogs: child('dialogs'),
    connect: child('connect'),
    signIn: child('signIn'),
    account: child('account'),
    relay: child('relay'),
    fleet: child('fleet'),
    version: child('version'),
  }
}
