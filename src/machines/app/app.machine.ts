import {
  assign,
  enqueueActions,
  setup,
  type ActorRefFrom,
  type AnyActorRef,
  type AnyEventObject,
  type SnapshotFrom,
} from 'xstate'
import type { LoadFault } from '../../folding/shared/load-fault.ts'
import {
  actorInput,
  appActors,
  invocations,
  isLate,
  partOf,
  type ActorName,
  type AppInput,
  type Delivery,
  type LateCommand,
} from './app.actors.ts'
import { parts, type PartName } from './app.parts.ts'
import type { AppEvent } from './app.events.ts'
import type { WireFault } from './wire.events.ts'
import { deliveriesOf, routes, type RoutedType } from './app.routes.ts'

export type AppContext = {
  readonly input: AppInput
  /** False while the browser reports that there is no network at all. */
  readonly isOnline: boolean
  /** This browser keeps nothing: no session, no clients, no history. */
  readonly isStorageUnavailable: boolean
  /** Why the worker does not run that every connection goes through. */
  readonly wireFault: WireFault | undefined
  /** How often each part of the page threw an error, by its id. */
  readonly failures: Readonly<Record<string, number>>
  /** Why the code of a part could not be loaded. */
  readonly partFaults: Readonly<Partial<Record<PartName, LoadFault | undefined>>>
  /** Whose code is there. */
  readonly arrived: readonly PartName[]
  /** What the actors of a part are sent as soon as they run. */
  readonly waiting: Readonly<Partial<Record<PartName, readonly LateCommand[] | undefined>>>
}

/** An actor that fails more often than this is not restarted again. */
const MOST_RESTARTS = 3

/** Actors that receive the account in an event. */
const FOLLOWS_ACCOUNT: ReadonlySet<string> = new Set(['fleet', 'relay', 'history', 'incidents', 'donor', 'preferences'])

/** `spawnChild` for a name known only at run time: the id of a child, which equals the name of its source. */
type SpawnNamed = (name: string, options: { id: string; systemId: string; input: unknown }) => void

type Effects = {
  readonly context: AppContext
  readonly enqueue: {
    readonly assign: (change: Partial<AppContext>) => void
    readonly raise: (event: AppEvent) => void
    readonly sendTo: (to: string, event: AnyEventObject) => void
  }
  readonly system: { readonly get: (name: string) => AnyActorRef | undefined }
}

type Waiting = AppContext['waiting']

/** Of what waits for a part whose code does not arrive, the newest is kept. */
const MOST_WAITING = 1000

function withWaiting(waiting: Waiting, part: PartName, command: LateCommand): Waiting {
  return { ...waiting, [part]: [...(waiting[part] ?? []), command].slice(-MOST_WAITING) }
}

/** A kept event replaces an earlier one of its type: it says how things are. */
function withKept(waiting: Waiting, part: PartName, command: LateCommand): Waiting {
  const others = waiting[part]?.filter(({ event }) => event.type !== command.event.type)
  return withWaiting({ ...waiting, [part]: others }, part, command)
}

function deliver({ context, enqueue, system }: Effects, deliveries: readonly Delivery[]): void {
  let { waiting } = context
  for (const delivery of deliveries) {
    const { to, event, absent } = delivery
    const part = isLate(to) ? partOf(to) : undefined
    if (system.get(to) !== undefined) enqueue.sendTo(to, event)
    else if (part === undefined) continue
    else if (absent === 'load') enqueue.raise({ type: 'app.want', part, first: { to, event } as LateCommand })
    else if (absent === 'keep') waiting = withKept(waiting, part, { to, event } as LateCommand)
    // Where a session is stored, its code is asked for once more: loading it may have failed.
    else if (to === 'account' && context.input.hasSession === true) enqueue.raise({ type: 'app.want', part })
  }
  if (waiting !== context.waiting) enqueue.assign({ waiting })
}

/** Transitions of the events in the table of routes. */
const routed = Object.fromEntries(Object.keys(routes).map(type => [type, { actions: 'route' }])) as {
  readonly [Type in RoutedType]: { readonly actions: 'route' }
}

