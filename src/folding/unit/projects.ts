import type { Unit } from '../../protocol/client-data.ts'
import { hasEnded, isPaused, projectOf } from './unit-progress.ts'

/** Distinct project numbers of units that are neither paused nor ended, ascending. */
export const activeProjects = (units: readonly Unit[]): readonly number[] =>
  inOrder(units.flatMap(unit => (isPaused(unit) || hasEnded(unit) ? [] : (projectOf(unit) ?? []))))

/** Distinct, ascending. */
export const inOrder = (projects: Iterable<number>): readonly number[] => [...new Set(projects)].sort((a, b) => a - b)
