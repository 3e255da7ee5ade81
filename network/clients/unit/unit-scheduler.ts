import { MOST_CPUS_OF_A_UNIT, allocateGroup, groupPauseReason } from './allocation.ts'
import type { Allocation, Claim, GroupNeed, Surroundings } from './allocation.ts'
import type { GroupDoc } from '../document.ts'
import { addNewUnit, sendToUnit } from './unit-driver.ts'
import { stateOf } from './unit-life.ts'
import type { UnitLife } from './unit-life.ts'
import { numberOf, textOf, textsOf } from '../wire-value.ts'
import type { World } from '../world.ts'

const claimOf = (life: UnitLife): Claim => {
  const { wire } = life
  return {
    group: textOf(wire['group']),
    state: stateOf(life),
    cpus: numberOf(wire['cpus']),
    gpus: textsOf(wire['gpus']),
    maxCpus: numberOf(life.assignment?.['max_cpus'], MOST_CPUS_OF_A_UNIT),
    paused: wire['paused'] === true,
  }
}

/** GPUs that a group may take: those that no unit of another group works with. */
const gpusFor = (group: string, all: ReadonlySet<string>, claims: readonly Claim[]): Set<string> => {
  const free = new Set(all)
  for (const claim of claims) {
    if (
      claim.group === group ||
      claim.paused ||
      claim.state === 'UPLOAD' ||
      claim.state === 'DUMP' ||
      claim.state === 'DONE'
    )
      continue
    for (const gpu of claim.gpus) free.delete(gpu)
  }
  return free
}

/** Groups in the order of their names' bytes, as the client goes through them. */
export const sortedGroups = (world: World): readonly (readonly [string, GroupDoc])[] =>
  [...world.doc.groups].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

const waitOf = (group: GroupDoc): number => (group.extra.wait === undefined ? 0 : Date.parse(group.extra.wait))

const applyShares = (world: World, shares: Allocation['shares']): void => {
  for (const share of shares) {
    const life = world.lives[share.unit]
    if (life === undefined) continue
    const { wire } = life
    // A new unit never says 'not paused'; one from the store says either.
    const wasPaused = wire['paused'] === true
    if (life.isLoaded || wasPaused !== !share.allowed) world.doc.setUnit(wire, 'paused', !share.allowed)
    life.isLoaded = false
    // What this unit gives up may be what another group's unit waits for.
    if (!share.allowed && !wasPaused) world.reschedule()
    if (!share.allowed || wire['cpus'] === share.cpus) continue
    world.doc.setUnit(wire, 'cpus', share.cpus)
    if (life.runningSince !== undefined) sendToUnit(world, life, { type: 'unit.resize', at: world.schedule.now() })
  }
}

const needsWord = (life: UnitLife): boolean =>
  life.wire['pause_reason'] !== undefined || life.snapshot.matches({ RUN: 'ready' }) || isLoadedAndResting(life)

/** Units from the store rest until the scheduler has looked at them, whether or not they show a reason. */
const isLoadedAndResting = (life: UnitLife): boolean =>
  (['DOWNLOAD', 'CORE', 'RUN', 'UPLOAD'] as const).some(state => life.snapshot.matches({ [state]: 'paused' }))

const tellUnit = (world: World, life: UnitLife, groupReason: string | undefined): void => {
  const at = world.schedule.now()
  const reason = groupReason ?? (life.wire['paused'] === true ? 'Resources not available' : undefined)
  if (stateOf(life) === 'DONE') return
  if (reason === undefined) {
    if (needsWord(life)) sendToUnit(world, life, { type: 'unit.fold', at })
  } else if (life.wire['pause_reason'] !== reason) sendToUnit(world, life, { type: 'unit.pause', at, reason })
}

/** A finishing group that has nothing left pauses itself. */
const finishGroup = (world: World, name: string, group: GroupDoc): void => {
  if (!group.config.finish || group.config.paused) return
  if (world.lives.some(life => life.wire['group'] === name)) return
  world.doc.setGroupConfig(name, 'paused', true)
  world.doc.setGroupConfig(name, 'finish', false)
  world.changed()
}

/**
 * Looks at every group and every unit once: shares the resources, starts new units, pauses what has none, lets the rest
 * work. Plans to look again when a group's wait is over.
 */
export const createUnitScheduler = (
  world: World,
  surroundings: () => Omit<Surroundings, 'now'>,
  nextNumber: () => number,
) => {
  let cancelLook = () => {}

  const planLook = (needs: readonly GroupNeed[], now: number): void => {
    cancelLook()
    const due = needs.map(need => need.waitUntil).filter(at => at > now)
    cancelLook = due.length === 0 ? () => {} : world.schedule.at(Math.min(...due), () => world.reschedule())
  }

  return {
    look: (): void => {
      const now = world.schedule.now()
      const around = { ...surroundings(), now }
      const groups = sortedGroups(world)
      const usableGpus = new Set(Object.entries(around.gpus).flatMap(([id, gpu]) => (gpu.supported ? [id] : [])))
      const needs = groups.map(([name, group]) => ({ name, config: group.config, waitUntil: waitOf(group) }))
      for (const need of needs) {
        const claims = world.lives.map(claimOf)
        const { shares, newUnits } = allocateGroup(need, claims, around, gpusFor(need.name, usableGpus, claims))
        applyShares(world, shares)
        for (const wanted of newUnits) addNewUnit(world, wanted, nextNumber())
      }
      for (const life of [...world.lives]) {
        const group = world.doc.groups.get(textOf(life.wire['group']))
        if (group !== undefined) tellUnit(world, life, groupPauseReason(group.config, around))
      }
      for (const [name, group] of groups) if (world.doc.groups.has(name)) finishGroup(world, name, group)
      planLook(needs, now)
    },
    stop: () => cancelLook(),
  }
}
