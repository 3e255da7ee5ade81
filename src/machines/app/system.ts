import type { ActorRefFrom } from 'xstate'
import { lateActorNames, sharedActorNames, type LateActors, type SharedActors } from './app/app.actors.ts'
import type { AppRef } from './app/app.machine.ts'

/** Every actor that a screen may read or send to. */
export type System = { readonly app: AppRef } & {
  readonly [Name in keyof SharedActors]: ActorRefFrom<SharedActors[Name]>
} & {
  /** Reading one throws before its code was loaded. */
  readonly [Name in keyof LateActors]: ActorRefFrom<LateActors[Name]>
}

/**
 * The actors of a running, a replayed or a test's app. Each is looked up when it is read, since one that failed is
 * replaced by another. Reading one that is not there throws.
 */
export function systemOf(app: AppRef): System {
  const system = { app }
  for (const name of [...sharedActorNames, ...lateActorNames])
    Object.defineProperty(system, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const ref = app.getSnapshot().children[name as keyof SharedActors]
        if (ref === undefined) throw new Error(`The app has no '${name}'.`)
        return ref
      },
    })
  return system as System
}
