import type { AnyActorRef, AnyEventObject } from 'xstate'

/**
 * Actors of the app that other machines read or send to, by their system ids. Each is declared beside its machine:
 * `declare module '../../shared/siblings.ts' { interface Siblings { readonly fleet: FleetRef } }`.
 */
export interface Siblings {}

export type SiblingSystem = {
  readonly get: <Name extends keyof Siblings>(name: Name) => Siblings[Name] | undefined
}

/** Undefined while it does not run. */
export function siblingOf<Name extends keyof Siblings>(system: SiblingSystem, name: Name): Siblings[Name] | undefined {
  return system.get(name)
}

/** An actor whose system id came with an event. Undefined when it has stopped. */
export function actorOf(
  system: { readonly get: (id: string) => AnyActorRef | undefined },
  id: string,
): AnyActorRef | undefined {
  return system.get(id)
}

type Effects = {
  readonly enqueue: { readonly sendTo: (target: AnyActorRef, event: AnyEventObject) => void }
  readonly system: SiblingSystem
}

/** Sends nothing while the actor does not run. */
export function sendToSibling<Name extends keyof Siblings>(
  { enqueue, system }: Effects,
  name: Name,
  event: Parameters<Siblings[Name]['send']>[0],
): void {
  const sibling: AnyActorRef | undefined = siblingOf(system, name)
  if (sibling !== undefined) enqueue.sendTo(sibling, event)
}
