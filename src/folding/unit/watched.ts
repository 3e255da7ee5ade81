/*
 * How fast a unit was seen to compute while it was watched without a gap: the first evidence of its speed, before what its
 * client reports of times and of what it expects. What a client reported stays as it is; what was seen is beside it.
 */
import type { Unit } from '../../protocol/client/client-data.ts'

/** A moment at which progress was seen. */
export type Sample = { readonly at: number; readonly share: number }

/** Since when, and over what, the speed is measured. */
export type Course = {
  /** The last progress. */
  readonly progress: Sample
  /** Earlier progress, from which the speed is measured. */
  readonly from?: Sample | undefined
  readonly middle?: Sample | undefined
  /** When each of the last frames ended, the newest last. */
  readonly frames?: readonly Sample[]
  readonly basis?: SpeedBasis
}

/** By which frames a speed is measured: those of late, the last one, the last three, or all. */
export const SPEED_BASES = ['usual', 'last', 'three', 'all'] as const
export type SpeedBasis = (typeof SPEED_BASES)[number]

const MOST_FRAMES = 3

/** The ends of frames after more progress. */
export function framesAfter(frames: readonly Sample[] = [], before: Sample, now: Sample): readonly Sample[] {
  // Hundredths are not exact: 0.29 * 100 is less than 29.
  const frameOf = ({ share }: Sample): number => Math.floor(share * 100 + 1e-6)
  return frameOf(before) === frameOf(now) ? frames : [...frames, now].slice(-MOST_FRAMES - 1)
}

/** Between two messages further apart it is unknown what happened: those of a hidden page may be two minutes apart. Milliseconds. */
export const LONGEST_GAP = 150_000

/**
 * The course with more progress. Once `isEnough` was seen since its middle it goes on from there, so that it does not cover
 * the whole past.
 */
export function advanced(
  { from, middle }: Omit<Course, 'progress'>,
  progress: Sample,
  isEnough: (from: Sample, to: Sample) => boolean,
): Course {
  if (from === undefined) return { progress, from: progress, middle: undefined }
  const half = middle ?? (isEnough(from, progress) ? progress : undefined)
  return half !== undefined && isEnough(half, progress)
    ? { progress, from: half, middle: progress }
    : { progress, from, middle: half }
}

/** Seconds per frame of a course; undefined before it was measured for long enough. */
export function courseTpf(
  { from, progress }: Pick<Course, 'from'> & { readonly progress?: Sample | undefined },
  isEnough: (from: Sample, to: Sample) => boolean,
): number | undefined {
  return from === undefined || progress === undefined || !isEnough(from, progress)
    ? undefined
    : (progress.at - from.at) / 1000 / ((progress.share - from.share) * 100)
}

/** A client guesses progress within a frame by what it expects; over this share that matters little. */
const LEAST_SHARE = 0.05
const LEAST_TIME = 300_000

export function isSpeedSeen(from: Sample, to: Sample): boolean {
  return to.share - from.share >= LEAST_SHARE && to.at - from.at >= LEAST_TIME
}

const courses = new WeakMap<Unit, Course>()

/** Says what was seen of a unit, as the record of its client has it. */
export function noteCourse(unit: Unit, course: Course): void {
  courses.set(unit, course)
}

/** The speed as it was watched, and by which frames; those of late until there are enough of the chosen ones. */
export function watchedSpeed(unit: Unit): { readonly seconds: number; readonly by: SpeedBasis } | undefined {
  const course = courses.get(unit)
  if (course === undefined || course.basis === 'all') return undefined
  const { basis = 'usual', frames = [] } = course
  const [to, from] = [frames.at(-1), frames.at(basis === 'last' ? -2 : -MOST_FRAMES - 1)]
  const chosen = basis === 'usual' || to === undefined ? undefined : courseTpf({ from, progress: to }, isFrame)
  const seconds = chosen ?? courseTpf(course, isSpeedSeen)
  return seconds === undefined ? undefined : { seconds, by: chosen === undefined ? 'usual' : basis }
}

function isFrame(from: Sample, to: Sample): boolean {
  return to.share > from.share && to.at > from.at
}

/** Seconds per frame, as it was watched; undefined before enough frames were. */
export function watchedTpf(unit: Unit): number | undefined {
  return watchedSpeed(unit)?.seconds
}
