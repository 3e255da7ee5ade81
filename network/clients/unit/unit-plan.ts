import { chance, chanceBetween } from '../random.ts'
import { REQUEST_MS, progressAt, stateOf, whenDone } from './unit-life.ts'
import type { UnitLife } from './unit-life.ts'
import type { UnitEvent } from './unit.events.ts'
import type { World } from '../world.ts'

/** The next thing that will happen to a unit if nobody interferes. */
export type Plan = { readonly at: number; readonly event: (at: number) => UnitEvent }

/** Transfers take seconds however fast the world is; a fast world only shortens them somewhat. */
const transferLength = (world: World, life: UnitLife, name: string): number => {
  const seconds = chanceBetween(4, 14, world.seed, life.number, name)
  return REQUEST_MS + (seconds * 1000) / Math.min(4, Math.max(1, world.speed))
}

const takeFault = (world: World, kind: 'assignments' | 'downloads' | 'uploads'): boolean => {
  if (world.faults[kind] <= 0) return false
  world.faults[kind]--
  return true
}

const failsByChance = (world: World, life: UnitLife, name: string): boolean =>
  chance(world.seed, life.number, name, 'fails', life.snapshot.context.retries, life.requests) <
  world.profile.transferFailureRate

const planAssignment = (world: World, life: UnitLife, now: number): Plan => {
  const at = now + chanceBetween(300, 700, world.seed, life.number, 'answer', life.requests)
  if (world.profile.noWork)
    return {
      at,
      event: at => ({ type: 'try.failed', at, error: 'No work units are available for this configuration' }),
    }
  if (takeFault(world, 'assignments') || failsByChance(world, life, 'assign'))
    return { at, event: at => ({ type: 'try.failed', at, error: '' }) }
  return { at, event: at => ({ type: 'assignment.received', at }) }
}

const planTransfer = (
  world: World,
  life: UnitLife,
  now: number,
  kind: 'downloads' | 'uploads',
  done: Plan['event'],
): Plan => {
  const length = Math.ceil(transferLength(world, life, kind))
  const fails = takeFault(world, kind) || failsByChance(world, life, kind)
  const failsAt = fails ? now + REQUEST_MS + Math.ceil((length - REQUEST_MS) * 0.3) : undefined
  life.transfer = { start: now, length, failsAt }
  if (failsAt !== undefined) return { at: failsAt, event: at => ({ type: 'try.failed', at, error: '' }) }
  return { at: now + length, event: done }
}

const planUpload = (world: World, life: UnitLife, now: number): Plan =>
  planTransfer(world, life, now, 'uploads', at => {
    const type = world.faults.rejection ? 'results.rejected' : 'results.credited'
    world.faults.rejection = false
    return { type, at }
  })

/** Share of the work at which this unit's core breaks, or undefined for a good one. */
const breakingPoint = (world: World, life: UnitLife): number | undefined =>
  chance(world.seed, life.number, 'breaks') < world.profile.unitFailureRate
    ? chanceBetween(0.05, 0.9, world.seed, life.number, 'where')
    : undefined

const planRun = (world: World, life: UnitLife, now: number): Plan => {
  if (world.faults.unit) {
    world.faults.unit = false
    return { at: now, event: at => ({ type: 'work.failed', at }) }
  }
  const breaks = breakingPoint(world, life)
  if (breaks !== undefined && progressAt(life, now) <= breaks)
    return { at: whenDone(life, breaks), event: at => ({ type: 'work.failed', at }) }
  return { at: whenDone(life, 1), event: at => ({ type: 'work.completed', at }) }
}

const stopsAfter = (ms: number, now: number): Plan => ({ at: now + ms, event: at => ({ type: 'core.stopped', at }) })

const planByState = (world: World, life: UnitLife, now: number): Plan | undefined => {
  const { snapshot } = life
  const at = (value: Parameters<typeof snapshot.matches>[0]) => snapshot.matches(value)
  if (
    at({ ASSIGN: 'waiting' }) ||
    at({ DOWNLOAD: 'waiting' }) ||
    at({ CORE: 'waiting' }) ||
    at({ UPLOAD: 'waiting' }) ||
    at({ DUMP: 'waiting' })
  )
    return { at: snapshot.context.waitUntil, event: at => ({ type: 'retry.due', at }) }
  if (at({ ASSIGN: 'active' })) return planAssignment(world, life, now)
  if (at({ DOWNLOAD: 'active' }))
    return planTransfer(world, life, now, 'downloads', at => ({ type: 'download.completed', at }))
  if (at({ CORE: 'active' })) return { at: now, event: at => ({ type: 'core.ready', at }) }
  if (at({ RUN: 'running' })) return planRun(world, life, now)
  if (at({ RUN: 'stopping' })) return stopsAfter(200, now)
  if (at({ RUN: 'restarting' }) || at({ DUMP: 'stopping' })) return stopsAfter(900, now)
  if (at({ UPLOAD: 'active' })) return planUpload(world, life, now)
  if (at({ DUMP: 'active' })) {
    const length = chanceBetween(800, 4000, world.seed, life.number, 'dump')
    return { at: now + length, event: at => ({ type: 'dump.reported', at }) }
  }
  return undefined
}

/** What will happen next: the next step of the unit's state, or the deadline when that comes first. */
export const planNext = (world: World, life: UnitLife, now: number): Plan | undefined => {
  life.transfer = undefined
  if (stateOf(life) === 'DONE') return undefined
  const next = planByState(world, life, now)
  const { deadline } = life
  const plan: Plan | undefined =
    deadline === undefined || (next !== undefined && next.at <= deadline)
      ? next
      : { at: deadline, event: at => ({ type: 'deadline.passed', at }) }
  return plan === undefined ? undefined : { ...plan, at: Math.ceil(plan.at) }
}
