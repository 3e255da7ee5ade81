import type { InspectionEvent } from 'xstate'

/**
 * Tells of every actor that threw an error, once, after its parent has dealt with that. A promise that was rejected is
 * no such error: whoever invoked it says what follows.
 */
export const failureReports = (report: (error: unknown, actor: string) => void) => {
  const rejectedPromises = new WeakSet<object>()
  return {
    inspect: (inspected: InspectionEvent): void => {
      if (inspected.type !== '@xstate.event') return
      const { sourceRef, actorRef, event } = inspected
      if (event.type === 'xstate.promise.reject') rejectedPromises.add(actorRef)
      if (!event.type.startsWith('xstate.error.actor.') || sourceRef === undefined || rejectedPromises.has(sourceRef))
        return
      const { error } = event as { readonly error?: unknown }
      queueMicrotask(() => report(error, 'id' in sourceRef ? String(sourceRef.id) : ''))
    },
  }
}
