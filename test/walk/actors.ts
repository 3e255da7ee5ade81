import type { AnyActorRef, InspectionEvent } from 'xstate'
import { createRecorder, type Recorder } from '../../src/journal/recorder.ts'
import { SECRET_NAMES } from '../../src/protocol/secret-names.ts'

export type ActorWatch = {
  readonly recorder: Recorder
  /** Paths of all running actors: the ids of its parents and its own. */
  readonly running: () => readonly string[]
  /** Paths of actors that threw. */
  readonly broken: () => readonly string[]
}

const pathOf = (ref: AnyActorRef): string => (ref._parent === undefined ? '' : `${pathOf(ref._parent)}/${ref.id}`)
const statusOf = (ref: AnyActorRef): string => (ref.getSnapshot() as { readonly status: string }).status

/** A recorder like that of a page, which also collects every actor. */
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
