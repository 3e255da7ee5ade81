import type { AnyActorRef } from 'xstate'
import { childAddress } from './address.ts'

/** Stands in a recorded context where a live one has a reference to an actor. */
export class ActorLink {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
}

/** Lists and objects that have a link somewhere inside: in all others there is nothing to look for. */
export const linked = new WeakSet<object>()

type Place = { readonly holder: object; readonly key: string; readonly address: string }

/**
 * A recorded context with references to the actors of another run. Links to others than the owner's own `children`,
 * who may not live yet, are left to `later`.
 */
export const relink = (context: unknown, owner: string, children: Readonly<Record<string, AnyActorRef>>, later: (place: Place) => void): unknown => {
  const own = new Map(Object.entries(children).map(([id, ref]) => [childAddress(owner, id), ref]))
  const live = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !linked.has(value)) return value
    const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
    for (const [key, part] of Object.entries(copy) as [string, unknown][]) {
      if (!(part instanceof ActorLink)) Reflect.set(copy, key, live(part))
      else if (own.has(part.address)) Reflect.set(copy, key, own.get(part.address))
      else {
        Reflect.set(copy, key, undefined)
        later({ holder: copy, key, address: part.address })
      }
    }
    return copy
  }
  return live(context)
}
