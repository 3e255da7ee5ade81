import type { InspectionEvent } from 'xstate'

/** Whether an inspection event takes time in a replay: every created actor and every event, internal ones included. */
export const countsAsWork = ({ type }: InspectionEvent): boolean => type === '@xstate.event' || type === '@xstate.actor'

/**
 * How many of these may lie between two checkpoints: about ten milliseconds of replay. Checkpoints of many actors cost
 * more to take and to restore, so they are farther apart.
 */
export const workBetweenCheckpoints = (actors: number): number => 400 + Math.floor(actors / 4)
