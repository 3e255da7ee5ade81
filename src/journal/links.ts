import type { AnyActorRef } from 'xstate'
import { childAddress } from './address.ts'

/** Replaces a reference to an actor in recorded values. */
export class ActorLink {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
  /** Identifies it in another window, where `instanceof` fails. */
  get [Symbol.toStringTag](): 'ActorLink' {
    return 'ActorLink'
  }
}

/** Lists, maps and objects that contain a link; all others are used unchanged. */
export const linked = new WeakSet<object>()

/** Whether a value is a link, or contains one. */
export function isLinked(value: unknown): boolean {
  return value instanceof ActorLink || (typeof value === 'object' && value !== null && linked.has(value))
}

/** An unresolved link: `put` sets the reference. */
type Place = { readonly put: (ref: AnyActorRef | undefined) => void; readonly address: string }

/**
 * A recorded context with references to the actors of another run. Links to actors other than the owner's `children` may
 * not exist yet, and are passed to `later`.
 */
export function relink(
  context: unknown,
  owner: string,
  children: Readonly<Record<string, AnyActorRef>>,
  later: (place: Place) => void,
): unknown {
  const childrenByAddress = new Map(Object.entries(children).map(([id, ref]) => [childAddress(owner, id), ref]))
  const place = (part: unknown, put: (part: unknown) => unknown): void => {
    if (!(part instanceof ActorLink)) put(live(part))
    else {
      put(childrenByAddress.get(part.address))
      if (!childrenByAddress.has(part.address)) later({ put, address: part.address })
    }
  }
  const live = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !linked.has(value)) return value
    if (value instanceof Map) {
      const copy = new Map<unknown, unknown>(value)
      for (const [key, part] of copy) place(part, ref => copy.set(key, ref))
      return copy
    }
    const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
    for (const [key, part] of Object.entries(copy) as [string, unknown][])
      place(part, ref => Reflect.set(copy, key, ref))
    return copy
  }
  return live(context)
}