export const appMachine = setup({
  types: { context: {} as AppContext, events: {} as AppEvent, input: {} as AppInput },
  actors: appActors,
  actions: {
    route: enqueueActions(args => deliver(args, deliveriesOf(args.event, args.context.input))),
    begin: enqueueActions(args => {
      deliver(args, [{ to: 'queryCache', event: { type: 'queryCache.want', key: 'version' } }])
      args.enqueue.raise(
        args.context.input.hasSession === true ? { type: 'app.want', part: 'account' } : { type: 'account.noSession' },
      )
    }),
    /** Starts an actor that failed again, from what it last knew. The others go on. */
    restart: enqueueActions((args, id: string) => {
      const { context, enqueue, self, system } = args
      const failures = (context.failures[id] ?? 0) + 1
      enqueue.assign({ failures: { ...context.failures, [id]: failures } })
      if (failures > MOST_RESTARTS) return
      const spawnNamed = enqueue.spawnChild as SpawnNamed
      spawnNamed(id, {
        id,
        systemId: id,
        input: actorInput(id, context.input, (self.getSnapshot() as AppSnapshot).children[id as ActorName]),
      })
      if (id === 'queryCache') enqueue.sendTo('queryCache', { type: 'queryCache.want', key: 'version' })
      if (id === 'incidents') enqueue.sendTo(id, { type: 'incidents.open' })
      if (FOLLOWS_ACCOUNT.has(id) && system.get('account') !== undefined)
        enqueue.sendTo('account', { type: 'account.refresh' })
    }),
    loadPart: enqueueActions(
      ({ context, enqueue, system }, { part, first }: { readonly part: PartName; readonly first?: LateCommand }) => {
        if (context.arrived.includes(part) && parts[part].every(name => system.get(name) !== undefined)) {
          if (first !== undefined) enqueue.sendTo(first.to, first.event)
          return
        }
        enqueue.assign({ partFaults: { ...context.partFaults, [part]: undefined } })
        if (first !== undefined) enqueue.assign({ waiting: withWaiting(context.waiting, part, first) })
        enqueue.sendTo('code', { type: 'code.load', part })
      },
    ),
    startPart: enqueueActions(({ context, enqueue, system }, part: PartName) => {
      const spawnNamed = enqueue.spawnChild as SpawnNamed
      for (const name of parts[part])
        if (system.get(name) === undefined)
          spawnNamed(name, { id: name, systemId: name, input: actorInput(name, context.input, undefined) })
      if (!context.arrived.includes(part)) enqueue.assign({ arrived: [...context.arrived, part] })
      const commands = context.waiting[part]
      if (commands === undefined) return
      enqueue.assign({ waiting: { ...context.waiting, [part]: undefined } })
      for (const { to, event } of commands) enqueue.sendTo(to, event)
    }),
    giveUp: assign(({ context }, part: PartName) => ({ waiting: { ...context.waiting, [part]: undefined } })),
  },
}).createMachine({
  id: 'app',
  description: 'Connects the actors of the app: forwards the events of each to those that need them (app.routes.ts).',
  context: ({ input }) => ({
    input,
    isOnline: true,
    isStorageUnavailable: false,
    wireFault: undefined,
    failures: {},
    partFaults: {},
    arrived: [],
    waiting: {},
  }),
  invoke: invocations,
  entry: 'begin',
  on: {
    ...routed,
    'xstate.error.actor.*': { actions: { type: 'restart', params: ({ event }) => event.actorId } },
    'app.want': { actions: { type: 'loadPart', params: ({ event }) => event } },
    'app.giveUp': { actions: { type: 'giveUp', params: ({ event }) => event.part } },
    'code.arrived': { actions: { type: 'startPart', params: ({ event }) => event.part } },
    'code.failed': {
      actions: assign(({ context, event: { part, fault } }) => ({
        partFaults: { ...context.partFaults, [part]: fault },
      })),
    },
    'account.signedOut': { actions: [{ type: 'giveUp', params: 'bulk' }, 'route'] },
    'memory.unavailable': { actions: assign({ isStorageUnavailable: true }) },
    'wire.started': { actions: assign({ wireFault: undefined }) },
    'wire.failed': { actions: assign({ wireFault: ({ event }) => event.fault }) },
    'network.lost': { actions: assign({ isOnline: false }) },
    'network.regained': { actions: [assign({ isOnline: true }), 'route'] },
  },
})

export type AppRef = ActorRefFrom<typeof appMachine>
export type AppSnapshot = SnapshotFrom<typeof appMachine>
