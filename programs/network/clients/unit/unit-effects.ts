import { idFrom } from '../random.ts'
import { logCoreStart } from './core-log.ts'
import { intervalText, isoTime } from '../time-text.ts'
import type { UnitState } from '../types.ts'
import { endUnit, wireState } from './unit-end.ts'
import { progressAt, stateOf, transferProgress, wireShare, type SimulatedUnit } from './simulated-unit.ts'
import { expectedRate, secondsRun, updateNumbers, workRate } from './unit-numbers.ts'
import type { EffectParams, RetryParams } from './unit.events.ts'
import { numberOf } from '../wire-value.ts'
import { logUnit, logRequest, type ClientContext } from '../client-context.ts'

function enterState(context: ClientContext, unit: SimulatedUnit, { state }: { readonly state: UnitState }): void {
  const { doc } = context
  const { wire } = unit
  if (state === 'RUN') {
    doc.setUnit(wire, 'progress', 1)
    const { cpus, gpus } = unit.assignment ?? {}
    if (cpus !== undefined) doc.setUnit(wire, 'cpus', cpus)
    if (gpus === undefined) doc.resendUnit(wire, 'gpus', [])
    else doc.setUnit(wire, 'gpus', gpus)
  }
  doc.setUnit(wire, 'state', wireState(context.profile.version, state))
  if (wire['progress'] !== undefined) doc.setUnit(wire, 'progress', 0)
  if (state === 'RUN') {
    unit.isLoaded = false
    doc.setUnit(wire, 'paused', true)
  }
  context.changed()
  context.reschedule()
}

function newRequest(context: ClientContext, unit: SimulatedUnit): void {
  unit.requests++
  const { user, team } = context.doc.config
  context.doc.setUnit(unit.wire, 'id', idFrom(context.id, unit.number, unit.requests))
  const url = `https://assign${1 + (unit.requests % 2)}.example.org/api/assign`
  logUnit(context, unit, 'I1', `Requesting WU assignment for user ${user} team ${team} from ${url}`)
  unit.answerRequest = logRequest(context, 'POST', url)
}

function showRetry(context: ClientContext, unit: SimulatedUnit, { at, delay, retries, error }: RetryParams): void {
  const { doc } = context
  showTransferStop(context, unit)
  if (error !== '') doc.setUnit(unit.wire, 'error', error)
  doc.setUnit(unit.wire, 'delay', delay)
  doc.setUnit(unit.wire, 'wait', isoTime(at + context.faults.clockAhead + delay * 1000))
  doc.setUnit(unit.wire, 'retries', retries)
  if (error !== '') logUnit(context, unit, 'W', `Server said: ${error}`)
  else logUnit(context, unit, 'E', `Exception: Failed response: ${stateOf(unit)} interrupted`)
  logUnit(context, unit, 'I1', `Retry #${retries} in ${delay} secs`)
  context.changed()
}

/** An interrupted transfer keeps its progress. */
function showTransferStop(context: ClientContext, unit: SimulatedUnit): void {
  const failsAt = unit.transfer?.failsAt
  if (failsAt !== undefined) context.doc.setUnit(unit.wire, 'progress', transferProgress(unit, failsAt))
}

function clearWait(context: ClientContext, unit: SimulatedUnit, { at }: { readonly at: number }): void {
  context.doc.setUnit(unit.wire, 'delay', 0)
  context.doc.setUnit(unit.wire, 'wait', isoTime(at))
}

/** Process ids of cores depend on the seed, the unit and the time alone. */
function pidAt(context: ClientContext, unit: SimulatedUnit, at: number): number {
  return 2000 + ((Math.abs(context.seed) + unit.number * 7919 + Math.floor(at / 1000)) % 30_000)
}

function startCore(context: ClientContext, unit: SimulatedUnit, { at }: { readonly at: number }): void {
  const { doc } = context
  const { wire } = unit
  const pid = pidAt(context, unit, at)
  unit.rate = workRate(context, unit)
  unit.runningSince = at
  doc.setUnit(wire, 'start_time', isoTime(at + context.faults.clockAhead))
  doc.setUnit(wire, 'pid', pid)
  if (unit.assignment !== undefined && wire['assignment'] === undefined)
    doc.setUnit(wire, 'assignment', unit.assignment)
  if (unit.workUnit !== undefined && wire['wu'] === undefined) {
    const estimate = Math.round((1 - unit.done) / expectedRate(context, unit) / 1000)
    doc.setUnit(wire, 'wu', unit.done === 0 ? { ...unit.workUnit, estimate } : unit.workUnit)
  }
  if (wire['wu_progress'] === undefined) doc.setUnit(wire, 'wu_progress', wireShare(unit.done))
  if (context.isWatched()) updateNumbers(context, unit, at)
  unit.endSteps = logCoreStart(context, unit, at, pid)
  context.changed()
}

/** The core process has ended or was interrupted. */
function stopCore(context: ClientContext, unit: SimulatedUnit, { at }: { readonly at: number }): void {
  const { doc } = context
  const { wire } = unit
  if (unit.runningSince === undefined) return
  if (!context.isWatched()) updateNumbers(context, unit, at)
  unit.endSteps(at)
  const seconds = secondsRun(unit, at)
  unit.done = progressAt(unit, at)
  unit.runningSince = undefined
  if (unit.done >= 1) {
    if (wire['eta'] === undefined) doc.setUnit(wire, 'eta', intervalText(0))
    doc.setUnit(wire, 'wu_progress', 1)
  }
  doc.setUnit(wire, 'run_time', numberOf(wire['run_time']) + seconds)
  doc.setUnit(wire, 'start_time', null)
  doc.setUnit(wire, 'pid', null)
  context.changed()
}

/** What each effect of a unit's state machine does. Changes are sent in the order of a real client. */
const EFFECTS: {
  readonly [Type in keyof EffectParams]: (
    context: ClientContext,
    unit: SimulatedUnit,
    params: EffectParams[Type],
  ) => void
} = {
  enterState,
  newRequest,
  showRetry,
  clearWait,
  showPause: ({ doc }, { wire }, { reason }) => doc.setUnit(wire, 'pause_reason', reason),
  hidePause: ({ doc }, { wire }) => doc.setUnit(wire, 'pause_reason', null),
  startCore,
  interruptCore: (context, unit) => logUnit(context, unit, 'I1', 'Interrupted'),
  stopCore,
  endUnit,
}

function isEffect(type: string): type is keyof EffectParams {
  return Object.hasOwn(EFFECTS, type)
}

/** Runs the effects among the actions of a unit's state machine, by name; `setup` in unit.machine.ts has checked their parameters. */
export function runEffects(
  context: ClientContext,
  unit: SimulatedUnit,
  actions: readonly { readonly type: string; readonly params: unknown }[],
): void {
  for (const { type, params } of actions) if (isEffect(type)) EFFECTS[type](context, unit, params as never)
}
