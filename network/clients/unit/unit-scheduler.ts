import { MAX_CPUS_PER_UNIT, allocateGroup, groupPauseReason } from './allocation.ts'
import type { Allocation, ResourceClaim, GroupNeed, Environment } from './allocation.ts'
import type { GroupDoc } from '../document.ts'
import { addNewUnit, sendToUnit } from './unit-driver.ts'
import { stateOf } from './simulated-unit.ts'
import type { SimulatedUnit } from './simulated-unit.ts'
import { numberOf, textOf, textsOf } from '../wire-value.ts'
import type { ClientContext } from '../client-context.ts'

function claimOf(unit: SimulatedUnit): ResourceClaim {
  const { wire } = unit
  return {
    group: textOf(wire['group']),
    state: stateOf(unit),
    cpus: numberOf(wire['cpus']),
    gpus: textsOf(wire['gpus']),
    maxCpus: numberOf(unit.assignment?.['max_cpus'], MAX_CPUS_PER_UNIT),
    paused: wire['paused'] === true,
  }
}

/** GPUs that a group may use: those that no unit of another group uses. */
function gpusFor(group: string, all: ReadonlySet<string>, claims: readonly ResourceClaim[]): Set<string> {
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

/** Groups sorted by the bytes of their names, the client's order. */
export function sortedGroups(context: ClientContext): readonly (readonly [string, GroupDoc])[] {
  return [...context.doc.groups].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

function waitOf(group: GroupDoc): number {
  return group.extra.wait === undefined ? 0 : Date.parse(group.extra.wait)
}

function applyShares(context: ClientContext, shares: Allocation['shares']): void {
  for (const share of shares) {
    const unit = context.units[share.unit]
    if (unit === undefined) continue
    const { wire } = unit
    // A new unit sends `paused` only when it is true; a loaded one sends either value.
    const wasPaused = wire['paused'] === true
    if (unit.isLoaded || wasPaused !== !share.allowed) context.doc.setUnit(wire, 'paused', !share.allowed)
    unit.isLoaded = false
    // The freed resources may be enough for a unit of another group.
    if (!share.allowed && !wasPaused) context.reschedule()
    if (!share.allowed || wire['cpus'] === share.cpus) continue
    context.doc.setUnit(wire, 'cpus', share.cpus)
    if (unit.runningSince !== undefined) sendToUnit(context, unit, { type: 'unit.resize', at: context.schedule.now() })
  }
}

function awaitsScheduler(unit: SimulatedUnit): boolean {
  return unit.wire['pause_reason'] !== undefined || unit.snapshot.matches({ RUN: 'ready' }) || isLoadedAndPaused(unit)
}

/** Loaded units are paused until the first run of the scheduler, with or without a pause reason. */
function isLoadedAndPaused(unit: SimulatedUnit): boolean {
  return (['DOWNLOAD', 'CORE', 'RUN', 'UPLOAD'] as const).some(state => unit.snapshot.matches({ [state]: 'paused' }))
}

function applyPauseReason(context: ClientContext, unit: SimulatedUnit, groupReason: string | undefined): void {
  const at = context.schedule.now()
  const reason = groupReason ?? (unit.wire['paused'] === true ? 'Resources not available' : undefined)
  if (stateOf(unit) === 'DONE') return
  if (reason === undefined) {
    if (awaitsScheduler(unit)) sendToUnit(context, unit, { type: 'unit.fold', at })
  } else if (unit.wire['pause_reason'] !== reason) sendToUnit(context, unit, { type: 'unit.pause', at, reason })
}

/** Pauses a finishing group without units. */
function pauseFinishedGroup(context: ClientContext, name: string, group: GroupDoc): void {
  if (!group.config.finish || group.config.paused) return
  if (context.units.some(unit => unit.wire['group'] === name)) return
  context.doc.setGroupConfig(name, 'paused', true)
  context.doc.setGroupConfig(name, 'finish', false)
  context.changed()
}

/**
 * Assigns resources in every group, adds new units, pauses units without resources and resumes the others. Schedules
 * another run for the end of a group's wait.
 */
export function createUnitScheduler(
  context: ClientContext,
  readEnvironment: () => Omit<Environment, 'now'>,
  nextNumber: () => number,
) {
  let cancelNextRun = () => {}

  const planNextRun = (needs: readonly GroupNeed[], now: number): void => {
    cancelNextRun()
    const due = needs.map(need => need.waitUntil).filter(at => at > now)
    cancelNextRun = due.length === 0 ? () => {} : context.schedule.at(Math.min(...due), () => context.reschedule())
  }

  return {
    run: (): void => {
      const now = context.schedule.now()
      const environment = { ...readEnvironment(), now }
      const groups = sortedGroups(context)
      const usableGpus = new Set(Object.entries(environment.gpus).flatMap(([id, gpu]) => (gpu.supported ? [id] : [])))
      const needs = groups.map(([name, group]) => ({ name, config: group.config, waitUntil: waitOf(group) }))
      for (const need of needs) {
        const claims = context.units.map(claimOf)
        const { shares, newUnits } = allocateGroup(need, claims, environment, gpusFor(need.name, usableGpus, claims))
        applyShares(context, shares)
        for (const wanted of newUnits) addNewUnit(context, wanted, nextNumber())
      }
      for (const unit of [...context.units]) {
        const group = context.doc.groups.get(textOf(unit.wire['group']))
        if (group !== undefined) applyPauseReason(context, unit, groupPauseReason(group.config, environment))
      }
      for (const [name, group] of groups) if (context.doc.groups.has(name)) pauseFinishedGroup(context, name, group)
      planNextRun(needs, now)
    },
    stop: () => cancelNextRun(),
  }
}
