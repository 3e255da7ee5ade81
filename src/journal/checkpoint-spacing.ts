import type { InspectionEvent } from 'xstate'

/** What takes time when it is done again: every actor that is made, and every event, those among the machines too. */
export const countsAsWork = ({ type }: InspectionEvent): boolean => type === '@xstate.event' || type === '@xstate.actor'

/**
 * How much of it may lie between two checkpoints of so many actors: some ten milliseconds. Of a large system
 * checkpoints are dearer, and it takes longer to start from one, so that they may lie farther apart.
 */
export const workAfter = (actors: number): number => 400 + Math.floor(actors / 4)
