import type { InspectionEvent } from 'xstate'

/** What takes time when it is done again: every actor that is made, and every event, those among the machines too. */
export const isWork = ({ type }: InspectionEvent): boolean => type === '@xstate.event' || type === '@xstate.actor'

/** So much of it lies between two checkpoints: some tens of milliseconds. */
export const WORK_BETWEEN_CHECKPOINTS = 1000
