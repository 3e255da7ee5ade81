import { isMachineSnapshot, type AnyActorRef, type AnyMachineSnapshot } from 'xstate'
import { isSameList } from '../protocol/equal.ts'
import { childrenOf } from './address.ts'
import type { Mask } from './mask.ts'

/** The state of an actor, without secrets. Immutable: consecutive checkpoints share unchanged parts. */
export type SavedActor = {
  /** The name of its logic in its parent's `actors`. */
  readonly src: string
  readonly id: string
  readonly systemId: string | undefined
  readonly snapshot: SavedSnapshot
}

/** Actors other than state machines have a status only: their effects come from the recording. */
export type SavedSnapshot = {
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  readonly machine?: SavedMachine
}

export type SavedMachine = {
  readonly value: unknown
  readonly context: unknown
  readonly historyValue: unknown
  readonly children: readonly SavedActor[]
}

/** The state of all actors between two events. */
export type Checkpoint = {
  /** The number of the next event. */
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly root: SavedActor
}

type Saving = {
  readonly saved: SavedActor
  /** Estimated bytes of the parts that are new. */
  readonly size: number
  readonly actors: number
}

const ACTOR_BYTES = 250
const alreadySaved = new WeakMap<Mask, WeakMap<object, SavedActor>>()

/**
 * Saves an actor and its descendants. Unchanged actors give the same object as before. The mask forgets secrets that
 * none of them holds any more.
 */
export function saveActor(ref: AnyActorRef, mask: Mask): Saving {
  const before = alreadySaved.get(mask) ?? new WeakMap<object, SavedActor>()
  alreadySaved.set(mask, before)
  let size = 0
  let actors = 0
  const save = (actor: AnyActorRef): SavedActor => {
    actors++
    const snapshot = actor.getSnapshot() as object
    const children = Object.values(childrenOf(actor)).map(save)
    const previous = before.get(snapshot)
    if (previous !== undefined && isSameList(previous.snapshot.machine?.children ?? [], children)) {
      if (isMachineSnapshot(snapshot)) mask.applyShared(snapshot.context)
      return previous
    }
    const saved: SavedActor = {
      src: typeof actor.src === 'string' ? actor.src : '',
      id: actor.id,
      systemId: systemIdOf(actor),
      snapshot: isMachineSnapshot(snapshot)
        ? { status: snapshot.status, machine: saveMachine(snapshot, children) }
        : { status: statusOf(snapshot) },
    }
    size += ACTOR_BYTES
    before.set(snapshot, saved)
    return saved
  }
  const saveMachine = (
    { value, context, historyValue }: AnyMachineSnapshot,
    children: readonly SavedActor[],
  ): SavedMachine => {
    const masked = mask.applyShared(context)
    size += masked.size
    return { value, context: masked.value, historyValue: namesOfHistory(historyValue), children }
  }
  return mask.forgetUnseenDuring(() => ({ saved: save(ref), size, actors }))
}

/** Makes the mask forget secrets that no machine holds any more. */
export function refreshMask(root: AnyActorRef, mask: Mask): void {
  const visit = (ref: AnyActorRef): void => {
    const snapshot: unknown = ref.getSnapshot()
    if (typeof snapshot === 'object' && snapshot !== null && 'context' in snapshot) mask.applyShared(snapshot.context)
    for (const child of Object.values(childrenOf(ref))) visit(child)
  }
  mask.forgetUnseenDuring(() => visit(root))
}

function statusOf(snapshot: unknown): SavedSnapshot['status'] {
  const status = typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot ? snapshot.status : 'active'
  return status === 'done' || status === 'error' || status === 'stopped' ? status : 'active'
}

function systemIdOf(ref: AnyActorRef): string | undefined {
  return 'systemId' in ref && typeof ref.systemId === 'string' ? ref.systemId : undefined
}

/** State nodes as ids, which are the same in every instance of the machine. */
function namesOfHistory(
  history: AnyMachineSnapshot['historyValue'],
): Readonly<Record<string, readonly { readonly id: string }[]>> {
  return Object.fromEntries(Object.entries(history).map(([key, nodes]) => [key, nodes.map(({ id }) => ({ id }))]))
}
