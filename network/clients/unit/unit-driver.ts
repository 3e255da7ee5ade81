import { initialTransition, transition } from 'xstate'
import { chooseProject, makeAssignment, makeWorkUnit } from './assignment.ts'
import type { NewUnit } from './allocation.ts'
import { sayTransfer } from './core-log.ts'
import type { WireUnit } from '../document.ts'
import type { LogLevel } from '../log.ts'
import type { ProjectSpec } from '../types.ts'
import { carryOut } from './unit-effects.ts'
import { REQUEST_MS, createLife, stateOf } from './unit-life.ts'
import type { UnitLife, UnitSnapshot } from './unit-life.ts'
import { isUnitEffect } from './unit.events.ts'
import { unitMachine } from './unit.machine.ts'
import type { UnitEvent } from './unit.events.ts'
import { planNext } from './unit-plan.ts'
import { numberOf, textOf, textsOf } from '../wire-value.ts'
import { sayOf, sayRequest } from '../world.ts'
import type { World } from '../world.ts'

/** Tells a unit what has happened, carries out what follows, and plans what comes next. */
export const sendToUnit = (world: World, life: UnitLife, event: UnitEvent): void =>
  world.together(() => {
    const before = life.snapshot
    beforeEvent(world, life, event)
    const [next, actions] = transition(unitMachine, before, event)
    life.snapshot = next
    for (const action of actions) if (isUnitEffect(action)) carryOut(world, life, action)
    if (next !== before && !isSameValue(next, before)) planUnit(world, life)
  })

const isSameValue = (a: UnitSnapshot, b: UnitSnapshot): boolean => a.matches(b.value) && b.matches(a.value)

/** Plans the unit's next event; what was planned before is forgotten. */
export const planUnit = (world: World, life: UnitLife): void => {
  life.cancelPlan()
  life.cancelPlan = () => {}
  const { schedule, doc } = world
  const plan = planNext(world, life, schedule.now())
  if (life.transfer !== undefined) beginTransfer(world, life)
  if (life.snapshot.matches({ DUMP: 'active' }))
    sayOf(world, life, 'I1', `Sending dump report to ${serverOf(life)}/api/results`)
  if (plan === undefined) return
  const cancelEvent = schedule.at(plan.at, () => sendToUnit(world, life, plan.event(schedule.now())))
  const { transfer } = life
  const cancelRequest =
    transfer === undefined
      ? () => {}
      : schedule.at(transfer.start + REQUEST_MS, () => doc.setUnit(life.wire, 'progress', 1))
  life.cancelPlan = () => {
    cancelEvent()
    cancelRequest()
  }
}

const beginTransfer = (world: World, life: UnitLife): void => {
  if (life.wire['progress'] !== undefined) world.doc.setUnit(life.wire, 'progress', 0)
  const server = serverOf(life)
  if (stateOf(life) === 'DOWNLOAD') {
    sayOf(world, life, 'I1', `Downloading WU from ${server}/api/assign`)
    life.answerRequest = sayRequest(world, 'POST', `${server}/api/assign`)
  } else {
    sayOf(world, life, 'I1', `Sending results to ${server}/api/results`)
    life.answerRequest = sayRequest(world, 'POST', `${server}/api/results`)
  }
  sayTransfer(world, life)
}

const serverOf = (life: UnitLife): string => {
  const server = textOf(life.assignment?.['ws'])
  return `https://${server === '' ? 'ws1.example.org' : server}`
}

const describeWork = (life: UnitLife): string => {
  const { run, clone, gen } = life.workUnit ?? {}
  return `P${life.project?.project ?? 0} R${numberOf(run)} C${numberOf(clone)} G${numberOf(gen)}`
}

/** What a unit learns from an event, and what the log says of it, before its statechart hears of it. */
const beforeEvent = (world: World, life: UnitLife, event: UnitEvent): void => {
  switch (event.type) {
    case 'assignment.received':
      life.answerRequest('200 OK')
      sayOf(world, life, 'I1', `Received WU assignment ${textOf(life.wire['id'])}`)
      world.doc.setUnit(life.wire, 'error', null)
      assignWork(world, life, event.at)
      return
    case 'download.completed':
      life.answerRequest('200 OK')
      sayOf(world, life, 'I1', `Received WU ${describeWork(life)}`)
      return
    case 'try.failed':
      life.answerRequest(event.error === '' ? '502 Bad Gateway' : '200 OK')
      return
    case 'results.credited':
      life.answerRequest('200 OK')
      sayOf(world, life, 'I1', 'Credited')
      return
    case 'results.rejected':
      life.answerRequest('400 HTTP_BAD_REQUEST')
      sayOf(world, life, 'W', 'Results rejected by the work server')
      return
    case 'unit.dump':
      sayOf(world, life, 'I3', `Dumping ${textOf(life.wire['id'])}`)
      return
    default: {
      const words = plainWords[event.type]
      if (words !== undefined) sayOf(world, life, ...words)
    }
  }
}

/** What the log says of events that change nothing else. */
const plainWords: Readonly<Partial<Record<UnitEvent['type'], readonly [LogLevel, string]>>> = {
  'core.stopped': ['I1', 'Core returned INTERRUPTED (102)'],
  'work.completed': ['I1', 'Core returned FINISHED_UNIT (100)'],
  'work.failed': ['W', 'Core returned BAD_WORK_UNIT (114)'],
  'dump.reported': ['I1', 'Dumped'],
  'deadline.passed': ['W', 'Expired: the deadline has passed'],
}

/** Work that was given to the unit at `at`; readers see it only when the core starts. */
export const assignWork = (world: World, life: UnitLife, at: number, project?: ProjectSpec): void => {
  const gpus = textsOf(life.wire['gpus'])
  const cpus = numberOf(life.wire['cpus'], 1)
  const { seed } = world
  const { number } = life
  life.project = project ?? chooseProject(world.projects, gpus.length > 0, seed, number)
  life.assignment = makeAssignment(life.project, { seed, number, cpus, gpus, at })
  life.workUnit = makeWorkUnit(seed, number, at)
  life.deadline = at + life.project.deadline * 1000
}

/** A new unit in ASSIGN, at the end of the list. */
export const addNewUnit = (world: World, wanted: NewUnit, number: number): void => {
  const wire: WireUnit = { group: wanted.group, number, cpus: wanted.cpus, gpus: [...wanted.gpus], state: 'ASSIGN' }
  const [snapshot, actions] = initialTransition(unitMachine, undefined)
  const life = createLife(wire, number, snapshot)
  world.lives.push(life)
  world.doc.appendUnit(wire)
  const name = wanted.group === '' ? 'Default' : wanted.group
  world.log.add(
    world.schedule.now(),
    'I1',
    `${name}:Added new work unit: cpus:${wanted.cpus} gpus:${wanted.gpus.join(',')}`,
  )
  for (const action of actions) if (isUnitEffect(action)) carryOut(world, life, action)
  planUnit(world, life)
  world.changed()
}
