import type * as account from './account.ts'
import type * as bulk from './bulk.ts'
import type * as clientSettings from './client-settings.ts'
import type * as connections from './connections.ts'
import type * as history from './history.ts'
import type * as incidents from './incidents.ts'
import type * as log from './log.ts'
import type * as series from './series.ts'
import type * as server from './server.ts'
import type * as viewer from './viewer.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { Deferral } from '../../machines/shared/deferred-logic.ts'

/** The code of deferred machines by group: what is needed together is loaded together. */
export type DeferredModules = {
  readonly account: typeof account
  readonly bulk: typeof bulk
  readonly clientSettings: typeof clientSettings
  readonly connections: typeof connections
  readonly history: typeof history
  readonly incidents: typeof incidents
  readonly log: typeof log
  readonly series: typeof series
  readonly server: typeof server
  readonly viewer: typeof viewer
}

type Loaders = { readonly [Group in keyof DeferredModules]: () => Promise<DeferredModules[Group]> }

/** Reject with a LoadError. */
export const deferredModules: Loaders = {
  account: () => loadCode(() => import('./account.ts')),
  bulk: () => loadCode(() => import('./bulk.ts')),
  clientSettings: () => loadCode(() => import('./client-settings.ts')),
  connections: () => loadCode(() => import('./connections.ts')),
  history: () => loadCode(() => import('./history.ts')),
  incidents: () => loadCode(() => import('./incidents.ts')),
  log: () => loadCode(() => import('./log.ts')),
  series: () => loadCode(() => import('./series.ts')),
  server: () => loadCode(() => import('./server.ts')),
  viewer: () => loadCode(() => import('./viewer.ts')),
}

export type DeferredName =
  | 'account'
  | 'broadcaster'
  | 'bulk'
  | 'connect'
  | 'connectionCheck'
  | 'directClients'
  | 'history'
  | 'incidents'
  | 'log'
  | 'relay'
  | 'reset'
  | 'scheduleEditor'
  | 'series'
  | 'serverAlerts'
  | 'serverSession'
  | 'serverShared'
  | 'signIn'
  | 'verify'
  | 'viewer'

/**
 * What each actor is before its machine is loaded. `hasSession`: this browser may have stored a session, so the account
 * is loaded from the start.
 */
export const deferrals = (hasSession: boolean): Readonly<Record<DeferredName, Deferral>> => ({
  account: {
    context: { signedIn: undefined, restoreFault: undefined },
    tags: hasSession ? ['loading'] : [],
    ignores: [
      'account.retry',
      'account.refresh',
      'account.linkClient',
      'account.changedElsewhere',
      'account.signedOutElsewhere',
    ],
    isNeeded: hasSession,
  },
  broadcaster: {},
  bulk: {
    context: { draft: undefined, plan: undefined, run: undefined },
    tags: ['ready'],
    ignores: ['bulk.reset', 'bulk.machinesGone'],
  },
  connect: {},
  connectionCheck: { context: { results: {} } },
  directClients: {},
  history: {
    context: { history: { machines: new Map(), units: new Map() }, storeFault: undefined, outcome: undefined },
    keeps: ['history.accountSignedIn', 'history.pageHidden', 'history.pageShown', 'history.asked', 'history.reported'],
  },
  incidents: {
    context: { incidents: { active: new Map(), ended: [] }, waits: new Map() },
    keeps: ['incidents.accountSignedIn', 'incidents.accountSignedOut'],
  },
  log: {},
  relay: {
    context: { target: undefined, invalidNode: undefined, lastReceivedAt: undefined },
    ignores: ['relay.check', 'relay.pageShown', 'relay.pageHidden', 'relay.deactivate'],
    isNeeded: hasSession,
  },
  reset: {},
  series: { context: { series: new Map(), attempts: 0 }, ignores: ['series.check'] },
  scheduleEditor: {},
  serverAlerts: {},
  serverSession: {},
  serverShared: { ignores: ['shared.change'] },
  signIn: {},
  verify: {},
  viewer: {},
})
