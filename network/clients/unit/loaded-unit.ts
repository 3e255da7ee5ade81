import { makeAssignment, makeWorkUnit, chooseProject } from './assignment.ts'
import { chanceBetween, idFrom } from '../random.ts'
import type { WireUnit } from '../document.ts'
import { isoTime } from '../time-text.ts'
import type { InitialUnit, ProjectSpec, UnitState } from '../types.ts'
import { createLife, snapshotAt, wireShare } from './unit-life.ts'
import type { UnitLife, UnitSnapshot } from './unit-life.ts'
import { showNumbers, workRate } from './unit-numbers.ts'
import { numberOf, textsOf } from '../wire-value.ts'
import type { World } from '../world.ts'

type LoadedState = InitialUnit['state'] | 'DUMP'

/**
 * Where a unit goes on that was in `state` when its client ended. Whatever was under way begins anew, and a unit that ran
 * is in CORE until the scheduler lets it run.
 */
export const snapshotOfLoaded = (state: LoadedState, retries: number, waitUntil: number): UnitSnapshot => {
  if (state === 'ASSIGN') return snapshotAt({ ASSIGN: 'waiting' }, retries, waitUntil)
  if (state === 'DUMP') return snapshotAt({ DUMP: 'active' }, retries, 0)
  if (state === 'RUN' || state === 'CORE') return snapshotAt({ CORE: 'paused' })
  return snapshotAt({ [state]: retries > 0 ? 'waiting' : 'paused' }, retries, waitUntil)
}

/** State word of a unit after loading (docs/protocol.md §6). */
export const loadedWord = (state: LoadedState): UnitState => (state === 'RUN' ? 'CORE' : state)

const hasWork = (state: LoadedState): boolean => state !== 'ASSIGN'

/** A unit of the profile's story, as a client finds it on its disk. */
export const loadInitialUnit = (world: World, unit: InitialUnit, number: number, now: number): UnitLife => {
  const { seed } = world
  const gpus = unit.gpus ?? []
  const done = unit.state === 'UPLOAD' ? 1 : (unit.progress ?? 0)
  const retries = unit.retries ?? 0
  const delay = Math.min(512, 2 ** retries)
  const wire: WireUnit = {
    cpus: unit.cpus,
    gpus: [...gpus],
    group: unit.group ?? '',
    id: idFrom(world.id, number, 0),
    number,
    state: loadedWord(unit.state),
  }
  const life = createLife(wire, number, snapshotOfLoaded(unit.state, retries, retries > 0 ? now + delay * 1000 : now))
  life.isLoaded = true
  life.done = done
  if (hasWork(unit.state)) giveWork(world, life, chosen(world, unit, gpus.length > 0, number), now)
  if (done > 0) showPast(world, life, now)
  if (retries > 0) Object.assign(wire, { delay, wait: isoTime(now + delay * 1000), retries })
  if (unit.error !== undefined) wire['error'] = unit.error
  // Told once a core has started (docs/protocol.md §6), which it has where work was done.
  if (unit.state === 'RUN' || done > 0) Object.assign(wire, { assignment: life.assignment, wu: life.workUnit })
  if (retries > 0) wire['progress'] = wireShare(chanceBetween(0.1, 0.6, seed, number, 'broke'))
  return life
}

const chosen = (world: World, unit: InitialUnit, hasGpu: boolean, number: number): ProjectSpec =>
  world.projects.find(({ project }) => project === unit.project) ??
  chooseProject(world.projects, hasGpu, world.seed, number)

const giveWork = (world: World, life: UnitLife, project: ProjectSpec, now: number): void => {
  const { seed } = world
  const cpus = numberOf(life.wire['cpus'], 1)
  const gpus = textsOf(life.wire['gpus'])
  life.project = project
  const worked = life.done / workRate(world, life)
  const at =
    now - Math.min(worked, 0.8 * project.timeout * 1000) - chanceBetween(30, 300, seed, life.number, 'since') * 1000
  life.assignment = makeAssignment(project, { seed, number: life.number, cpus, gpus, at })
  life.workUnit = makeWorkUnit(seed, life.number, at)
  life.deadline = at + project.deadline * 1000
}

/** Numbers of the work that was done before. */
const showPast = (world: World, life: UnitLife, now: number): void => {
  life.rate = workRate(world, life)
  life.wire['run_time'] = Math.round(life.done / life.rate / 1000)
  life.runningSince = now
  showNumbers(world, life, now)
  life.runningSince = undefined
  life.wire['wu_progress'] = wireShare(life.done)
}
