import type { AnyActorRef, AnyEventObject, InspectionEvent } from 'xstate'
import { childrenOf } from '../journal/address.ts'
import { refreshMask } from '../journal/checkpoint.ts'
import { createMask, type Mask } from '../journal/mask.ts'
import { SECRET_NAMES } from '../protocol/secret-names.ts'

/** The part of an actor that XState inspectors use: a copy, without secrets, that receives no events. */
export type InspectedActor = {
  readonly sessionId: string
  readonly id: string
  readonly _parent: InspectedActor | undefined
  /** The definition of a state machine; undefined for any other actor. */
  readonly logic: { readonly config: unknown } | undefined
  readonly getSnapshot: () => unknown
}

type About = { readonly rootId: string; readonly actorRef: InspectedActor }

/** The XState inspection events that all inspectors handle. */
export type ForwardedEvent =
  | (About & { readonly type: '@xstate.actor' })
  | (About & {
      readonly type: '@xstate.event'
      readonly sourceRef: InspectedActor | undefined
      readonly event: AnyEventObject
    })
  | (About & { readonly type: '@xstate.snapshot'; readonly event: AnyEventObject; readonly snapshot: unknown })

export type InspectionObserver = ((event: ForwardedEvent) => void) | { readonly next?: (event: ForwardedEvent) => void }

/** Events between two refreshes of the mask, which forget secrets that no machine holds any more. */
const REFRESH_EVERY = 200

const HIDDEN = '••••••••'

/**
 * Forwards the existing actors and all inspection events, without secrets, to an observer such as
 * `createBrowserInspector().inspect` of `@statelyai/inspect`.
 */
export function forwardInspection(
  root: AnyActorRef,
  observer: InspectionObserver,
): { readonly unsubscribe: () => void } {
  const mask = createMask(SECRET_NAMES, () => HIDDEN)
  const copies = new WeakMap<AnyActorRef, InspectedActor>()
  const forward = (event: ForwardedEvent): void =>
    typeof observer === 'function' ? observer(event) : observer.next?.(event)
  const masked = (event: AnyEventObject): AnyEventObject => mask.apply(event).value as AnyEventObject
  const copyOf = (ref: AnyActorRef): InspectedActor => {
    const cached = copies.get(ref)
    if (cached !== undefined) return cached
    const copy: InspectedActor = {
      sessionId: ref.sessionId,
      id: ref.id,
      _parent: ref._parent === undefined ? undefined : copyOf(ref._parent),
      logic: definitionOf(ref),
      getSnapshot: () => snapshotWithout(mask, ref.getSnapshot()),
    }
    copies.set(ref, copy)
    return copy
  }
  const introduce = (ref: AnyActorRef): void => {
    forward({ type: '@xstate.actor', rootId: root.sessionId, actorRef: copyOf(ref) })
    for (const child of Object.values(childrenOf(ref))) introduce(child)
  }
  introduce(root)
  let events = 0
  return root.system.inspect((inspected: InspectionEvent) => {
    if (++events % REFRESH_EVERY === 0) refreshMask(root, mask)
    const about: About = { rootId: root.sessionId, actorRef: copyOf(inspected.actorRef as AnyActorRef) }
    switch (inspected.type) {
      case '@xstate.actor':
        forward({ ...about, type: inspected.type })
        return
      case '@xstate.event':
        forward({
          ...about,
          type: inspected.type,
          sourceRef: inspected.sourceRef === undefined ? undefined : copyOf(inspected.sourceRef as AnyActorRef),
          event: masked(inspected.event),
        })
        return
      case '@xstate.snapshot':
        forward({
          ...about,
          type: inspected.type,
          event: masked(inspected.event),
          snapshot: snapshotWithout(mask, inspected.snapshot),
        })
        return
      default:
      // Inspectors throw at unknown events.
    }
  })
}

/** Without the initial context, which may hold secrets. */
function definitionOf(ref: AnyActorRef): InspectedActor['logic'] {
  const logic: unknown = 'logic' in ref ? ref.logic : undefined
  if (typeof logic !== 'object' || logic === null || !('config' in logic)) return undefined
  const { config } = logic
  return typeof config === 'object' && config !== null ? { config: { ...config, context: undefined } } : undefined
}

/** A snapshot without secrets; only the status of actors that are no state machines. */
function snapshotWithout(mask: Mask, snapshot: unknown): unknown {
  if (typeof snapshot !== 'object' || snapshot === null) return { status: 'active' }
  const status = 'status' in snapshot ? snapshot.status : 'active'
  if (!('context' in snapshot) || !('value' in snapshot)) return { status }
  const tags = 'tags' in snapshot && snapshot.tags instanceof Set ? [...(snapshot.tags as ReadonlySet<string>)] : []
  return { status, value: snapshot.value, context: mask.applyShared(snapshot.context).value, tags }
}
