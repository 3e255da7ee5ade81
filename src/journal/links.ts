import type { AnyActorRef } from 'xstate'
import { childAddress } from './address.ts'

/** Stands in a recorded context where a live one has a reference to an actor. */
export class ActorLink {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
  /** So that it is known in another window, whose classes are others. */
  get [Symbol.toStringTag](): 'ActorLink' {
    return 'ActorLink'
  }
}

/** Lists, maps and objects that have a link somewhere inside: in all others there is nothing to look for. */
export const linked = new WeakSet<object>()

/** Puts a reference where a link could not be resolved yet. */
type Place = { readonly put: (ref: AnyActorRef | undefined) => void; readonly address: string }

/**
 * A recorded context with references to the actors of another run. Links to others than the owner's own `children`,
 * who may not live yet, are left to `later`.
 */
export const relink = (
  context: unknown,
  owner: string,
  children: Readonly<Record<string, AnyActorRef>>,
  later: (place: Place) => void,
): unknown => {
  const own = new Map(Object.entries(children).map(([id, ref]) => [childAddress(owner, id), ref]))
  const place = (part: unknown, put: (part: unknown) => unknown): void => {
    if (!(part instanceof ActorLink)) put(live(part))
    else {
      put(own.get(part.address))
      if (!own.has(part.address)) later({ put, address: part.address })
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
