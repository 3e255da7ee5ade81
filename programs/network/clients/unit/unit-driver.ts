import { initialTransition, transition } from 'xstate'
import { chooseProject, makeAssignment, makeWorkUnit } from './assignment.ts'
import { logTransfer } from './core-log.ts'
import type { WireUnit } from '../document.ts'
import type { LogLevel } from '../log.ts'
import type { ProjectSpec } from '../types.ts'
import { runEffects } from './unit-effects.ts'
import { REQUEST_MS, createUnit, stateOf, type SimulatedUnit, type UnitSnapshot } from './simulated-unit.ts'
import type { UnitEvent } from './unit.events.ts'
import { unitMachine } from './unit.machine.ts'
import { planNext } from './unit-plan.ts'
import { numberOf, textOf, textsOf } from '../wire-value.ts'
import { logUnit, logRequest, type ClientContext } from '../client-context.ts'

/** Sends an event to a unit's state machine, runs the resulting effects and schedules its next event. */
export function sendToUnit(context: ClientContext, unit: SimulatedUnit, event: UnitEvent): void {
  return context.batch(() => {
    const before = unit.snapshot
    prepareForEvent(context, unit, event)
    const [next, actions] = transition(unitMachine, before, event)
    unit.snapshot = next
    runEffects(context, unit, actions)
    if (next !== before && !hasSameState(next, before)) planUnit(context, unit)
  })
}

function hasSameState(a: UnitSnapshot, b: UnitSnapshot): boolean {
  return a.matches(b.value) && b.matches(a.value)
}

/** Schedules the unit's next event instead of the one scheduled before. */
export function planUnit(context: ClientContext, unit: SimulatedUnit): void {
  unit.cancelPlan()
  unit.cancelPlan = () => {}
  const { schedule, doc } = context
  const plan = planNext(context, unit, schedule.now())
  if (unit.transfer !== undefined) beginTransfer(context, unit)
  if (unit.snapshot.matches({ DUMP: 'active' }))
    logUnit(context, unit, 'I1', `Sending dump report to ${serverOf(unit)}/api/results`)
  if (plan === undefined) return
  const cancelEvent = schedule.at(plan.at, () => sendToUnit(context, unit, plan.event(schedule.now())))
  const { transfer } = unit
  const cancelRequest =
    transfer === undefined
      ? () => {}
      : schedule.at(transfer.start + REQUEST_MS, () => doc.setUnit(unit.wire, 'progress', 1))
  unit.cancelPlan = () => {
    cancelEvent()
    cancelRequest()
  }
}

function beginTransfer(context: ClientContext, unit: SimulatedUnit): void {
  if (unit.wire['progress'] !== undefined) context.doc.setUnit(unit.wire, 'progress', 0)
  const server = serverOf(unit)
  if (stateOf(unit) === 'DOWNLOAD') {
    logUnit(context, unit, 'I1', `Downloading WU from ${server}/api/assign`)
    unit.answerRequest = logRequest(context, 'POST', `${server}/api/assign`)
  } else {
    logUnit(context, unit, 'I1', `Sending results to ${server}/api/results`)
    unit.answerRequest = logRequest(context, 'POST', `${server}/api/results`)
  }
  logTransfer(context, unit)
}

function serverOf(unit: SimulatedUnit): string {
  const server = textOf(unit.assignment?.['ws'])
  return `https://${server === '' ? 'ws1.example.org' : server}`
}

function describeWork(unit: SimulatedUnit): string {
  const { run, clone, gen } = unit.workUnit ?? {}
  return `P${unit.project?.project ?? 0} R${numberOf(run)} C${numberOf(clone)} G${numberOf(gen)}`
}

/** Data and log lines of an event, before it is sent to the state machine. */
function prepareForEvent(context: ClientContext, unit: SimulatedUnit, event: UnitEvent): void {
  switch (event.type) {
    case 'assignment.received':
      unit.answerRequest('200 OK')
      logUnit(context, unit, 'I1', `Received WU assignment ${textOf(unit.wire['id'])}`)
      context.doc.setUnit(unit.wire, 'error', null)
      assignWork(context, unit, event.at)
      return
    case 'download.completed':
      unit.answerRequest('200 OK')
      logUnit(context, unit, 'I1', `Received WU ${describeWork(unit)}`)
      return
    case 'try.failed':
      unit.answerRequest(event.error === '' ? '502 Bad Gateway' : '200 OK')
      return
    case 'results.credited':
      unit.answerRequest('200 OK')
      logUnit(context, unit, 'I1', 'Credited')
      return
    case 'results.rejected':
      unit.answerRequest('400 HTTP_BAD_REQUEST')
      logUnit(context, unit, 'W', 'Results rejected by the work server')
      return
    case 'unit.dump':
      logUnit(context, unit, 'I3', `Dumping ${textOf(unit.wire['id'])}`)
      return
    default: {
      const words = eventLogLines[event.type]
      if (words !== undefined) logUnit(context, unit, ...words)
    }
  }
}

/** Log lines of events without further data. */
const eventLogLines: Readonly<Partial<Record<UnitEvent['type'], readonly [LogLevel, string]>>> = {
  'core.stopped': ['I1', 'Core returned INTERRUPTED (102)'],
  'work.completed': ['I1', 'Core returned FINISHED_UNIT (100)'],
  'work.failed': ['W', 'Core returned BAD_WORK_UNIT (114)'],
  'dump.reported': ['I1', 'Dumped'],
  'deadline.passed': ['W', 'Expired: the deadline has passed'],
}

/** CPUs that one unit uses at most. */
const MOST_CPUS = 64

/**
 * Assigns work to the unit; readers receive it when the core starts. Of what the unit asked for, the work uses one GPU and
 * one CPU, or else CPUs; the rest is free for another unit once this one runs (docs/protocol.md §6).
 */
export function assignWork(context: ClientContext, unit: SimulatedUnit, at: number, project?: ProjectSpec): void {
  const gpus = textsOf(unit.wire['gpus']).slice(0, 1)
  const cpus = Math.min(numberOf(unit.wire['cpus'], 1), gpus.length > 0 ? 1 : MOST_CPUS)
  const { seed } = context
  const { number } = unit
  unit.project = project ?? chooseProject(context.projects, gpus.length > 0, seed, number)
  unit.assignment = makeAssignment(unit.project, { seed, number, cpus, gpus, at })
  unit.workUnit = makeWorkUnit(seed, number, at)
  unit.deadline = at + unit.project.deadline * 1000
}

type NewUnit = { readonly group: string; readonly cpus: number; readonly gpus: readonly string[] }

/** Adds a new unit in ASSIGN at the end of the list. */
export function addNewUnit(context: ClientContext, wanted: NewUnit, number: number): void {
  const wire: WireUnit = { group: wanted.group, number, cpus: wanted.cpus, gpus: [...wanted.gpus], state: 'ASSIGN' }
  const [snapshot, actions] = initialTransition(unitMachine, undefined)
  const unit = createUnit(wire, number, snapshot)
  context.units.push(unit)
  context.doc.appendUnit(wire)
  const name = wanted.group === '' ? 'Default' : wanted.group
  context.log.add(
    context.schedule.now(),
    'I1',
    `${name}:Added new work unit: cpus:${wanted.cpus} gpus:${wanted.gpus.join(',')}`,
  )
  runEffects(context, unit, actions)
  planUnit(context, unit)
  context.changed()
}
