import type { ActorRefLike, AnyActorRef, AnyEventObject, AnyTransitionDefinition, InspectionEvent } from 'xstate'
import { actorAt, addressOf } from '../../../journal/address.ts'
import { refreshMask } from '../../../journal/checkpoint.ts'
import { createMask, type Mask } from '../../../journal/mask.ts'
import { SECRET_NAMES } from '../../../folding/shared/secrets.ts'
import { transitionId } from '../chart/chart-model.ts'
import { actorTree, type ActorNode } from './actor-tree.ts'
import { KEPT, type Heard } from './stream.ts'

/** What there is to see at one moment. */
export type Moment = { readonly tree: ActorNode; readonly heard: readonly Heard[] }

/** Looks on while somebody listens: it attaches to the system's own inspection then, and to nothing otherwise. */
export type Watch = {
  readonly subscribe: (onChange: () => void) => () => void
  /** The same object until something has changed, and then no sooner than `PACE` after the one before. */
  readonly moment: () => Moment
  readonly actorAt: (address: string) => AnyActorRef | undefined
  /** Ids of the transitions that an actor took at the last event that moved it. */
  readonly taken: (address: string) => ReadonlySet<string>
  /** Tells whoever lives there now; nobody when nobody does. */
  readonly send: (address: string, event: AnyEventObject) => void
  readonly mask: Mask
}

export type WatchDeps = {
  readonly root: AnyActorRef
  readonly now: () => number
  /** Runs something after so many milliseconds; what it gives calls that off. */
  readonly later: (run: () => void, ms: number) => () => void
}

/** Milliseconds between two pictures: numbers that change faster cannot be read. */
export const PACE = 200

const HIDDEN = '••••••••'
const NONE: ReadonlySet<string> = new Set()

export const createWatch = ({ root, now, later }: WatchDeps): Watch => {
  const mask = createMask(SECRET_NAMES, () => HIDDEN)
  const listeners = new Set<() => void>()
  const taken = new WeakMap<object, ReadonlySet<string>>()
  let heard: Heard[] = []
  let number = 0
  let moment: Moment = { tree: actorTree(root), heard }
  let callOff: (() => void) | undefined
  let detach: (() => void) | undefined
  // Secrets that are already there, so that no text that quotes one shows it.
  refreshMask(root, mask)

  const show = (): void => {
    callOff = undefined
    refreshMask(root, mask)
    moment = { tree: actorTree(root), heard: heard.slice() }
    for (const listener of listeners) listener()
  }
  const hear = (from: ActorRefLike | undefined, to: ActorRefLike, event: Heard['event']): void => {
    if (event.type === 'xstate.init') return
    const masked = mask.apply(event).value as Heard['event']
    heard.push({
      number: ++number,
      at: now(),
      from: from === undefined ? undefined : addressOf(from as AnyActorRef),
      to: addressOf(to as AnyActorRef),
      event: masked,
    })
    if (heard.length > KEPT * 1.25) heard = heard.slice(-KEPT)
  }
  const noteTaken = (ref: ActorRefLike, transitions: readonly AnyTransitionDefinition[]): void => {
    if (transitions.length > 0) taken.set(ref, new Set(transitions.map(transitionId)))
  }
  const attach = (): (() => void) => {
    refreshMask(root, mask)
    const subscription = root.system.inspect((inspected: InspectionEvent) => {
      if (inspected.type === '@xstate.event') hear(inspected.sourceRef, inspected.actorRef, inspected.event)
      if (inspected.type === '@xstate.microstep') noteTaken(inspected.actorRef, inspected._transitions)
      callOff ??= later(show, PACE)
    })
    return () => {
      subscription.unsubscribe()
      callOff?.()
      callOff = undefined
      // Nobody looks: it need not keep any secret in memory.
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
    moment: () => moment,
    actorAt: address => actorAt(root, address),
    taken: address => {
      const ref = actorAt(root, address)
      return (ref === undefined ? undefined : taken.get(ref)) ?? NONE
    },
    // A copy: what comes from another window is of that window's kind, and a recording takes only what is of its own.
    send: (address, event) => actorAt(root, address)?.send(structuredClone(event)),
    mask,
  }
}
