import type { InspectionEvent } from 'xstate'

/** Whether an inspection event takes time in a replay: every created actor and every event, internal ones included. */
export function countsAsWork({ type }: InspectionEvent): boolean {
  return type === '@xstate.event' || type === '@xstate.actor'
}

/**
 * How many of these may lie between two checkpoints: about ten milliseconds of replay. Checkpoints of many actors cost
 * more to take and to restore, so they are farther apart.
 */
export function workBetweenCheckpoints(actors: number): number {
  return 400 + Math.floor(actors / 4)
}
