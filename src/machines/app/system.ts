import { toObserver, type ActorRefFrom, type AnyActorRef, type Observer, type Subscription } from 'xstate'
import {
  lateActorNames,
  partOf,
  sharedActorNames,
  snapshotBefore,
  type LateActors,
  type LateCommand,
  type SharedActors,
} from './app.actors.ts'
import type { AppRef } from './app.machine.ts'

/** Every actor that a screen may read or send to. Before the code of a late one was loaded, what stands in for it. */
export type System = { readonly app: AppRef } & {
  readonly [Name in keyof SharedActors]: ActorRefFrom<SharedActors[Name]>
} & {
  readonly [Name in keyof LateActors]: ActorRefFrom<LateActors[Name]>
}

/**
 * Stands in for an actor whose code is not loaded: what is sent to it has the code loaded and reaches the actor then. From
 * then on it passes on what the actor says.
 */
function standIn(app: AppRef, name: keyof LateActors) {
  const before = snapshotBefore(name, app.getSnapshot().context.input)
  const current = (): AnyActorRef | undefined => childOf(app, name)
  return {
    getSnapshot: (): unknown => current()?.getSnapshot() ?? before,
    send: (event: LateCommand['event']): void => {
      const actor = current()
      const part = partOf(name)
      if (actor !== undefined) actor.send(event)
      else if (part !== undefined) app.send({ type: 'app.want', part, first: { to: name, event } as LateCommand })
    },
    subscribe: (
      next: Observer<unknown> | ((value: unknown) => void),
      error?: (error: unknown) => void,
      complete?: () => void,
    ): Subscription => {
      const observer = toObserver(next, error, complete)
      let subscription: Subscription | undefined
      const waiting = app.subscribe(() => {
        const actor = current()
        if (actor === undefined) return
        waiting.unsubscribe()
        subscription = actor.subscribe(observer)
        observer.next?.(actor.getSnapshot())
      })
      return {
        unsubscribe: () => {
          waiting.unsubscribe()
          subscription?.unsubscribe()
        },
      }
    },
  }
}

function childOf(app: AppRef, name: string): AnyActorRef | undefined {
  return (app.getSnapshot().children as Readonly<Record<string, AnyActorRef | undefined>>)[name]
}

/**
 * The actors of a running, a replayed or a test's app. Each is looked up when it is read, since one that failed is
 * replaced by another.
 */
export function systemOf(app: AppRef): System {
  const system = { app }
  const define = (name: string, get: () => unknown): unknown =>
    Object.defineProperty(system, name, { configurable: true, enumerable: true, get })
  for (const name of sharedActorNames)
    define(name, () => {
      const ref = childOf(app, name)
      if (ref === undefined) throw new Error(`The app has no '${name}'.`)
      return ref
    })
  for (const name of lateActorNames) {
    let other: ReturnType<typeof standIn> | undefined
    define(name, () => childOf(app, name) ?? (other ??= standIn(app, name)))
  }
  return system as System
}
