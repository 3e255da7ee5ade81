import { chance, chanceBetween } from '../random.ts'
import { REQUEST_MS, progressAt, stateOf, whenDone, type SimulatedUnit } from './simulated-unit.ts'
import type { UnitEvent } from './unit.events.ts'
import type { ClientContext } from '../client-context.ts'

/** The next event of a unit unless another one comes first. */
export type Plan = { readonly at: number; readonly event: (at: number) => UnitEvent }

/** Length of a transfer in ms. A higher speed shortens it by at most a factor of 4. */
function transferLength(context: ClientContext, unit: SimulatedUnit, name: string): number {
  const seconds = chanceBetween(4, 14, context.seed, unit.number, name)
  return REQUEST_MS + (seconds * 1000) / Math.min(4, Math.max(1, context.speed))
}

function takeFault(context: ClientContext, kind: 'assignments' | 'downloads' | 'uploads'): boolean {
  if (context.faults[kind] <= 0) return false
  context.faults[kind]--
  return true
}

function failsByChance(context: ClientContext, unit: SimulatedUnit, name: string): boolean {
  return (
    chance(context.seed, unit.number, name, 'fails', unit.snapshot.context.retries, unit.requests) <
    context.profile.transferFailureRate
  )
}

function planAssignment(context: ClientContext, unit: SimulatedUnit, now: number): Plan {
  const at = now + chanceBetween(300, 700, context.seed, unit.number, 'answer', unit.requests)
  if (context.profile.noWork)
    return {
      at,
      event: at => ({ type: 'try.failed', at, error: 'No work units are available for this configuration' }),
    }
  if (takeFault(context, 'assignments') || failsByChance(context, unit, 'assign'))
    return { at, event: at => ({ type: 'try.failed', at, error: '' }) }
  return { at, event: at => ({ type: 'assignment.received', at }) }
}

function planTransfer(
  context: ClientContext,
  unit: SimulatedUnit,
  now: number,
  kind: 'downloads' | 'uploads',
  done: Plan['event'],
): Plan {
  const length = Math.ceil(transferLength(context, unit, kind))
  const fails = takeFault(context, kind) || failsByChance(context, unit, kind)
  const failsAt = fails ? now + REQUEST_MS + Math.ceil((length - REQUEST_MS) * 0.3) : undefined
  unit.transfer = { start: now, length, failsAt }
  if (failsAt !== undefined) return { at: failsAt, event: at => ({ type: 'try.failed', at, error: '' }) }
  return { at: now + length, event: done }
}

function planUpload(context: ClientContext, unit: SimulatedUnit, now: number): Plan {
  return planTransfer(context, unit, now, 'uploads', at => {
    const type = context.faults.rejection ? 'results.rejected' : 'results.credited'
    context.faults.rejection = false
    return { type, at }
  })
}

/** Share of the work at which this unit's core fails, or undefined if it does not. */
function failurePoint(context: ClientContext, unit: SimulatedUnit): number | undefined {
  return chance(context.seed, unit.number, 'breaks') < context.profile.unitFailureRate
    ? chanceBetween(0.05, 0.9, context.seed, unit.number, 'where')
    : undefined
}

function planRun(context: ClientContext, unit: SimulatedUnit, now: number): Plan | undefined {
  if (context.faults.unit) {
    context.faults.unit = false
    return { at: now, event: at => ({ type: 'work.failed', at }) }
  }
  if (unit.rate === 0) return undefined
  const breaks = failurePoint(context, unit)
  if (breaks !== undefined && progressAt(unit, now) <= breaks)
    return { at: whenDone(unit, breaks), event: at => ({ type: 'work.failed', at }) }
  return { at: whenDone(unit, 1), event: at => ({ type: 'work.completed', at }) }
}

function stopsAfter(ms: number, now: number): Plan {
  return { at: now + ms, event: at => ({ type: 'core.stopped', at }) }
}

function planByState(context: ClientContext, unit: SimulatedUnit, now: number): Plan | undefined {
  const { snapshot } = unit
  const at = (value: Parameters<typeof snapshot.matches>[0]) => snapshot.matches(value)
  if ((['ASSIGN', 'DOWNLOAD', 'CORE', 'UPLOAD', 'DUMP'] as const).some(state => at({ [state]: 'waiting' })))
    return { at: snapshot.context.waitUntil, event: at => ({ type: 'retry.due', at }) }
  if (at({ ASSIGN: 'active' })) return planAssignment(context, unit, now)
  if (at({ DOWNLOAD: 'active' }))
    return planTransfer(context, unit, now, 'downloads', at => ({ type: 'download.completed', at }))
  if (at({ CORE: 'active' })) return { at: now, event: at => ({ type: 'core.ready', at }) }
  if (at({ RUN: 'running' })) return planRun(context, unit, now)
  if (at({ RUN: 'stopping' })) return stopsAfter(200, now)
  if (at({ RUN: 'restarting' }) || at({ DUMP: 'stopping' })) return stopsAfter(900, now)
  if (at({ UPLOAD: 'active' })) return planUpload(context, unit, now)
  if (at({ DUMP: 'active' })) {
    const length = chanceBetween(800, 4000, context.seed, unit.number, 'dump')
    return { at: now + length, event: at => ({ type: 'dump.reported', at }) }
  }
  return undefined
}

/** The next event: the next step of the unit's state, or the deadline if that is earlier. */
export function planNext(context: ClientContext, unit: SimulatedUnit, now: number): Plan | undefined {
  unit.transfer = undefined
  if (stateOf(unit) === 'DONE') return undefined
  const next = planByState(context, unit, now)
  const { deadline } = unit
  const plan: Plan | undefined =
    deadline === undefined || (next !== undefined && next.at <= deadline)
      ? next
      : { at: deadline, event: at => ({ type: 'deadline.passed', at }) }
  return plan === undefined ? undefined : { ...plan, at: Math.ceil(plan.at) }
}
