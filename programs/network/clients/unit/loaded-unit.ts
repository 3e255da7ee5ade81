import { makeAssignment, makeWorkUnit, chooseProject } from './assignment.ts'
import { chanceBetween, idFrom } from '../random.ts'
import type { WireUnit } from '../document.ts'
import { isoTime } from '../time-text.ts'
import type { InitialUnit, ProjectSpec, UnitState } from '../types.ts'
import { createUnit, snapshotAt, wireShare, type SimulatedUnit, type UnitSnapshot } from './simulated-unit.ts'
import { expectedRate, updateNumbers, workRate } from './unit-numbers.ts'
import { numberOf, textsOf } from '../wire-value.ts'
import type { ClientContext } from '../client-context.ts'

type LoadedState = InitialUnit['state'] | 'DUMP'

/**
 * The state in which a unit continues after a restart of its client. A running transfer starts again; a running unit is
 * in CORE until the scheduler lets it run.
 */
export function snapshotOfLoaded(state: LoadedState, retries: number, waitUntil: number): UnitSnapshot {
  if (state === 'ASSIGN') return snapshotAt({ ASSIGN: 'waiting' }, retries, waitUntil)
  if (state === 'DUMP') return snapshotAt({ DUMP: 'active' }, retries, 0)
  if (state === 'RUN' || state === 'CORE') return snapshotAt({ CORE: 'paused' })
  return snapshotAt({ [state]: retries > 0 ? 'waiting' : 'paused' }, retries, waitUntil)
}

/** The `state` of a unit after loading (docs/protocol.md §6). */
export function loadedState(state: LoadedState): UnitState {
  return state === 'RUN' ? 'CORE' : state
}

function hasAssignment(state: LoadedState): boolean {
  return state !== 'ASSIGN'
}

/** An initial unit of the profile, as if loaded from disk. */
export function loadInitialUnit(
  context: ClientContext,
  initial: InitialUnit,
  number: number,
  now: number,
): SimulatedUnit {
  const { seed } = context
  const gpus = initial.gpus ?? []
  const done = initial.state === 'UPLOAD' ? 1 : (initial.progress ?? 0)
  const retries = initial.retries ?? 0
  const delay = Math.min(512, 2 ** retries)
  const wire: WireUnit = {
    cpus: initial.cpus,
    gpus: [...gpus],
    group: initial.group ?? '',
    id: idFrom(context.id, number, 0),
    number,
    state: loadedState(initial.state),
  }
  const unit = createUnit(
    wire,
    number,
    snapshotOfLoaded(initial.state, retries, retries > 0 ? now + delay * 1000 : now),
  )
  unit.isLoaded = true
  unit.done = done
  if (hasAssignment(initial.state))
    assignStoredWork(context, unit, projectFor(context, initial, gpus.length > 0, number), now)
  if (done > 0) showPriorWork(context, unit, now)
  if (retries > 0) Object.assign(wire, { delay, wait: isoTime(now + delay * 1000), retries })
  if (initial.error !== undefined) wire['error'] = initial.error
  // Sent once a core has started (docs/protocol.md §6), which it has if work was done.
  if (initial.state === 'RUN' || done > 0) Object.assign(wire, { assignment: unit.assignment, wu: unit.workUnit })
  if (retries > 0) wire['progress'] = wireShare(chanceBetween(0.1, 0.6, seed, number, 'broke'))
  return unit
}

function projectFor(context: ClientContext, initial: InitialUnit, hasGpu: boolean, number: number): ProjectSpec {
  return (
    context.projects.find(({ project }) => project === initial.project) ??
    chooseProject(context.projects, hasGpu, context.seed, number)
  )
}

function assignStoredWork(context: ClientContext, unit: SimulatedUnit, project: ProjectSpec, now: number): void {
  const { seed } = context
  const cpus = numberOf(unit.wire['cpus'], 1)
  const gpus = textsOf(unit.wire['gpus'])
  unit.project = project
  const worked = unit.done / expectedRate(context, unit)
  const at =
    now - Math.min(worked, 0.8 * project.timeout * 1000) - chanceBetween(30, 300, seed, unit.number, 'since') * 1000
  unit.assignment = makeAssignment(project, { seed, number: unit.number, cpus, gpus, at })
  unit.workUnit = makeWorkUnit(seed, unit.number, at)
  unit.deadline = at + project.deadline * 1000
}

/** Sets the numbers of work that was done before the first start. */
function showPriorWork(context: ClientContext, unit: SimulatedUnit, now: number): void {
  unit.rate = workRate(context, unit)
  unit.wire['run_time'] = Math.round(unit.done / expectedRate(context, unit) / 1000)
  unit.runningSince = now
  updateNumbers(context, unit, now)
  unit.runningSince = undefined
  unit.wire['wu_progress'] = wireShare(unit.done)
}
