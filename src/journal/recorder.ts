import { isMachineSnapshot, type AnyActorRef, type AnyEventObject, type InspectionEvent } from 'xstate'
import { addressOf } from './address.ts'
import { saveActor, type Checkpoint } from './checkpoint.ts'
import { createMask, type Mask } from './mask.ts'
import { createPackedEntries, type PackedEntries } from './packed-entries.ts'
import { CAUGHT_ERROR, type Recording } from './recording.ts'
import { trackedTimers, type Timers } from './timers.ts'
import { countsAsWork, workBetweenCheckpoints } from './checkpoint-spacing.ts'

export type RecorderDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly timers: Timers
  /** Runs a function when the page is idle. */
  readonly whenIdle: (run: () => void) => void
  /** Values of fields with these names are never recorded. */
  readonly secretNames: ReadonlySet<string>
  readonly maxEvents: number
  readonly maxBytes: number
  /** How much work lies between two checkpoints. */
  readonly checkpointSpacing?: typeof workBetweenCheckpoints
}

export type Recorder = {
  /** Options for the root actor: `createActor(…, { inspect, clock })`. */
  readonly inspect: (event: InspectionEvent) => void
  readonly clock: ReturnType<typeof trackedTimers>['clock']
  /** Starts recording, after the root actor has started. */
  readonly begin: (root: AnyActorRef) => void
  readonly recordError: (error: unknown, where: string) => void
  readonly takeCheckpoint: () => void
  /** Schedules a checkpoint, which forgets secrets that no machine holds any more. */
  readonly forgetSecrets: () => void
  /** Deletes everything recorded until now, for a sign-out. */
  readonly forgetPast: () => void
  /** The recording until now. */
  readonly recording: () => Recording
  readonly mask: Mask
}

type Segment = { readonly checkpoint: Checkpoint; readonly checkpointBytes: number; readonly entries: PackedEntries }

const ENTRY_BYTES = 120
/** The largest part of the limits that one segment may take. Old segments are deleted as a whole. */
const MAX_SEGMENT_SHARE = 1 / 8

/**
 * Records external events: those sent by screens, reported by effects, results of promises, and timers. Events between
 * machines follow from these and are not recorded. Beyond the limits, the oldest events are deleted up to a checkpoint.
 */
export function createRecorder({
  now,
  timers,
  whenIdle,
  secretNames,
  maxEvents,
  maxBytes,
  checkpointSpacing = workBetweenCheckpoints,
}: RecorderDeps): Recorder {
  const mask = createMask(secretNames)
  const { clock, takeFired } = trackedTimers(timers)
  const segments: Segment[] = []
  let root: AnyActorRef | undefined
  let seq = 0
  let isDue = false
  /** Work since the last checkpoint, and its limit. */
  let [work, maxWork] = [0, 0]

  const takeCheckpoint = (): void => {
    isDue = false
    work = 0
    if (root === undefined || segments.at(-1)?.checkpoint.seq === seq) return
    const { saved, size, actors } = saveActor(root, mask)
    maxWork = checkpointSpacing(actors)
    const previous = segments.at(-1)?.entries
    if (previous !== undefined) whenIdle(previous.pack)
    segments.push({
      checkpoint: { seq, at: now(), root: saved },
      checkpointBytes: size,
      entries: createPackedEntries(whenIdle),
    })
    while (segments.length > 1 && exceedsLimits(segments)) segments.shift()
  }

  const exceedsLimits = (stored: readonly Segment[]): boolean =>
    stored.reduce((sum, { entries }) => sum + entries.count(), 0) > maxEvents ||
    stored.reduce((sum, segment) => sum + bytesOf(segment), 0) > maxBytes

  const record = (to: string, event: AnyEventObject): void => {
    const segment = segments.at(-1)
    if (segment === undefined) return
    const { value, size } = mask.apply(event)
    segment.entries.add({ seq: seq++, at: now(), to, event: value as AnyEventObject }, size + ENTRY_BYTES)
    if (
      work >= maxWork ||
      segment.entries.count() >= maxEvents * MAX_SEGMENT_SHARE ||
      bytesOf(segment) >= maxBytes * MAX_SEGMENT_SHARE
    )
      scheduleCheckpoint()
  }

  const scheduleCheckpoint = (): void => {
    if (isDue) return
    isDue = true
    whenIdle(takeCheckpoint)
  }

  const isExternal = (source: unknown, target: unknown, { type }: AnyEventObject): boolean => {
    if (source === undefined) return type !== 'xstate.init'
    return isMachineSnapshot((source as AnyActorRef).getSnapshot())
      ? takeFired()
      : source === target || !type.startsWith('xstate.')
  }

  return {
    mask,
    takeCheckpoint,
    forgetSecrets: scheduleCheckpoint,
    // After the machines have processed the sign-out.
    forgetPast: () =>
      whenIdle(() => {
        takeCheckpoint()
        segments.splice(0, segments.length - 1)
      }),
    inspect: inspected => {
      if (countsAsWork(inspected)) work++
      if (inspected.type !== '@xstate.event' || segments.length === 0) return
      const { sourceRef, actorRef, event } = inspected
      if (isExternal(sourceRef, actorRef, event)) record(addressOf(actorRef as AnyActorRef), event)
    },
    clock,
    begin: started => {
      root = started
      takeCheckpoint()
    },
    recordError: (error, where) =>
      record('', {
        type: CAUGHT_ERROR,
        error: error instanceof Error ? error.name : typeof error,
        message: mask.clean(String(error)),
        where,
      }),
    recording: () => ({
      checkpoints: segments.map(({ checkpoint }) => checkpoint),
      entries: segments.flatMap(({ entries }) => entries.list()),
    }),
  }
}

function bytesOf({ checkpointBytes, entries }: Segment): number {
  return checkpointBytes + entries.bytes()
}
