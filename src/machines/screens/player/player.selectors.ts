import { positionAfter } from './player.timeline.ts'
import type { PlayerSnapshot } from './player.machine.ts'

export const isPlaying = (snapshot: PlayerSnapshot): boolean => snapshot.hasTag('playing')
/** Whether the notice is shown that a control has no effect in a recording. */
export const isReminding = (snapshot: PlayerSnapshot): boolean => snapshot.hasTag('notice')
/** Epoch milliseconds. */
export const selectAt = ({ context }: PlayerSnapshot): number => context.at
export const selectSpeed = ({ context }: PlayerSnapshot): number => context.speed
export const selectStart = ({ context }: PlayerSnapshot): number => context.timeline.from
export const selectEnd = ({ context: { timeline } }: PlayerSnapshot): number => timeline.times.at(-1) ?? timeline.from
export const isExact = ({ context }: PlayerSnapshot): boolean => context.timeline.isExact
/** What somebody pointed at in the recording. */
export const selectMark = ({ context }: PlayerSnapshot) => context.timeline.mark
export const isAtStart = ({ context }: PlayerSnapshot): boolean => context.position === 0
export const isAtEnd = ({ context: { position, timeline } }: PlayerSnapshot): boolean =>
  position >= timeline.times.length

/** Number of faults after the current position. */
export const selectFaultsAhead = ({ context: { timeline, position } }: PlayerSnapshot): number => {
  const next = positionAfter(timeline.faults, position, Infinity)
  return next === Infinity ? 0 : timeline.faults.length - timeline.faults.indexOf(next)
}
