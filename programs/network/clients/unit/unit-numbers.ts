import { paceFactor, pointsPerDay } from './assignment.ts'
import { chance } from '../random.ts'
import { intervalText } from '../time-text.ts'
import { progressAt, transferProgress, wireShare, type SimulatedUnit } from './simulated-unit.ts'
import { numberOf } from '../wire-value.ts'
import type { ClientContext } from '../client-context.ts'

const HOUR = 3_600_000

/** Interval of new PPD estimates, in ms. */
const PPD_PERIOD = 5000

function cpuFactor(unit: SimulatedUnit): number {
  const assigned = numberOf(unit.assignment?.['cpus'])
  const present = numberOf(unit.wire['cpus'])
  return assigned < 1 || present < 1 ? 1 : present / assigned
}

/** Share of the work that a core is expected to do per ms. */
export function expectedRate(context: ClientContext, unit: SimulatedUnit): number {
  const hours = (unit.project?.hours ?? 4) * context.faults.slowness
  return (context.speed * cpuFactor(unit)) / (hours * paceFactor(context.seed, unit.number) * HOUR)
}

/** Share of the work done per ms; 0 while cores are stalled. */
export function workRate(context: ClientContext, unit: SimulatedUnit): number {
  return context.faults.isStalled ? 0 : expectedRate(context, unit)
}

/** Points per day as if the unit ran at speed 1, with a little noise. A higher speed would give unrealistic numbers. */
function estimatedPpd(context: ClientContext, unit: SimulatedUnit, salt: number): number {
  const { project } = unit
  if (project === undefined) return 0
  const days = (project.hours * paceFactor(context.seed, unit.number)) / 24 / cpuFactor(unit)
  const noise = 1 + 0.006 * (chance(context.seed, unit.number, 'ppd', salt) - 0.5)
  return Math.round(pointsPerDay(project, days) * noise)
}

/** Trajectory frames written so far, out of `total`; the first one when the core starts. */
function framesAt(share: number, total: number): number {
  return 1 + Math.floor(share * (total - 1))
}

/**
 * Number of frames of a whole unit: fewer for large molecules, since the client keeps at most 25 MB (docs/protocol.md
 * §8).
 */
export function frameCount(atoms: number): number {
  return Math.max(4, Math.min(100, Math.floor(20_000_000 / (atoms * 26))))
}

function updateRunning(context: ClientContext, unit: SimulatedUnit, now: number): void {
  const share = progressAt(unit, now)
  context.doc.setUnit(unit.wire, 'frames', framesAt(share, frameCount(unit.project?.atoms ?? 600)))
  // A stalled core leaves the last estimate.
  if (unit.rate > 0) context.doc.setUnit(unit.wire, 'eta', intervalText((1 - share) / unit.rate / 1000))
  context.doc.setUnit(unit.wire, 'ppd', estimatedPpd(context, unit, Math.floor(now / PPD_PERIOD)))
  context.doc.setUnit(unit.wire, 'wu_progress', wireShare(Math.min(share, 0.9994)))
}

/** Whether the unit has numbers that change with time now. */
export function hasChangingNumbers(unit: SimulatedUnit): boolean {
  return unit.runningSince !== undefined || unit.transfer !== undefined
}

/** Updates the numbers that change with time; those that differ are sent. */
export function updateNumbers(context: ClientContext, unit: SimulatedUnit, now: number): void {
  if (unit.runningSince !== undefined) updateRunning(context, unit, now)
  else if (unit.transfer !== undefined) context.doc.setUnit(unit.wire, 'progress', transferProgress(unit, now))
}

/** Sends exactly one change, for benchmarks: the first number that differs, or else the PPD. */
export function updateOneNumber(context: ClientContext, unit: SimulatedUnit, now: number, turn: number): void {
  if (unit.runningSince === undefined) {
    updateNumbers(context, unit, now)
    return
  }
  const share = progressAt(unit, now)
  const progress = wireShare(Math.min(share, 0.9994))
  const eta = intervalText(unit.rate > 0 ? (1 - share) / unit.rate / 1000 : 0)
  if (turn % 3 === 0 && unit.wire['wu_progress'] !== progress) context.doc.setUnit(unit.wire, 'wu_progress', progress)
  else if (turn % 3 === 1 && unit.wire['eta'] !== eta) context.doc.setUnit(unit.wire, 'eta', eta)
  else {
    const ppd = estimatedPpd(context, unit, turn)
    context.doc.setUnit(unit.wire, 'ppd', ppd === unit.wire['ppd'] ? ppd + 1 : ppd)
  }
}

/** Whole seconds since the core started. */
export function secondsRun(unit: SimulatedUnit, now: number): number {
  return unit.runningSince === undefined ? 0 : Math.max(0, Math.floor((now - unit.runningSince) / 1000))
}
