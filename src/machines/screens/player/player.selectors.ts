import { positionAfter } from './player.timeline.ts'
import type { PlayerSnapshot } from './player.machine.ts'
export function selectEnd({ context: { timeline } }: PlayerSnapshot): number {
  return timeline.times.at(-1) ?? timeline.from
}
/** What somebody pointed at in the recording. */
export function selectMark({ context }: PlayerSnapshot) {
  return context.timeline.mark
}
export function isAtStart({ context }: PlayerSnapshot): boolean {
  return context.position === 0
}
export function isAtEnd({ context: { position, timeline } }: PlayerSnapshot): boolean {
  return position >= timeline.times.length
}

/** Number of faults after the current position. */
export function selectFaultsAhead({ context: { timeline, position } }: PlayerSnapshot): number {
  const next = positionAfter(timeline.faults, position, Infinity)
  return next === Infinity ? 0 : timeline.faults.length - timeline.faults.indexOf(next)
}
