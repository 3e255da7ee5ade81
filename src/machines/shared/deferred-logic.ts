/*
 * State machines whose code is loaded when they are first needed. Until then the actor is there, under its id and for its
 * subscribers, with a snapshot of what screens read of it; it keeps the events that it gets. When the code is loaded, the
 * machine starts in the same actor, and takes them.
 */
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, AnyStateMachine, Snapshot } from 'xstate'
import { LoadError, type LoadFault } from '../../folding/shared/load-fault.ts'

/** What an actor is before its machine's code is loaded. */
export type Deferral = {
  /** What screens read of it, as part of the machine's context. */
  readonly context?: object
  readonly tags?: readonly string[]
  /** Types of events that mean nothing to a machine that just starts. They are dropped. */
  readonly ignores?: readonly string[]
  /** Types of events that wait for the machine, but are no reason to load it. Every other event is. */
  readonly keeps?: readonly string[]
  /** Whether the code is loaded from the start. */
  readonly isNeeded?: boolean
}

/** Code that is loaded together, once. */
export type CodeGroup<Code> = {
  /** What the code holds; undefined until it is loaded. */
  readonly code: () => Code | undefined
  /** Tells the member when the code is loaded or could not be. */
  readonly join: (member: AnyActorRef) => void
  /** Loads it for all members unless it is loaded or being loaded. */
  readonly want: (member: AnyActorRef) => void
}

/** The state of an actor whose machine is not loaded. */
export const NOT_LOADED = 'deferred'

const LOADED = 'deferred.loaded'
const FAILED = 'deferred.failed'
const WANTED = 'deferred.want'
const GIVEN_UP = 'deferred.giveUp'

export type DeferredEvent =
  /** The machine is needed, and there is no event for it. */
  | { readonly type: typeof WANTED }
  | { readonly type: typeof LOADED }
  /** What waits for the machine is no longer wanted. */
  | { readonly type: typeof GIVEN_UP }
  | { readonly type: typeof FAILED; readonly fault: LoadFault }

const OWN_EVENTS: ReadonlySet<string> = new Set([WANTED, GIVEN_UP, LOADED, FAILED])

/** The latest events that are kept: a screen sends a few. */
const MOST_WAITING = 100

type Waiting = {
  readonly input: unknown
  readonly events: readonly AnyEventObject[]
  readonly isLoading: boolean
  /** Why the last attempt to load the code failed; the next one is made when the machine is needed again. */
  readonly fault: LoadFault | undefined
}

type NotLoaded = Snapshot<unknown> & {
  readonly value: typeof NOT_LOADED
  readonly context: object & { readonly deferred: Waiting }
  readonly children: Readonly<Record<string, never>>
  readonly historyValue: object
  /** Not known yet. The key marks the snapshot of a state machine. */
  readonly machine: undefined
  readonly matches: () => false
  readonly hasTag: (tag: string) => boolean
  /** What is sent waits for the machine. */
  readonly can: () => true
}

const notLoaded = ({ context = {}, tags = [] }: Deferral, deferred: Waiting): NotLoaded => ({
  status: 'active',
  output: undefined,
  error: undefined,
  value: NOT_LOADED,
  context: { ...context, deferred },
  children: {},
  historyValue: {},
  machine: undefined,
  matches: () => false,
  hasTag: tag => tags.includes(tag),
  can: () => true,
})

const isNotLoaded = (snapshot: unknown): snapshot is NotLoaded =>
  typeof snapshot === 'object' && snapshot !== null && 'value' in snapshot && snapshot.value === NOT_LOADED

export type DeferralState = 'loaded' | 'notLoaded' | 'loading' | LoadFault

/** Whether the machine of a deferred actor runs, or why not. */
export const selectDeferral = (snapshot: unknown): DeferralState => {
  if (!isNotLoaded(snapshot)) return 'loaded'
  const { isLoading, fault } = snapshot.context.deferred
  return isLoading ? 'loading' : (fault ?? 'notLoaded')
}

/** Why the machine cannot take what waits for it. */
export const selectLoadFailure = (snapshot: unknown): LoadFault | undefined =>
  isNotLoaded(snapshot) && snapshot.context.deferred.events.length > 0 ? snapshot.context.deferred.fault : undefined

/** What a deferred logic needs of its surroundings: none in a replay, whose recording has the events. */
type Loader = {
  readonly machine: () => AnyStateMachine | undefined
  readonly join: (member: AnyActorRef) => void
  readonly want: (member: AnyActorRef) => void
}

/** The logic of an actor whose machine is not loaded yet. */
export type DeferredLogic = AnyActorLogic & {
  readonly deferral: Deferral
  readonly loader: Loader
}

export const isDeferredLogic = (logic: unknown): logic is DeferredLogic =>
  typeof logic === 'object' && logic !== null && 'deferral' in logic && 'loader' in logic

const started = (
  machine: AnyStateMachine,
  { input, events }: Waiting,
  scope: AnyActorScope,
): ReturnType<AnyStateMachine['transition']> => {
  let snapshot = machine.getInitialSnapshot(scope as never, input)
  for (const event of events)
    if (snapshot.status === 'active') snapshot = machine.transition(snapshot, event, scope as never)
  return snapshot
}

