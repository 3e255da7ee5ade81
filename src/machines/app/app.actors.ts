/*
 * The actors of the app: the one place that names them. The app's set-up, its invocations, what a part that failed is
 * started with again, and `System` follow from this table.
 */
import type {
  ActorRefFrom,
  AnyActorLogic,
  AnyActorRef,
  AnyStateMachine,
  ContextFrom,
  EventFrom,
  InputFrom,
} from 'xstate'
import type { accountMachine } from '../account/account/account.machine.ts'
import { donorMachine } from '../account/donor/donor.machine.ts'
import type { resetMachine } from '../account/reset/reset.machine.ts'
import type { scheduleEditorMachine } from '../server/schedule-editor/schedule-editor.machine.ts'
import type { serverAlertsMachine } from '../server/alerts/server-alerts.machine.ts'
import type { sharedMachine } from '../server/shared/shared.machine.ts'
import type { sessionMachine } from '../server/session/session.machine.ts'
import type { signInMachine, Provider } from '../account/sign-in/sign-in.machine.ts'
import type { verifyMachine } from '../account/verify/verify.machine.ts'
import type { broadcastMachine } from '../connection/broadcast/broadcast.machine.ts'
import type { connectionCheckMachine } from '../connection/check/connection-check.machine.ts'
import type { FleetInput } from '../connection/fleet/fleet.context.ts'
import { fleetMachine } from '../connection/fleet/fleet.machine.ts'
import { tagsMachine } from '../fleet/tags/tags.machine.ts'
import { viewsMachine } from '../fleet/views/views.machine.ts'
import type { relayMachine } from '../connection/relay/relay.machine.ts'
import type { powerMachine } from '../fleet/power/power.machine.ts'
import type { idleTimesMachine } from '../fleet/idle-times/idle-times.machine.ts'
import type { processorsMachine } from '../fleet/processors/processors.machine.ts'
import type { bulkMachine } from '../fleet/bulk/bulk.machine.ts'
import { selectionMachine } from '../fleet/selection/selection.machine.ts'
import type { incidentsMachine } from '../incidents/incidents/incidents.machine.ts'
import { queryCacheMachine } from '../resource/query-cache/query-cache.machine.ts'
import type { seriesMachine } from '../resource/series/series.machine.ts'
import type { connectMachine } from '../screens/connect/connect.machine.ts'
import type { directClientsMachine } from '../screens/direct-clients/direct-clients.machine.ts'
import type { logMachine } from '../screens/log/log.machine.ts'
import type { moleculesMachine } from '../screens/molecules/molecules.machine.ts'
import type { projectsMachine } from '../screens/projects/projects.machine.ts'
import type { viewerMachine } from '../screens/viewer/viewer.machine.ts'
import { actorPlaceholder } from '../shared/actor-placeholder.ts'
import { dialogsMachine } from '../shared/dialogs/dialogs.machine.ts'
import type { recordsMachine } from '../units/records/records.machine.ts'
import type { creditsMachine } from '../units/credits/credits.machine.ts'
import type { historyMachine } from '../units/history/history.machine.ts'
import { clockMachine } from './clock/clock.machine.ts'
import type { MemoryCommand } from './memory.events.ts'
import type { Preferences } from './preferences/preferences.events.ts'
import { preferencesMachine } from './preferences/preferences.machine.ts'
import type { TabsCommand } from './tabs.events.ts'
import { updatesMachine } from './updates/updates.machine.ts'
import { partNames, parts, type PartName } from './app.parts.ts'
import type { CodeCommand } from './code.events.ts'
import type { WireCommand } from './wire.events.ts'

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
  /** Whether this browser stores a session, whose account is fetched at once. */
  readonly hasSession?: boolean
  /** An account of simulated clients that the page's server offers to look at. */
  readonly demo?: DemoAccount
}

export type DemoAccount = { readonly email: string; readonly secrets: { readonly passphrase: string } }

/** `last` is the actor that failed, when the new one replaces it. */
type ActorEntry<Logic extends AnyActorLogic> = {
  readonly logic: Logic
  readonly input?: (app: AppInput, last: ActorRefFrom<Logic> | undefined) => InputFrom<Logic>
}

function entry<Logic extends AnyActorLogic>(logic: Logic, input?: ActorEntry<Logic>['input']): ActorEntry<Logic> {
  return input === undefined ? { logic } : { logic, input }
}

/** Actors that screens read and send to: the members of `System`, with `LateActors`. */
const sharedActors = {
  clock: entry(clockMachine, ({ at }, last) => ({ at: last?.getSnapshot().context.now ?? at })),
  preferences: entry(preferencesMachine, ({ preferences }, last) => last?.getSnapshot().context.kept ?? preferences),
  dialogs: entry(dialogsMachine),
  fleet: entry(fleetMachine, ({ fleet, preferences: { putAway, speed } }, last) => ({
    ...fleet,
    choices: { putAway, speed },
    addresses: last?.getSnapshot().context.addresses ?? fleet.addresses,
  })),
  tags: entry(tagsMachine),
  views: entry(viewsMachine),
  selection: entry(selectionMachine),
  queryCache: entry(queryCacheMachine),
  donor: entry(donorMachine),
  updates: entry(updatesMachine),
}

/** Actors that only the app's own wiring sends to. Placeholders are provided by src/app/system.ts. */
const internalActors = {
  code: entry(actorPlaceholder<CodeCommand, undefined>('code')),
  memory: entry(actorPlaceholder<MemoryCommand, undefined>('memory')),
  page: entry(actorPlaceholder<{ type: 'none' }, undefined>('page')),
  tabs: entry(actorPlaceholder<TabsCommand, undefined>('tabs')),
  wire: entry(actorPlaceholder<WireCommand, undefined>('wire')),
}

