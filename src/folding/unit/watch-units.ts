import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { text } from '../shared/read.ts'
import { isWorking } from './unit-meaning.ts'
import { workShare } from './unit-progress.ts'
import { advanced, isSpeedSeen, framesAfter, LONGEST_GAP, noteCourse, type Course, type SpeedBasis } from './watched.ts'

type WatchedUnit = Course & { readonly startTime: string | undefined }

/** What was seen of a client's running units, by their ids, and when its client was last heard. */
export type Watch = { readonly at: number; readonly units: ReadonlyMap<string, WatchedUnit> }

/** What was seen until now, `at` (epoch milliseconds), with what the client reports now. Its units know it from then on. */
export function watchUnits(watch: Watch | undefined, { units }: ClientData, at: number, basis?: SpeedBasis): Watch {
  const isContinuous = watch !== undefined && at >= watch.at && at - watch.at <= LONGEST_GAP
  const seen = new Map<string, WatchedUnit>()
  for (const unit of units) {
    const id = text(unit.id)
    const now = id === undefined ? undefined : courseOf(isContinuous ? watch.units.get(id) : undefined, unit, at)
    if (id === undefined || now === undefined) continue
    seen.set(id, now)
    noteCourse(unit, basis === undefined ? now : { ...now, basis })
  }
  return { at, units: seen }
}

function courseOf(before: WatchedUnit | undefined, unit: Unit, at: number): WatchedUnit | undefined {
  const share = workShare(unit)
  if (share === undefined || !isWorking(unit, at)) return undefined
  const startTime = text(unit.start_time)
  if (before === undefined || before.startTime !== startTime || share < before.progress.share)
    // When it reached this share is not known, so the measurement begins with the next progress.
    return { startTime, progress: { at, share }, from: undefined, middle: undefined }
  if (share === before.progress.share) return before
  const frames = framesAfter(before.frames, before.progress, { at, share })
  return { startTime, ...advanced(before, { at, share }, isSpeedSeen), frames }
}