const createLogic = (deferral: Deferral, loader: Loader): DeferredLogic => {
  const { ignores = [], keeps = [], isNeeded = false } = deferral
  const load = (snapshot: NotLoaded, scope: AnyActorScope, events: readonly AnyEventObject[]): NotLoaded => {
    const { deferred } = snapshot.context
    if (!deferred.isLoading) scope.defer(() => loader.want(scope.self as AnyActorRef))
    return notLoaded(deferral, { ...deferred, events, isLoading: true, fault: undefined })
  }
  const wait = (snapshot: NotLoaded, event: AnyEventObject, scope: AnyActorScope): Snapshot<unknown> => {
    const { deferred } = snapshot.context
    switch (event.type) {
      case LOADED: {
        const machine = loader.machine()
        return machine === undefined ? snapshot : started(machine, deferred, scope)
      }
      case FAILED:
        return notLoaded(deferral, {
          ...deferred,
          isLoading: false,
          fault: (event as DeferredEvent & { readonly type: typeof FAILED }).fault,
        })
      case WANTED:
        return load(snapshot, scope, deferred.events)
      case GIVEN_UP:
        return notLoaded(deferral, { ...deferred, events: [] })
      case 'xstate.stop':
        return { ...snapshot, status: 'stopped' } as Snapshot<unknown>
      default: {
        if (ignores.includes(event.type) && !deferred.isLoading && !isNeeded) return snapshot
        const events = [...deferred.events, event].slice(-MOST_WAITING)
        return keeps.includes(event.type) ? notLoaded(deferral, { ...deferred, events }) : load(snapshot, scope, events)
      }
    }
  }
  const logic = {
    deferral,
    loader,
    getInitialSnapshot: (scope: AnyActorScope, input: unknown): Snapshot<unknown> => {
      const isLoading = isNeeded || loader.machine() !== undefined
      scope.defer(() => {
        loader.join(scope.self as AnyActorRef)
        if (isLoading) loader.want(scope.self as AnyActorRef)
      })
      return notLoaded(deferral, { input, events: [], isLoading, fault: undefined })
    },
    transition: (snapshot: Snapshot<unknown>, event: AnyEventObject, scope: AnyActorScope): Snapshot<unknown> => {
      if (isNotLoaded(snapshot)) return wait(snapshot, event, scope)
      // The group tells all its members, also those that were started again.
      if (OWN_EVENTS.has(event.type)) return snapshot
      const machine = loader.machine()
      return machine === undefined ? snapshot : machine.transition(snapshot as never, event, scope as never)
    },
    start: (snapshot: Snapshot<unknown>) => {
      if (!isNotLoaded(snapshot)) loader.machine()?.start(snapshot as never)
    },
    restoreSnapshot: (saved: Snapshot<unknown>, scope: AnyActorScope): Snapshot<unknown> => {
      const { machine: state } = saved as { readonly machine?: { readonly value: unknown; readonly context: object } }
      if (state?.value !== NOT_LOADED) {
        const machine = loader.machine()
        if (machine === undefined) throw new Error('The code of this state machine is not loaded.')
        return machine.restoreSnapshot(saved, scope as never)
      }
      return notLoaded(deferral, (state.context as NotLoaded['context']).deferred)
    },
    getPersistedSnapshot: (snapshot: Snapshot<unknown>) => snapshot,
  }
  return logic
}

/**
 * The machine's logic, in the place of the machine. `name`: its name in the group's code.
 *
 * @param group what loads it
 * @param deferral what the actor is until then
 */
export const deferred = <Code extends object, Name extends keyof Code & string>(
  group: CodeGroup<Code>,
  name: Name,
  deferral: Deferral = {},
): Code[Name] =>
  createLogic(deferral, {
    machine: () => group.code()?.[name] as AnyStateMachine | undefined,
    want: group.want,
    join: group.join,
  }) as unknown as Code[Name]

/** A copy of the logic around another machine, which loads nothing: for a replay, whose events say when it was loaded. */
export const withoutLoading = (
  logic: DeferredLogic,
  change: (machine: AnyStateMachine) => AnyStateMachine,
): DeferredLogic => {
  const machine = logic.loader.machine()
  const changed = machine === undefined ? undefined : change(machine)
  return createLogic({ ...logic.deferral }, { machine: () => changed, want: () => undefined, join: () => undefined })
}

/** Code that is loaded when the first member of the group needs it. `load` rejects with a LoadError. */
export const createCodeGroup = <Code extends object>(load: () => Promise<Code>): CodeGroup<Code> => {
  const members = new Set<AnyActorRef>()
  let code: Code | undefined
  let isLoading = false
  const tellAll = (event: DeferredEvent): void => {
    for (const member of [...members])
      if ((member.getSnapshot() as Snapshot<unknown>).status === 'active') member.send(event)
      else members.delete(member)
  }
  return {
    code: () => code,
    join: member => members.add(member),
    want: member => {
      if (code !== undefined) member.send({ type: LOADED })
      if (code !== undefined || isLoading) return
      isLoading = true
      load().then(
        loaded => {
          code = loaded
          tellAll({ type: LOADED })
        },
        (error: unknown) => {
          isLoading = false
          // An error that the loaded code throws itself is a mistake in this version.
          tellAll({ type: FAILED, fault: error instanceof LoadError ? error.fault : 'damaged' })
        },
      )
    },
  }
}

/** Code that is there from the start. */
export const loadedGroup = <Code extends object>(code: Code): CodeGroup<Code> => ({
  code: () => code,
  join: () => undefined,
  want: member => member.send({ type: LOADED }),
})
