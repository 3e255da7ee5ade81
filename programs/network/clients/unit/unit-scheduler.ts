import { allocate, type ResourceClaim } from '../../../../src/folding/client/allocation.ts'
import type { GroupDoc } from '../document.ts'
import type { GpuSpec, GroupConfig } from '../types.ts'
import { addNewUnit, sendToUnit } from './unit-driver.ts'
import { stateOf, type SimulatedUnit } from './simulated-unit.ts'
import { numberOf, textOf, textsOf } from '../wire-value.ts'
import type { ClientContext } from '../client-context.ts'

type Environment = {
  readonly cpus: number
  readonly gpus: Readonly<Record<string, GpuSpec>>
  readonly inUse: boolean
  readonly onBattery: boolean
}

/** The pause reason of a whole group, or undefined. Its units keep their resources. */
function groupPauseReason(config: GroupConfig, { inUse, onBattery }: Environment): string | undefined {
  if (config.paused) return 'Paused'
  if (config.on_idle && inUse) return 'Waiting for idle system'
  if (!config.on_battery && onBattery) return 'Pausing on battery'
  return undefined
}

function isEnabled(config: GroupConfig, gpu: string): boolean {
  const setting = config.gpus[gpu]
  return (
    typeof setting === 'object' &&
    setting !== null &&
    !Array.isArray(setting) &&
    'enabled' in setting &&
    setting['enabled'] === true
  )
}

/** Supported GPUs that the group enables. Two groups can enable the same one. */
function gpusOf(config: GroupConfig, { gpus }: Environment): readonly string[] {
  return Object.keys(gpus)
    .filter(id => gpus[id]?.supported === true && isEnabled(config, id))
    .sort()
}

function claimOf({ wire, assignment }: SimulatedUnit): ResourceClaim {
  const cpus = numberOf(wire['cpus'])
  return {
    cpus,
    gpus: textsOf(wire['gpus']),
    minCpus: numberOf(assignment?.['min_cpus'], cpus),
    maxCpus: numberOf(assignment?.['max_cpus'], cpus),
  }
}

function claims(unit: SimulatedUnit): boolean {
  return ['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN'].includes(stateOf(unit))
}

/** Whether it may be held back for want of resources: its core has run, or is to run. */
function canBeHeld(unit: SimulatedUnit): boolean {
  const state = stateOf(unit)
  return state === 'RUN' || (state === 'CORE' && numberOf(unit.wire['run_time']) > 0)
}

/** Groups sorted by the bytes of their names, the client's order. */
export function sortedGroups(context: ClientContext): readonly (readonly [string, GroupDoc])[] {
  return [...context.doc.groups].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

function waitOf(group: GroupDoc): number {
  return group.extra.wait === undefined ? 0 : Date.parse(group.extra.wait)
}

function applyShare(context: ClientContext, unit: SimulatedUnit, isAllowed: boolean, cpus: number): void {
  const { wire } = unit
  const isPaused = canBeHeld(unit) && !isAllowed
  // A new unit sends `paused` only when it is true; a loaded one sends either value.
  if (unit.isLoaded || (wire['paused'] === true) !== isPaused) context.doc.setUnit(wire, 'paused', isPaused)
  unit.isLoaded = false
  if (!isAllowed || wire['cpus'] === cpus) return
  context.doc.setUnit(wire, 'cpus', cpus)
  if (unit.runningSince !== undefined) sendToUnit(context, unit, { type: 'unit.resize', at: context.schedule.now() })
}

/** CPUs for which a group may have one more unit. */
const CPUS_PER_UNIT = 64
/** Units that a group may have besides one for each GPU and each 64 CPUs. */
const MORE_UNITS = 3

/**
 * Gives a group's CPUs and GPUs to its units, and what is left to one new unit. While a unit of the group asks for work,
 * or the group waits after a failure, everything stays as it is (docs/protocol.md §6).
 */
function placeGroup(
  context: ClientContext,
  [name, group]: readonly [string, GroupDoc],
  environment: Environment,
  nextNumber: () => number,
): void {
  const { config } = group
  const groupUnits = context.units.filter(unit => unit.wire['group'] === name && stateOf(unit) !== 'DONE')
  const isAsking = groupUnits.some(unit => stateOf(unit) === 'ASSIGN' && !unit.isLoaded)
  const isWaiting = context.schedule.now() < waitOf(group)
  if (config.cpus < 0 || isAsking || isWaiting || groupPauseReason(config, environment) !== undefined) return
  const cpus = Math.floor(Math.min(config.cpus, environment.cpus))
  const gpus = gpusOf(config, environment)
  const claimants = groupUnits.filter(claims)
  const left = allocate(claimants.map(claimOf), cpus, gpus)
  const shares = new Map(claimants.map((unit, index) => [unit, left.shares[index]]))
  for (const unit of groupUnits) {
    const share = shares.get(unit)
    applyShare(context, unit, share?.isAllowed ?? true, share?.cpus ?? numberOf(unit.wire['cpus']))
  }
  const most = gpus.length + Math.floor(cpus / CPUS_PER_UNIT) + MORE_UNITS
  if (config.finish || groupUnits.length >= most || (left.cpus === 0 && left.gpus.size === 0)) return
  addNewUnit(context, { group: name, cpus: left.cpus, gpus: [...left.gpus] }, nextNumber())
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
  readEnvironment: () => Environment,
  nextNumber: () => number,
) {
  let cancelNextRun = () => {}

  const planNextRun = (groups: readonly GroupDoc[]): void => {
    cancelNextRun()
    const now = context.schedule.now()
    const due = groups.map(waitOf).filter(at => at > now)
    cancelNextRun = due.length === 0 ? () => {} : context.schedule.at(Math.min(...due), () => context.reschedule())
  }

  return {
    run: (): void => {
      const environment = readEnvironment()
      const groups = sortedGroups(context)
      for (const group of groups) placeGroup(context, group, environment, nextNumber)
      for (const unit of [...context.units]) {
        const group = context.doc.groups.get(textOf(unit.wire['group']))
        if (group !== undefined) applyPauseReason(context, unit, groupPauseReason(group.config, environment))
      }
      for (const [name, group] of groups) if (context.doc.groups.has(name)) pauseFinishedGroup(context, name, group)
      planNextRun(groups.map(([, group]) => group))
    },
    stop: () => cancelNextRun(),
  }
}
