import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Access, Identity } from '../access/access.ts'
import type { CoordinationParts } from '../cluster/coordination.ts'
import type { Config } from '../config/schema.ts'
import type { Outlets } from '../gateway/outlets.ts'
import type { Outcome } from '../gateway/pacer.ts'
import type { ControlRequest } from '../gateway/page-command.ts'
import type { ListedClient, ServerNews } from '../news.ts'
import type { ServerStore } from '../store/store.ts'
import type { Metrics } from './metrics.ts'
import type { Checked, RouteName } from './routes.ts'

/* What the handlers of routes are given, and what they return. */

/** `identity`: of an admitted request. `isPassedOn`: another server admitted it. */
export type Bindings = {
  readonly incoming: IncomingMessage
  readonly identity: Identity | undefined
  readonly isPassedOn?: true
}
export type ApiContext = Context<{ Bindings: Bindings }>

export type Enrolling = {
  readonly isEnrolled: () => boolean
  /** Why this server enrolls no account in its page; undefined when it does. */
  readonly blocked: string | undefined
  /** Signs in and keeps the account's key. Resolves with the number of its clients. Rejects with a StartError. */
  readonly enroll: (email: string, passphrase: string, identity: Identity) => Promise<number>
}

export type ApiServices = {
  readonly version: string
  readonly log: Pick<Logger, 'error'>
  readonly access: Access
  readonly outlets: Outlets
  /** What one server does for all. Throws where another one does. */
  readonly coordinated: () => CoordinationParts
  /** Public key for Web Push; undefined without a channel that needs it. */
  readonly pushKey: string | undefined
  readonly config: Pick<Config, 'users' | 'tokens' | 'channels' | 'alerts' | 'meters'>
  readonly store: ServerStore
  readonly metrics: Metrics
  readonly enrolling: Enrolling
  readonly machines: () => readonly ListedClient[]
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Sends a command to a client in the name of a user or program, by its number from 1. */
  readonly command: (
    number: number,
    request: ControlRequest,
    identity: Identity,
    reason: string,
  ) => Promise<Outcome | 'forbidden'>
  /** Passes a request on to the server that coordinates; undefined when that is this one. */
  readonly coordinator: () => ((request: Request, identity: Identity, body: unknown) => Promise<Response>) | undefined
  /** Called when tags or saved views were changed here. */
  readonly onShared: () => Promise<void>
  /** Calls back with news until the returned function is called. */
  readonly follow: (listener: (event: ServerNews) => void) => () => void
}

export type Handlers = {
  readonly [Name in RouteName]: (request: Checked<Name>, context: ApiContext) => Response | Promise<Response>
}
