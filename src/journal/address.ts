import type { AnyActorRef } from 'xstate'

const addresses = new WeakMap<AnyActorRef, string>()

/**
 * The path of an actor: the ids from below the root down to it, such as `fleet/client:atlas/link`; '' is the root.
 * Unlike XState's session ids it is the same in every run.
 */
export function addressOf(ref: AnyActorRef): string {
  const cached = addresses.get(ref)
  if (cached !== undefined) return cached
  const address = ref._parent === undefined ? '' : childAddress(addressOf(ref._parent), ref.id)
  addresses.set(ref, address)
  return address
}

export function childAddress(parent: string, id: string): string {
  const step = id.replaceAll('%', '%25').replaceAll('/', '%2F')
  return parent === '' ? step : `${parent}/${step}`
}

/** The children of a state machine's actor, by id; {} for any other actor. */
export function childrenOf(ref: AnyActorRef): Readonly<Record<string, AnyActorRef>> {
  const snapshot: unknown = ref.getSnapshot()
  return typeof snapshot === 'object' && snapshot !== null && 'children' in snapshot
    ? (snapshot.children as Record<string, AnyActorRef>)
    : {}
}

/** The current actor at an address. */
export function actorAt(root: AnyActorRef, address: string): AnyActorRef | undefined {
  if (address === '') return root
  return address.split('/').reduce<AnyActorRef | undefined>((parent, step) => {
    const children = parent === undefined ? {} : childrenOf(parent)
    const id = step.replaceAll('%2F', '/').replaceAll('%25', '%')
    return Object.hasOwn(children, id) ? children[id] : undefined
  }, root)
}

export function isActorRef(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value
}
