import type { AnyActor, AnyActorRef, AnyEventObject } from 'xstate'

/** What a system of XState has to schedule events. Not part of its types. */
type Scheduler = {
  schedule: (source: AnyActorRef, target: AnyActorRef, event: AnyEventObject, delay: number, id?: string) => void
  cancel: (source: AnyActorRef, id: string) => void
  cancelAll: (actor: AnyActorRef) => void
}

function isScheduler(value: unknown): value is Scheduler {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['schedule', 'cancel', 'cancelAll'].every(name => typeof Reflect.get(value, name) === 'function')
  )
}

/**
 * Keeps the ids of delayed events by actor. XState looks through those of the whole system whenever an actor stops, which
 * takes minutes for the actors of some thousand clients. Returns whether the system has such a scheduler; else nothing is
 * changed.
 */
export function indexTimers(actor: AnyActor): boolean {
  const scheduler: unknown = Reflect.get(actor.system, 'scheduler')
  if (!isScheduler(scheduler)) return false
  const { schedule, cancel } = scheduler
  // An event that was sent keeps its id here until its actor stops: ids are few, since those of `after` and of machines repeat.
  const ids = new WeakMap<AnyActorRef, Set<string>>()
  let count = 0
  scheduler.schedule = (source, target, event, delay, id = `timer ${count++}`) => {
    const timerIds = ids.get(source) ?? new Set()
    ids.set(source, timerIds.add(id))
    schedule(source, target, event, delay, id)
  }
  scheduler.cancel = (source, id) => {
    ids.get(source)?.delete(id)
    cancel(source, id)
  }
  scheduler.cancelAll = source => {
    for (const id of ids.get(source) ?? []) cancel(source, id)
    ids.delete(source)
  }
  return true
}

/**
 * Stops all children of a statechart. XState copies the list of those that are left for each one, which takes seconds for the
 * clients of a large fleet. The statechart itself is to be stopped next.
 */
export function stopChildren(actor: AnyActor): void {
  const { children } = actor.getSnapshot() as { readonly children: Record<string, AnyActorRef> }
  for (const [id, child] of Object.entries(children)) {
    const stop: unknown = Reflect.get(child, '_stop')
    if (typeof stop !== 'function') return
    Reflect.apply(stop, child, [])
    Reflect.deleteProperty(children, id)
  }
}
