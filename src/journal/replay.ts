import {
  createActor,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  type Snapshot,
} from 'xstate'
import { actorAt, addressOf } from './address.ts'
import type { Checkpoint, SavedActor, SavedMachine } from './checkpoint.ts'
import { relink } from './links.ts'
import { CAUGHT_ERROR, type RecordedEntry } from './recording.ts'
import { countsAsWork } from './checkpoint-spacing.ts'

/** A system that replays a recording without effects, so it need not be stopped. */
export type Replay = {
  readonly root: AnyActorRef
  /** Delivers the next event of the recording. */
  readonly deliver: (entry: RecordedEntry) => void
  /** Work done until now (`checkpoint-spacing.ts`). */
  readonly work: () => number
}

/** Replaces every effect: does nothing, and ends when the recording has its end. */
const stub: AnyActorLogic = {
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
  getPersistedSnapshot: (snapshot: Snapshot<unknown>) => snapshot,
  transition: (snapshot: Snapshot<unknown>, event: AnyEventObject): Snapshot<unknown> => {
    switch (event.type) {
      case 'xstate.promise.resolve':
        return { status: 'done', output: event['data'], error: undefined }
      case 'xstate.promise.reject':
        return { status: 'error', output: undefined, error: event['data'] }
      case 'xstate.stop':
        return { status: 'stopped', output: undefined, error: undefined }
      default:
        return snapshot
    }
  },
}

/** A replay starts no timers: those that fired are entries of the recording. */
const stoppedClock = { setTimeout: () => 0, clearTimeout: () => undefined }

function isMachine(logic: unknown): logic is AnyStateMachine {
  return typeof logic === 'object' && logic !== null && 'implementations' in logic && 'provide' in logic
}

/** Changes the machines that a machine starts, and every other logic. */
function withActors(
  machine: AnyStateMachine,
  change: (machine: AnyStateMachine) => AnyStateMachine,
  otherwise: (logic: unknown) => unknown,
): AnyStateMachine {
  return machine.provide({
    actors: Object.fromEntries(
      Object.entries(machine.implementations.actors as Record<string, unknown>).map(([name, logic]) => [
        name,
        isMachine(logic) ? change(logic) : otherwise(logic),
      ]),
    ) as Record<string, AnyActorLogic>,
  })
}

/** The machine and its descendants without effects. */
export function withoutEffects(machine: AnyStateMachine): AnyStateMachine {
  return withActors(machine, withoutEffects, () => stub)
}

type Place = Parameters<Parameters<typeof relink>[3]>[0]

/** A saved actor in the form that `restoreSnapshot` receives. */
type Restored = Snapshot<unknown> & { readonly machine?: SavedMachine }

function restoredOf({ snapshot: { status, machine } }: SavedActor): Restored {
  return {
    status,
    output: undefined,
    error: undefined,
    ...(machine === undefined ? {} : { machine }),
  }
}

/** Overrides `restoreSnapshot` in all machines of the tree: it resolves links and uses all other data as it is. */
function withRestore(machine: AnyStateMachine, later: (place: Place) => void): AnyStateMachine {
  const copy = withActors(
    machine,
    child => withRestore(child, later),
    logic => logic,
  )
  const restoreBare = copy.restoreSnapshot.bind(copy)
  const logics = copy.implementations.actors as Readonly<Record<string, AnyActorLogic>>
  copy.restoreSnapshot = (saved, scope): AnyMachineSnapshot => {
    const { machine: state, ...rest } = saved as Restored
    if (state === undefined) throw new Error('A state machine was recorded as another kind of actor.')
    const bare = restoreBare(
      Object.assign({}, rest, {
        value: state.value,
        historyValue: state.historyValue,
        context: {},
        children: {},
      }),
      scope,
    )
    const children = restoreChildren(state.children, logics, scope)
    return {
      ...bare,
      context: relink(state.context, addressOf(scope.self as AnyActorRef), children, later),
      children,
    } as AnyMachineSnapshot
  }
  return copy
}

function restoreChildren(
  saved: readonly SavedActor[],
  logics: Readonly<Record<string, AnyActorLogic>>,
  { self }: AnyActorScope,
): Readonly<Record<string, AnyActorRef>> {
  const children: Record<string, AnyActorRef> = {}
  for (const child of saved) {
    const logic = Object.hasOwn(logics, child.src) ? logics[child.src] : undefined
    if (logic === undefined) throw new Error(`Unknown actor '${child.src}'.`)
    const actor = createActor(logic, {
      id: child.id,
      src: child.src,
      systemId: child.systemId,
      parent: self as AnyActorRef,
      snapshot: restoredOf(child),
    } as object) as AnyActorRef
    const { status, error } = actor.getSnapshot() as Snapshot<unknown>
    if (status === 'error' && child.snapshot.status !== 'error') throw error
    children[child.id] = actor
  }
  return children
}

export type ReplayOptions = {
  /** Called for an event that a screen sent; it is not delivered. */
  readonly ignored?: (event: AnyEventObject) => void
}

/**
 * The system at a checkpoint, without effects. `machine` is the root's (see `withoutEffects`). Throws when the checkpoint
 * does not fit it, as one of another version may not.
 */
export function startReplay(
  machine: AnyStateMachine,
  { root: saved }: Checkpoint,
  { ignored = () => undefined }: ReplayOptions = {},
): Replay {
  const sends = new WeakMap<object, (event: AnyEventObject) => void>()
  const places: Place[] = []
  let work = 0
  const root = createActor(
    withRestore(machine, place => places.push(place)),
    {
      id: saved.id,
      systemId: saved.systemId,
      clock: stoppedClock,
      snapshot: restoredOf(saved),
      inspect: (inspected: InspectionEvent) => {
        if (countsAsWork(inspected)) work++
        if (inspected.type !== '@xstate.actor') return
        const actor = inspected.actorRef as AnyActorRef
        sends.set(actor, actor.send)
        actor.send = ignored
      },
    } as object,
  ) as AnyActorRef & { start: () => void }
  const { error, status } = root.getSnapshot() as Snapshot<unknown>
  if (status === 'error') throw error instanceof Error ? error : new Error('The recording does not fit.')
  for (const { put, address } of places) put(actorAt(root, address))
  // Errors that a damaged recording causes stay in the replay.
  root.subscribe({ error: () => undefined })
  root.start()
  const actorsByAddress = new Map<string, AnyActorRef>()
  const receiverAt = (address: string): AnyActorRef | undefined => {
    const before = actorsByAddress.get(address)
    if (before !== undefined && (before.getSnapshot() as Snapshot<unknown>).status === 'active') return before
    const found = actorAt(root, address)
    if (found !== undefined) actorsByAddress.set(address, found)
    return found
  }
  // An event may contain an actor, such as the client whose log is opened.
  const relinkEvent = (event: AnyEventObject): AnyEventObject =>
    relink(event, '', {}, ({ put, address }) => put(actorAt(root, address))) as AnyEventObject
  return {
    root,
    work: () => work,
    deliver: ({ to, event }) => {
      const receiver = event.type === CAUGHT_ERROR ? undefined : receiverAt(to)
      if (receiver !== undefined) sends.get(receiver)?.(relinkEvent(event))
    },
  }
}
