import { initialTransition, type ActorRefFrom, type AnyActorLogic, type AnyActorRef, type AnyEventObject } from 'xstate'
import { actorInput, deferredActors, sharedActorNames, type SharedActors } from './app/app.actors.ts'
import type { AppRef } from './app/app.machine.ts'
import { notStarted, type DeferredActor, type DeferredGroup, type GroupState } from './deferred.ts'

/** Every actor that a screen may read or send to. */
export type System = { readonly app: AppRef } & {
  readonly [Name in keyof SharedActors]: ActorRefFrom<SharedActors[Name]>
}

/**
 * The actors of a running, a replayed or a test's app. Each is looked up when it is read, since one that failed is
 * replaced by another. Reading one that is not there throws. A deferred actor has a reference of its own, which stays the
 * same when the actor starts.
 */
export const systemOf = (app: AppRef): System => {
  const system = { app }
  for (const name of sharedActorNames) {
    const about = deferredActors.get(name)
    const deferredRef = about === undefined ? undefined : referenceTo(app, name, about)
    Object.defineProperty(system, name, {
      enumerable: true,
      get: () => {
        if (deferredRef !== undefined) return deferredRef
        const ref = childOf(app, name)
        if (ref === undefined) throw new Error(`The app has no '${name}'.`)
        return ref
      },
    })
  }
  return system as System
}

const childOf = (app: AppRef, name: string): AnyActorRef | undefined =>
  (app.getSnapshot().children as Readonly<Record<string, AnyActorRef | undefined>>)[name]

type Observer = {
  readonly next?: ((snapshot: unknown) => void) | undefined
  readonly error?: ((error: unknown) => void) | undefined
}

/** The part of an actor's reference that screens and wiring use. */
const referenceTo = (app: AppRef, name: string, about: DeferredActor<AnyActorLogic>) => {
  const initial = initialSnapshots(app, name, about)
  return {
    getSnapshot: (): unknown => childOf(app, name)?.getSnapshot() ?? initial(),
    send: (event: AnyEventObject): void => {
      const child = childOf(app, name)
      if (child === undefined) app.send({ type: 'deferred.send', to: name, event })
      else child.send(event)
    },
    /** Events that the actor emits, from its start on. */
    on: (type: string, handler: (event: AnyEventObject) => void): { readonly unsubscribe: () => void } =>
      followChild(app, name, child => unsubscriberOf(child.on(type, handler))),
    /** Follows the actor from its start on, and the one that replaces it after an error. */
    subscribe: (observer: Observer | ((snapshot: unknown) => void)): { readonly unsubscribe: () => void } => {
      const { next, error }: Observer = typeof observer === 'function' ? { next: observer } : observer
      let isFirst = true
      const subscription = followChild(
        app,
        name,
        child =>
          unsubscriberOf(child.subscribe({ next: snapshot => next?.(snapshot), error: cause => error?.(cause) })),
        child => {
          if (!isFirst) next?.(child?.getSnapshot() ?? initial())
        },
      )
      isFirst = false
      return subscription
    },
  }
}

const unsubscriberOf = (subscription: { unsubscribe: () => void }) => (): void => subscription.unsubscribe()

/** Attaches a listener to an actor whenever the app starts it, also in place of another one. `changed` is called after it. */
const followChild = (
  app: AppRef,
  name: string,
  attach: (child: AnyActorRef) => () => void,
  changed: (child: AnyActorRef | undefined) => void = () => undefined,
): { readonly unsubscribe: () => void } => {
  let followed: AnyActorRef | undefined
  let detach: (() => void) | undefined
  const follow = (): void => {
    const child = childOf(app, name)
    if (child === followed) return
    detach?.()
    followed = child
    detach = child === undefined ? undefined : attach(child)
    changed(child)
  }
  follow()
  const changes = app.subscribe(follow)
  return {
    unsubscribe: () => {
      changes.unsubscribe()
      detach?.()
    },
  }
}

/** What is read of an actor before it starts. Where its logic is there, as in a replay, that is its true first snapshot. */
const initialSnapshots = (app: AppRef, name: string, { group, before }: DeferredActor<AnyActorLogic>) => {
  const waiting = notStarted(before.context)
  const restoring = notStarted(before.context, before.tagsWhileRestoring)
  let first: unknown
  return (): unknown => {
    const { input } = app.getSnapshot().context
    const logic = logicOf(app, name)
    if (logic !== undefined) return (first ??= initialTransition(logic, actorInput(name, input, undefined))[0])
    return input.hasSession === true && groupState(app.getSnapshot(), group) === 'loading' ? restoring : waiting
  }
}

/** The logic of an actor when it is a state machine, and not what stands for one that is not loaded. */
const logicOf = (app: AppRef, name: string): AnyActorLogic | undefined => {
  const { logic } = app as { readonly logic?: { readonly implementations?: { readonly actors: object } } }
  const found: unknown = Reflect.get(logic?.implementations?.actors ?? {}, name)
  return typeof found === 'object' && found !== null && 'implementations' in found
    ? (found as unknown as AnyActorLogic)
    : undefined
}

type WithGroups = {
  readonly context: { readonly deferred?: { readonly states: Readonly<Record<DeferredGroup, GroupState>> } }
}

const groupState = ({ context }: WithGroups, group: DeferredGroup): GroupState =>
  context.deferred?.states[group] ?? 'started'

/** Whether screens may read the actors of a group: the code is loaded. In a replay it always is. */
export const selectGroupState =
  (app: AppRef, group: DeferredGroup) =>
  (snapshot: WithGroups): GroupState => {
    const isLoaded = [...deferredActors].some(
      ([name, about]) => about.group === group && logicOf(app, name) !== undefined,
    )
    return isLoaded ? 'started' : groupState(snapshot, group)
  }
