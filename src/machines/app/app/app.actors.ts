/*
 * The actors of the app: the one place that names them. The app's set-up, its invocations, what a part that failed is
 * started with again, and `System` follow from this table.
 */
import type { ActorRefFrom, AnyActorLogic, AnyActorRef, InputFrom } from 'xstate'
import type { accountMachine } from '../../account/account/account.machine.ts'
import { donorMachine } from '../../account/donor/donor.machine.ts'
import type { resetMachine } from '../../account/reset/reset.machine.ts'
import type { signInMachine, Provider } from '../../account/sign-in/sign-in.machine.ts'
import type { verifyMachine } from '../../account/verify/verify.machine.ts'
import type { broadcastMachine } from '../../connection/broadcast/broadcast.machine.ts'
import type { connectionCheckMachine } from '../../connection/check/connection-check.machine.ts'
import type { FleetInput } from '../../connection/fleet/fleet.context.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import type { relayMachine } from '../../connection/relay/relay.machine.ts'
import { queryCacheMachine } from '../../resource/query-cache/query-cache.machine.ts'
import type { seriesMachine } from '../../resource/series/series.machine.ts'
import { connectMachine } from '../../screens/connect/connect.machine.ts'
import type { directClientsMachine } from '../../screens/direct-clients/direct-clients.machine.ts'
import type { logMachine } from '../../screens/log/log.machine.ts'
import { projectsMachine } from '../../screens/projects/projects.machine.ts'
import type { viewerMachine } from '../../screens/viewer/viewer.machine.ts'
import { actorPlaceholder, deferredLogic } from '../../shared/actor-placeholder.ts'
import { dialogsMachine } from '../../shared/dialogs/dialogs.machine.ts'
import type { historyMachine } from '../../units/history/history.machine.ts'
import { clockMachine } from '../clock/clock.machine.ts'
import type { MemoryCommand } from '../memory.events.ts'
import type { Preferences } from '../preferences/preferences.events.ts'
import { preferencesMachine } from '../preferences/preferences.machine.ts'
import type { BeforeStart, DeferredActor, DeferredGroup } from '../deferred.ts'
import type { TabsCommand } from '../tabs.events.ts'
import { updatesMachine } from '../updates/updates.machine.ts'
import type { WireCommand } from './app.events.ts'

export type AppInput = {
  readonly at: number
  readonly preferences: Preferences
  readonly fleet: FleetInput
  readonly nodeScheme: 'ws' | 'wss'
  /** Browsers give no cryptography to pages that came over plain HTTP from another host. */
  readonly isSecure: boolean
  /** Where pictures of awards are. */
  readonly awardsUrl: string
  readonly providers: readonly Provider[]
  /** An account of simulated machines that the page's server offers to look at. */
  readonly demo?: DemoAccount
  /** Whether this browser stores a session: the account is loaded at once. Without one, its group waits. */
  readonly hasSession?: boolean
  /** Whether deferred actors wait until they are needed. Otherwise their logic is there, and all start with the app. */
  readonly defers?: boolean
}

export type DemoAccount = { readonly email: string; readonly secrets: { readonly passphrase: string } }

/** `last` is the actor that failed, when the new one replaces it. */
type ActorEntry<Logic extends AnyActorLogic> = {
  readonly logic: Logic
  readonly input?: (app: AppInput, last: ActorRefFrom<Logic> | undefined) => InputFrom<Logic>
  readonly deferred?: DeferredActor<Logic>
}

const entry = <Logic extends AnyActorLogic>(logic: Logic, input?: ActorEntry<Logic>['input']): ActorEntry<Logic> =>
  input === undefined ? { logic } : { logic, input }

type Deferring<Logic extends AnyActorLogic> = {
  readonly before?: BeforeStart<Logic>
  readonly wakes?: DeferredActor<Logic>['wakes']
  readonly keeps?: DeferredActor<Logic>['keeps']
  readonly input?: ActorEntry<Logic>['input']
}

/** An actor whose code is loaded with its group, by `src/app/deferred`. */
const deferred = <Logic extends AnyActorLogic>(
  group: DeferredGroup,
  { before = { context: {} as never }, wakes = [], keeps = [], input }: Deferring<Logic> = {},
): ActorEntry<Logic> => ({
  logic: deferredLogic as Logic,
  deferred: { group, before, wakes, keeps },
  ...(input === undefined ? {} : { input }),
})

