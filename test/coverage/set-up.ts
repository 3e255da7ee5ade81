/* Runs before each test file while coverage is measured: every system of actors is inspected from its start. */
import { afterAll, expect, vi } from 'vitest'
import type * as Xstate from 'xstate'
import type { ActorOptions, AnyActorLogic, InspectionEvent, Observer } from 'xstate'
import { writeNotes } from './notes.ts'
import { recordInspection, takeReached } from './recorder.ts'

type Inspector = Observer<InspectionEvent> | ((event: InspectionEvent) => void)

function alsoRecording(inspect: Inspector | undefined) {
  return (event: InspectionEvent): void => {
    recordInspection(event)
    if (typeof inspect === 'function') inspect(event)
    else inspect?.next?.(event)
  }
}

// Actors of a system are all below one that `createActor` made; a walk through a graph uses the system of an empty one.
vi.mock('xstate', async importOriginal => {
  const xstate = await importOriginal<typeof Xstate>()
  return {
    ...xstate,
    createActor: (logic: AnyActorLogic, options: ActorOptions<AnyActorLogic> = {}) =>
      xstate.createActor(logic, { ...options, inspect: alsoRecording(options.inspect) }),
    createEmptyActor: () => {
      const actor = xstate.createEmptyActor()
      actor.system.inspect(recordInspection)
      return actor
    },
  }
})

/** Only these count: what a machine does in tests of something else, nobody looks at. */
const COUNTED = /\/(?:src\/machines\/.+|programs\/server\/machines\/.+|test\/unit\/(?:containment|tabs))\.test\.ts$/

afterAll(() => {
  const reached = takeReached()
  if (COUNTED.test(expect.getState().testPath ?? '')) writeNotes(reached)
})
