/* In place of `xstate` in all programs: what runs them sees their actors, when it gives them `inspectActors`. */
import * as xstate from 'xstate'
import type { ActorOptions, AnyActorLogic, InspectionEvent } from 'xstate'

export * from 'xstate'

declare const inspectActors: ((event: InspectionEvent) => void) | undefined

export function createActor(logic: AnyActorLogic, options: ActorOptions<AnyActorLogic> = {}) {
  const [outside, { inspect }] = [inspectActors, options]
  if (outside === undefined) return xstate.createActor(logic, options)
  return xstate.createActor(logic, {
    ...options,
    inspect: event => {
      outside(event)
      if (typeof inspect === 'function') inspect(event)
      else inspect?.next?.(event)
    },
  })
}