/** Actors that screens read and send to: the members of `System`. */
const sharedActors = {
  clock: entry(clockMachine, ({ at }, last) => ({ at: last?.getSnapshot().context.now ?? at })),
  preferences: entry(preferencesMachine, ({ preferences }, last) => last?.getSnapshot().context.kept ?? preferences),
  dialogs: entry(dialogsMachine),
  connect: entry(connectMachine),
  directClients: deferred<typeof directClientsMachine>('connections'),
  connectionCheck: deferred<typeof connectionCheckMachine>('connections'),
  log: deferred<typeof logMachine>('log'),
  fleet: entry(fleetMachine, ({ fleet }, last) => ({
    ...fleet,
    addresses: last?.getSnapshot().context.addresses ?? fleet.addresses,
  })),
  history: deferred<typeof historyMachine>('history', {
    // Stored units of the account that is left are deleted.
    wakes: ['history.accountSignedOut'],
    keeps: ['history.accountSignedIn'],
  }),
  viewer: deferred<typeof viewerMachine>('viewer', { wakes: ['viewer.clearStore'] }),
  relay: deferred<typeof relayMachine>('account', {
    before: { context: { target: undefined, invalidNode: undefined } },
  }),
  signIn: deferred<typeof signInMachine>('account', { input: ({ providers }) => ({ providers }) }),
  verify: deferred<typeof verifyMachine>('account'),
  reset: deferred<typeof resetMachine>('account'),
  queryCache: entry(queryCacheMachine),
  series: deferred<typeof seriesMachine>('series', { wakes: ['series.clearPersonal'] }),
  projects: entry(projectsMachine),
  donor: entry(donorMachine),
  account: deferred<typeof accountMachine>('account', {
    before: { context: { signedIn: undefined, restoreFault: undefined }, tagsWhileRestoring: ['loading'] },
    wakes: ['account.signedInElsewhere'],
    input: ({ hasSession = true }, last) => ({ isSignedOut: !hasSession && last === undefined }),
  }),
  updates: entry(updatesMachine),
}

/** Actors that only the app's own wiring sends to. Placeholders are provided by src/app/system.ts. */
const internalActors = {
  broadcaster: deferred<typeof broadcastMachine>('account', { wakes: ['broadcast.send'] }),
  memory: entry(actorPlaceholder<MemoryCommand, undefined>('memory')),
  page: entry(actorPlaceholder<{ type: 'none' }, undefined>('page')),
  tabs: entry(actorPlaceholder<TabsCommand, undefined>('tabs')),
  wire: entry(actorPlaceholder<WireCommand, undefined>('wire')),
}

const actors = { ...sharedActors, ...internalActors }

export type SharedActors = { readonly [Name in keyof typeof sharedActors]: (typeof sharedActors)[Name]['logic'] }
type AppActors = { [Name in keyof typeof actors]: (typeof actors)[Name]['logic'] }
export type ActorName = keyof AppActors

export const sharedActorNames = Object.keys(sharedActors) as readonly (keyof SharedActors)[]
const actorNames = Object.keys(actors) as readonly ActorName[]

export const appActors = Object.fromEntries(actorNames.map(name => [name, actors[name].logic])) as AppActors

/** What an actor starts with; after a failure, with what it last knew. */
export const actorInput = (name: string, app: AppInput, last: AnyActorRef | undefined): unknown =>
  (actors as Readonly<Record<string, ActorEntry<AnyActorLogic>>>)[name]?.input?.(app, last)

type Invocation = {
  [Name in ActorName]: {
    readonly src: Name
    readonly id: Name
    readonly systemId: Name
    readonly input: (args: { readonly context: { readonly input: AppInput } }) => InputFrom<AppActors[Name]>
  }
}[ActorName]

const deferredOf = (name: ActorName): DeferredActor<AnyActorLogic> | undefined =>
  (actors[name] as ActorEntry<AnyActorLogic>).deferred

/** The deferred actors, in the order in which they start. */
export const deferredActors: ReadonlyMap<string, DeferredActor<AnyActorLogic>> = new Map(
  actorNames.flatMap(name => {
    const about = deferredOf(name)
    return about === undefined ? [] : [[name, about] as const]
  }),
)

/** One invocation an actor that is not deferred: its id and its system id are its name. */
export const invocations = actorNames
  .filter(name => !deferredActors.has(name))
  .map(name => ({
    src: name,
    id: name,
    systemId: name,
    input: ({ context }: { readonly context: { readonly input: AppInput } }) =>
      actorInput(name, context.input, undefined),
  })) as unknown as readonly Invocation[]
