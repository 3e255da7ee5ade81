import { paceOf } from './assignment.ts'
import { chance } from '../random.ts'
import { intervalText } from '../time-text.ts'
import { progressAt, transferProgress, wireShare } from './unit-life.ts'
import type { UnitLife } from './unit-life.ts'
import { numberOf } from '../wire-value.ts'
import type { World } from '../world.ts'

const HOUR = 3_600_000

/** The estimate of points a day is worked out anew this often. */
const PPD_PERIOD = 5000

const cpuFactor = (life: UnitLife): number => {
  const assigned = numberOf(life.assignment?.['cpus'])
  const present = numberOf(life.wire['cpus'])
  return assigned < 1 || present < 1 ? 1 : present / assigned
}

/** Share of the work done in one ms. */
export const workRate = (world: World, life: UnitLife): number => {
  const hours = life.project?.hours ?? 4
  return (world.speed * cpuFactor(life)) / (hours * paceOf(world.seed, life.number) * HOUR)
}

/**
 * Points a day as if the unit ran at speed 1: the credit with a bonus for quick return, over the time that the work takes,
 * a little different each time it is estimated. A faster world would otherwise show absurd sums.
 */
const pointsPerDay = (world: World, life: UnitLife, salt: number): number => {
  const { project } = life
  if (project === undefined) return 0
  const days = (project.hours * paceOf(world.seed, life.number)) / 24 / cpuFactor(life)
  const bonus = Math.max(1, Math.sqrt((0.75 * project.deadline) / (days * 86_400)))
  const noise = 1 + 0.006 * (chance(world.seed, life.number, 'ppd', salt) - 0.5)
  return Math.round((project.credit * bonus * noise) / days)
}

/** Trajectory frames written so far, out of `total`; the first one as soon as the core runs. */
const framesAt = (share: number, total: number): number => 1 + Math.floor(share * (total - 1))

/**
 * How many frames a whole unit gives: fewer of large molecules, since the client keeps 25 MB at most
 * (docs/protocol.md §8).
 */
export const frameCount = (atoms: number): number => Math.max(4, Math.min(100, Math.floor(20_000_000 / (atoms * 26))))

const showRunning = (world: World, life: UnitLife, now: number): void => {
  const share = progressAt(life, now)
  const left = life.rate > 0 ? (1 - share) / life.rate / 1000 : 0
  world.doc.setUnit(life.wire, 'frames', framesAt(share, frameCount(life.project?.atoms ?? 600)))
  world.doc.setUnit(life.wire, 'eta', intervalText(left))
  world.doc.setUnit(life.wire, 'ppd', pointsPerDay(world, life, Math.floor(now / PPD_PERIOD)))
  world.doc.setUnit(life.wire, 'wu_progress', wireShare(Math.min(share, 0.9994)))
}

/** Whether the unit has numbers that change by themselves now. */
export const isMoving = (life: UnitLife): boolean => life.runningSince !== undefined || life.transfer !== undefined

/** Brings the numbers that change all the time up to `now`; what differs becomes changes. */
export const showNumbers = (world: World, life: UnitLife, now: number): void => {
  if (life.runningSince !== undefined) showRunning(world, life, now)
  else if (life.transfer !== undefined) world.doc.setUnit(life.wire, 'progress', transferProgress(life, now))
}

/** Exactly one change, for benches: the first number that differs, or the ever changing estimate of points. */
export const showOneNumber = (world: World, life: UnitLife, now: number, turn: number): void => {
  if (life.runningSince === undefined) {
    showNumbers(world, life, now)
    return
  }
  const share = progressAt(life, now)
  const progress = wireShare(Math.min(share, 0.9994))
  const eta = intervalText(life.rate > 0 ? (1 - share) / life.rate / 1000 : 0)
  if (turn % 3 === 0 && life.wire['wu_progress'] !== progress) world.doc.setUnit(life.wire, 'wu_progress', progress)
  else if (turn % 3 === 1 && life.wire['eta'] !== eta) world.doc.setUnit(life.wire, 'eta', eta)
  else {
    const ppd = pointsPerDay(world, life, turn)
    world.doc.setUnit(life.wire, 'ppd', ppd === life.wire['ppd'] ? ppd + 1 : ppd)
  }
}

/** Whole seconds that the core has run in its present run. */
export const secondsRun = (life: UnitLife, now: number): number =>
  life.runningSince === undefined ? 0 : Math.max(0, Math.floor((now - life.runningSince) / 1000))
