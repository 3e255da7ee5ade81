import type { ActorRefLike, AnyActorRef, AnyEventObject, AnyTransitionDefinition, InspectionEvent } from 'xstate'
import { actorAt, addressOf } from '../../../journal/address.ts'
import { refreshMask } from '../../../journal/checkpoint.ts'
import { createMask, type Mask } from '../../../journal/mask.ts'
import { SECRET_NAMES } from '../../../folding/shared/secrets.ts'
import { transitionId } from '../chart/chart-model.ts'
import { actorTree, type ActorNode } from './actor-tree.ts'
import { MAX_EVENTS, type ReceivedEvent } from './received-events.ts'

export type WatchSnapshot = { readonly tree: ActorNode; readonly received: readonly ReceivedEvent[] }

/** Observes a system through XState's inspection while it has subscribers. */
export type Watch = {
  readonly subscribe: (onChange: () => void) => () => void
  /** A new object at most every `UPDATE_INTERVAL`, and only after changes. */
  readonly snapshot: () => WatchSnapshot
  readonly actorAt: (address: string) => AnyActorRef | undefined
  /** Ids of the transitions that an actor took at the last event that caused any. */
  readonly lastTransitions: (address: string) => ReadonlySet<string>
  /** Sends to the current actor at the address, if any. */
  readonly send: (address: string, event: AnyEventObject) => void
  readonly mask: Mask
}

export type WatchDeps = {
  readonly root: AnyActorRef
  readonly now: () => number
  /** Like `setTimeout`; returns a function that cancels it. */
  readonly later: (run: () => void, ms: number) => () => void
}

/** Milliseconds. Values that change faster cannot be read. */
export const UPDATE_INTERVAL = 200

const HIDDEN = '••••••••'
const NONE: ReadonlySet<string> = new Set()

export function createWatch({ root, now, later }: WatchDeps): Watch {
  const mask = createMask(SECRET_NAMES, () => HIDDEN)
  const listeners = new Set<() => void>()
  const transitionsByActor = new WeakMap<object, ReadonlySet<string>>()
  let received: ReceivedEvent[] = []
  let number = 0
  let snapshot: WatchSnapshot = { tree: actorTree(root), received }
  let cancel: (() => void) | undefined
  let detach: (() => void) | undefined
  // Collects the secrets that already exist, so that texts that contain them are masked.
  refreshMask(root, mask)

  const show = (): void => {
    cancel = undefined
    refreshMask(root, mask)
    snapshot = { tree: actorTree(root), received: received.slice() }
    for (const listener of listeners) listener()
  }
  const record = (from: ActorRefLike | undefined, to: ActorRefLike, event: ReceivedEvent['event']): void => {
    if (event.type === 'xstate.init') return
    const masked = mask.apply(event).value as ReceivedEvent['event']
    received.push({
      number: ++number,
      at: now(),
      from: from === undefined ? undefined : addressOf(from as AnyActorRef),
      to: addressOf(to as AnyActorRef),
      event: masked,
    })
    if (received.length > MAX_EVENTS * 1.25) received = received.slice(-MAX_EVENTS)
  }
  const setTaken = (ref: ActorRefLike, transitions: readonly AnyTransitionDefinition[]): void => {
    if (transitions.length > 0) transitionsByActor.set(ref, new Set(transitions.map(transitionId)))
  }
  const attach = (): (() => void) => {
    refreshMask(root, mask)
    const subscription = root.system.inspect((inspected: InspectionEvent) => {
      if (inspected.type === '@xstate.event') record(inspected.sourceRef, inspected.actorRef, inspected.event)
      if (inspected.type === '@xstate.microstep') setTaken(inspected.actorRef, inspected._transitions)
      cancel ??= later(show, UPDATE_INTERVAL)
    })
    return () => {
      subscription.unsubscribe()
      cancel?.()
      cancel = undefined
      // Without subscribers no secrets are kept in memory.
      mask.forgetUnseenDuring(() => undefined)
    }
  }
  return {
    subscribe: listener => {
      listeners.add(listener)
      detach ??= attach()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        detach?.()
        detach = undefined
      }
    },
    snapshot: () => snapshot,
    actorAt: address => actorAt(root, address),
    lastTransitions: address => {
      const ref = actorAt(root, address)
      return (ref === undefined ? undefined : transitionsByActor.get(ref)) ?? NONE
    },
    // Cloned, since an event from the inspector's window has that window's prototypes, which the recorder does not accept.
    send: (address, event) => actorAt(root, address)?.send(structuredClone(event)),
    mask,
  }
}
