import type { AnyActorLogic, EventFromLogic, Snapshot, SnapshotFrom } from 'xstate'
import type { LoadFault } from '../../folding/shared/load-fault.ts'

/*
 * Actors whose code is loaded when they are first needed. A group is loaded and started as a whole. Until then the app keeps
 * the events for its actors (`app.deferred.ts`), and screens read a snapshot of the table's (`system.ts`).
 */

/** What is loaded together. `clientSettings` has no actor of the app: client machines start it. */
export type DeferredGroup = 'account' | 'clientSettings' | 'connections' | 'history' | 'log' | 'series' | 'viewer'

/** `waiting`: not needed yet. A fault: the last attempt to load it failed; the next one is made when it is needed again. */
export type GroupState = 'waiting' | 'loading' | 'started' | LoadFault

/** What screens of the first chunk read of an actor that was not started yet. */
export type BeforeStart<Logic extends AnyActorLogic> = {
  readonly context: SnapshotFrom<Logic> extends { readonly context: infer Context } ? Partial<Context> : never
  /** Tags while its group is loaded for a stored session. */
  readonly tagsWhileRestoring?: readonly string[]
}

export type DeferredActor<Logic extends AnyActorLogic> = {
  readonly group: DeferredGroup
  readonly before: BeforeStart<Logic>
  /**
   * Types of events that an actor has to receive although no screen sent them: `wakes` has it loaded for them, `keeps` keeps
   * them until it is. The app drops all others, which mean nothing to an actor that just starts.
   */
  readonly wakes: readonly EventFromLogic<Logic>['type'][]
  readonly keeps: readonly EventFromLogic<Logic>['type'][]
}

type NotStarted = Snapshot<unknown> & {
  readonly context: object
  readonly children: object
  readonly value: 'notStarted'
  readonly matches: () => false
  readonly hasTag: (tag: string) => boolean
  /** An event that is sent is kept until the actor starts. */
  readonly can: () => true
}

/** The snapshot of an actor that was not started yet. */
export const notStarted = (context: object, tags: readonly string[] = []): NotStarted => ({
  status: 'active',
  output: undefined,
  error: undefined,
  context,
  children: {},
  value: 'notStarted',
  matches: () => false,
  hasTag: tag => tags.includes(tag),
  can: () => true,
})
