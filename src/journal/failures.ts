import type { InspectionEvent } from 'xstate'

/**
 * Reports each actor that threw an error, once, after its parent has handled it. Rejected promises are not reported:
 * machines handle them as results.
 */
export function createErrorReporter(report: (error: unknown, actor: string) => void) {
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
