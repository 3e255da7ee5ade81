import { initialTransition, transition } from 'xstate'
import { isJsonList } from '../../src/protocol/json.ts'
import { chooseProject, makeAssignment, makeWorkUnit } from './assignment.ts'
import type { NewUnit } from './allocation.ts'
import { sayTransfer } from './core-log.ts'
import type { WireUnit } from './document.ts'
import type { ProjectSpec } from './types.ts'
import { carryOut } from './unit-effects.ts'
import { REQUEST_MS, createLife, stateOf } from './unit-life.ts'
import type { UnitLife, UnitSnapshot } from './unit-life.ts'
import { unitMachine } from './unit.machine.ts'
import type { UnitEffect, UnitEvent } from './unit.machine.ts'
import { planNext } from './unit-plan.ts'
import { sayOf, sayRequest } from './world.ts'
import type { World } from './world.ts'

/** The statechart's actions are all of ours; XState types them by name only. */
const effectsOf = (actions: readonly { readonly type: string; readonly params?: unknown }[]): readonly UnitEffect[] => actions as readonly UnitEffect[]

/** Tells a unit what has happened, carries out what follows, and plans what comes next. */
export const sendToUnit = (world: World, life: UnitLife, event: UnitEvent): void =>
  world.together(() => {
    const before = life.snapshot
    beforeEvent(world, life, event)
    const [next, actions] = transition(unitMachine, before, event)
    life.snapshot = next
    for (const effect of effectsOf(actions)) carryOut(world, life, effect)
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
  if (life.snapshot.matches({ DUMP: 'active' })) sayOf(world, life, 'I1', `Sending dump report to ${serverOf(life)}/api/results`)
  if (plan === undefined) return
  const cancelEvent = schedule.at(plan.at, () => sendToUnit(world, life, plan.event(schedule.now())))
  const { transfer } = life
  const cancelRequest =
    transfer === undefined ? () => {} : schedule.at(transfer.start + REQUEST_MS, () => doc.setUnit(life.wire, 'progress', 1))
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
  const server = life.assignment?.['ws']
  return `https://${typeof server === 'string' ? server : 'ws1.example.org'}`
}

const describeWork = (life: UnitLife): string => {
  const { run, clone, gen } = life.workUnit ?? {}
  return `P${life.project?.project ?? 0} R${String(run)} C${String(clone)} G${String(gen)}`
}

/** What a unit learns from an event, and what the log says of it, before its statechart hears of it. */
const beforeEvent = (world: World, life: UnitLife, event: UnitEvent): void => {
  switch (event.type) {
    case 'assignment.received':
      life.answerRequest('200 OK')
      sayOf(world, life, 'I1', `Received WU assignment ${String(life.wire['id'])}`)
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
    case 'core.stopped': return sayOf(world, life, 'I1', 'Core returned INTERRUPTED (102)')
    case 'work.completed': return sayOf(world, life, 'I1', 'Core returned FINISHED_UNIT (100)')
    case 'work.failed': return sayOf(world, life, 'W', 'Core returned BAD_WORK_UNIT (114)')
    case 'results.credited':
      life.answerRequest('200 OK')
      sayOf(world, life, 'I1', 'Credited')
      return
    case 'results.rejected':
      life.answerRequest('400 HTTP_BAD_REQUEST')
      sayOf(world, life, 'W', 'Results rejected by the work server')
      return
    case 'unit.dump': return sayOf(world, life, 'I3', `Dumping ${String(life.wire['id'])}`)
    case 'dump.reported': return sayOf(world, life, 'I1', 'Dumped')
    case 'deadline.passed': return sayOf(world, life, 'W', 'Expired: the deadline has passed')
    default: return
  }
}

/** Work that was given to the unit at `at`; readers see it only when the core starts. */
export const assignWork = (world: World, life: UnitLife, at: number, project?: ProjectSpec): void => {
  const gpus = life.wire['gpus']
  const gpuIds = isJsonList(gpus) ? gpus.filter(gpu => typeof gpu === 'string') : []
  const cpus = typeof life.wire['cpus'] === 'number' ? life.wire['cpus'] : 1
  const { seed } = world
  const { number } = life
  life.project = project ?? chooseProject(world.projects, gpuIds.length > 0, seed, number)
  life.assignment = makeAssignment(life.project, { seed, number, cpus, gpus: gpuIds, at })
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
  world.log.add(world.schedule.now(), 'I1', `${name}:Added new work unit: cpus:${wanted.cpus} gpus:${wanted.gpus.join(',')}`)
  for (const effect of effectsOf(actions)) carryOut(world, life, effect)
  planUnit(world, life)
  world.changed()
}
