import type { AnyActorRef, AnyEventObject, InspectionEvent } from 'xstate'
import { addressOf } from './address.ts'
import { saveActor, type Checkpoint } from './checkpoint.ts'
import { createMask, type Mask } from './mask.ts'
import { MISTAKE, type Entry, type Recording } from './recording.ts'
import { trackedTimers, type Timers } from './timers.ts'
import { countsAsWork, workAfter } from './checkpoint-spacing.ts'

export type RecorderDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly timers: Timers
  /** Runs something soon, when nothing else is being done. */
  readonly whenIdle: (run: () => void) => void
  /** Whatever sits under one of these names is never kept. */
  readonly secretNames: ReadonlySet<string>
  readonly maxEvents: number
  readonly maxBytes: number
  /** How far checkpoints lie apart. */
  readonly checkpointSpacing?: typeof workAfter
}

export type Recorder = {
  /** To be given to the root actor: `createActor(…, { inspect, clock })`. */
  readonly inspect: (event: InspectionEvent) => void
  readonly clock: ReturnType<typeof trackedTimers>['clock']
  /** The root has been started: from now on events are recorded. */
  readonly begin: (root: AnyActorRef) => void
  readonly noteMistake: (error: unknown, where: string) => void
  readonly takeCheckpoint: () => void
  /** Takes a checkpoint as soon as there is time: secrets that no machine holds any more are forgotten by it. */
  readonly forgetSecrets: () => void
  /** Everything until now is none of anybody's business any more, since somebody has signed out. */
  readonly forgetPast: () => void
  /** What was recorded until now. */
  readonly recording: () => Recording
  readonly mask: Mask
}

type Segment = { readonly checkpoint: Checkpoint; readonly entries: Entry[]; bytes: number }

const ENTRY_BYTES = 120
/** What lies between two checkpoints is forgotten at once; it is at most about so much of what is kept. */
const LARGEST_SHARE = 1 / 8

/**
 * Records every event that enters a system from outside: what a screen sends, what an effect reports or answers, and
 * timers. What machines tell one another follows from these and is not recorded. The oldest are forgotten, up to a
 * checkpoint, when there are too many.
 */
export const createRecorder = ({
  now,
  timers,
  whenIdle,
  secretNames,
  maxEvents,
  maxBytes,
  checkpointSpacing = workAfter,
}: RecorderDeps): Recorder => {
  const mask = createMask(secretNames)
  const { clock, takeFired } = trackedTimers(timers)
  const segments: Segment[] = []
  let root: AnyActorRef | undefined
  let seq = 0
  let isDue = false
  /** Since the last checkpoint, and how much there may be. */
  let [work, most] = [0, 0]

  const takeCheckpoint = (): void => {
    isDue = false
    work = 0
    if (root === undefined || segments.at(-1)?.checkpoint.seq === seq) return
    const { saved, size, actors } = saveActor(root, mask)
    most = checkpointSpacing(actors)
    segments.push({ checkpoint: { seq, at: now(), root: saved }, entries: [], bytes: size })
    while (segments.length > 1 && isTooMuch(segments)) segments.shift()
  }

  const isTooMuch = (kept: readonly Segment[]): boolean =>
    kept.reduce((sum, { entries }) => sum + entries.length, 0) > maxEvents ||
    kept.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes

  const record = (to: string, event: AnyEventObject): void => {
    const segment = segments.at(-1)
    if (segment === undefined) return
    const { value, size } = mask.apply(event)
    segment.entries.push({ seq: seq++, at: now(), to, event: value as AnyEventObject })
    segment.bytes += size + ENTRY_BYTES
    if (
      work >= most ||
      segment.entries.length >= maxEvents * LARGEST_SHARE ||
      segment.bytes >= maxBytes * LARGEST_SHARE
    )
      demandCheckpoint()
  }

  const demandCheckpoint = (): void => {
    if (isDue) return
    isDue = true
    whenIdle(takeCheckpoint)
  }

  const isFromOutside = (source: unknown, target: unknown, { type }: AnyEventObject): boolean => {
    if (source === undefined) return type !== 'xstate.init'
    return isMachine(source) ? takeFired() : source === target || !type.startsWith('xstate.')
  }

  return {
    mask,
    takeCheckpoint,
    forgetSecrets: demandCheckpoint,
    // When the machines have done all that follows from it.
    forgetPast: () =>
      whenIdle(() => {
        takeCheckpoint()
        segments.splice(0, segments.length - 1)
      }),
    inspect: inspected => {
      if (countsAsWork(inspected)) work++
      if (inspected.type !== '@xstate.event' || segments.length === 0) return
      const { sourceRef, actorRef, event } = inspected
      if (isFromOutside(sourceRef, actorRef, event)) record(addressOf(actorRef as AnyActorRef), event)
    },
    clock,
    begin: started => {
      root = started
      takeCheckpoint()
    },
    noteMistake: (error, where) =>
      record('', {
        type: MISTAKE,
        error: error instanceof Error ? error.name : typeof error,
        message: mask.clean(String(error)),
        where,
      }),
    recording: () => ({
      checkpoints: segments.map(({ checkpoint }) => checkpoint),
      entries: segments.flatMap(({ entries }) => entries),
    }),
  }
}

const isMachine = (source: unknown): boolean => {
  const snapshot: unknown = (source as AnyActorRef).getSnapshot()
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot
}
