import type { AnyActorRef, InspectionEvent } from 'xstate'
import { createRecorder, type Recorder } from '../../src/journal/recorder.ts'
import { SECRET_NAMES } from '../../src/protocol/secret-names.ts'

export type ActorWatch = {
  readonly recorder: Recorder
  /** Ids of all actors that run, each with those of its parents before it. */
  readonly running: () => readonly string[]
  /** Actors that met an exception. */
  readonly broken: () => readonly string[]
}

const pathOf = (ref: AnyActorRef): string => (ref._parent === undefined ? '' : `${pathOf(ref._parent)}/${ref.id}`)
const statusOf = (ref: AnyActorRef): string => (ref.getSnapshot() as { readonly status: string }).status

/** Records as a page does, and knows every actor that ever was. */
export const watchActors = (): ActorWatch => {
  const refs = new Set<AnyActorRef>()
  const stopped = (ref: AnyActorRef): boolean =>
    statusOf(ref) !== 'active' || (ref as unknown as { readonly _processingStatus: number })._processingStatus === 2
  const recorder = createRecorder({
    now: Date.now,
    timers: {
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: timer => {
        clearTimeout(timer as NodeJS.Timeout)
      },
    },
    whenIdle: run => void setTimeout(run, 0),
    secretNames: SECRET_NAMES,
    maxEvents: 100_000,
    maxBytes: 100_000_000,
  })
  const inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.actor' && 'send' in event.actorRef) refs.add(event.actorRef as AnyActorRef)
    recorder.inspect(event)
  }
  return {
    recorder: { ...recorder, inspect },
    running: () =>
      [...refs]
        .filter(ref => !stopped(ref))
        .map(pathOf)
        .sort(),
    broken: () => [...refs].filter(ref => statusOf(ref) === 'error').map(pathOf),
  }
}