const actors = { ...sharedActors, ...internalActors }

/** What a late actor begins with, and what screens read of it before its code is there. */
type Beginning<Logic extends AnyActorLogic> = {
  readonly input?: ActorEntry<Logic>['input']
  readonly context?: Partial<ContextFrom<Logic>>
  readonly tags?: (app: AppInput) => readonly string[]
}

/** Machines whose code is loaded later. They run from then on. */
export type LateActors = {
  readonly account: typeof accountMachine
  readonly relay: typeof relayMachine
  readonly broadcaster: typeof broadcastMachine
  readonly signIn: typeof signInMachine
  readonly verify: typeof verifyMachine
  readonly reset: typeof resetMachine
  readonly bulk: typeof bulkMachine
  readonly processors: typeof processorsMachine
  readonly idleTimes: typeof idleTimesMachine
  readonly connect: typeof connectMachine
  readonly directClients: typeof directClientsMachine
  readonly connectionCheck: typeof connectionCheckMachine
  readonly history: typeof historyMachine
  readonly credits: typeof creditsMachine
  readonly incidents: typeof incidentsMachine
  readonly log: typeof logMachine
  readonly power: typeof powerMachine
  readonly projects: typeof projectsMachine
  readonly series: typeof seriesMachine
  readonly viewer: typeof viewerMachine
  readonly molecules: typeof moleculesMachine
  readonly records: typeof recordsMachine
  readonly serverSession: typeof sessionMachine
  readonly scheduleEditor: typeof scheduleEditorMachine
  readonly serverAlerts: typeof serverAlertsMachine
  readonly serverShared: typeof sharedMachine
}

export const lateActorNames: readonly (keyof LateActors)[] = Object.values(parts).flat()

const beginnings: { readonly [Name in keyof LateActors]?: Beginning<LateActors[Name]> } = {
  account: { tags: ({ hasSession }) => (hasSession === true ? ['loading'] : []) },
  signIn: { input: ({ providers }) => ({ providers }) },
  processors: { context: { notes: {} } },
  idleTimes: { context: { times: {} } },
  history: { context: { history: { machines: new Map(), units: new Map() } } },
  incidents: { context: { incidents: { active: new Map(), ended: [] }, waits: new Map() } },
  series: { context: { series: new Map(), attempts: 0 } },
}

/** An event for an actor whose code may have to be loaded first. */
export type LateCommand = {
  readonly [Name in keyof LateActors]: { readonly to: Name; readonly event: EventFrom<LateActors[Name]> }
}[keyof LateActors]

export function isLate(name: string): name is keyof LateActors {
  return lateActorNames.some(late => late === name)
}

export function partOf(name: keyof LateActors): PartName | undefined {
  return partNames.find(part => parts[part].some(late => late === name))
}

/** What screens read of a late actor before its code is there. */
export function snapshotBefore(name: keyof LateActors, app: AppInput) {
  const { context = {}, tags } = beginnings[name] ?? {}
  const all = tags?.(app) ?? []
  return {
    status: 'active',
    context,
    children: {},
    hasTag: (tag: string) => all.includes(tag),
    matches: () => false,
    can: () => true,
  }
}

/** Makes actors known whose code was loaded later: a machine finds what it starts by its name. */
export function bringActors(machine: AnyStateMachine, brought: Readonly<Record<string, AnyActorLogic>>): void {
  Object.assign(machine.implementations.actors as object, brought)
}

export type SharedActors = { readonly [Name in keyof typeof sharedActors]: (typeof sharedActors)[Name]['logic'] }
type AppActors = { [Name in keyof typeof actors]: (typeof actors)[Name]['logic'] }
export type ActorName = keyof AppActors

export const sharedActorNames = Object.keys(sharedActors) as readonly (keyof SharedActors)[]
const actorNames = Object.keys(actors) as readonly ActorName[]

export const appActors = Object.fromEntries(actorNames.map(name => [name, actors[name].logic])) as AppActors

/** What an actor starts with; after a failure, with what it last knew. */
export function actorInput(name: string, app: AppInput, last: AnyActorRef | undefined): unknown {
  const entries = { ...beginnings, ...actors } as Readonly<Record<string, Beginning<AnyActorLogic> | undefined>>
  return entries[name]?.input?.(app, last)
}

type Invocation = {
  [Name in ActorName]: {
    readonly src: Name
    readonly id: Name
    readonly systemId: Name
    readonly input: (args: { readonly context: { readonly input: AppInput } }) => InputFrom<AppActors[Name]>
  }
}[ActorName]

/** One invocation an actor: its id and its system id are its name. */
export const invocations = actorNames.map(name => ({
  src: name,
  id: name,
  systemId: name,
  input: ({ context }: { readonly context: { readonly input: AppInput } }) =>
    actorInput(name, context.input, undefined),
})) as readonly Invocation[]

/** An event for an actor of the app. */
export type Delivery = {
  readonly [Name in ActorName | keyof LateActors]: {
    readonly to: Name
    readonly event: Parameters<ActorRefFrom<(AppActors & LateActors)[Name]>['send']>[0]
    /** What becomes of it while a late actor does not run: by default it is dropped. */
    readonly absent?: 'keep' | 'load'
  }
}[ActorName | keyof LateActors]
