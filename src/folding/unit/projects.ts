/*
 * The projects that work is done for.
 */
import type { Unit } from '../../protocol/client-data.ts'
import { hasEnded, isPaused, projectOf } from './unit-progress.ts'

/** Numbers of the projects of units that are neither paused nor over, in order, each once. */
export const activeProjects = (units: readonly Unit[]): readonly number[] =>
  inOrder(units.flatMap(unit => (isPaused(unit) || hasEnded(unit) ? [] : (projectOf(unit) ?? []))))

/** Each once, the smallest first. */
export const inOrder = (projects: Iterable<number>): readonly number[] => [...new Set(projects)].sort((a, b) => a - b)
