/*
 * GPUs and CPUs of a machine that schedules keep by themselves, as they keep a resource group: the same machines, decisions and
 * previews. Where the name of a group stands, a star and what is meant stand for them (`isPart`).
 */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { fetchesOf, type Fetch, type IdleTime } from '../fleet/idle-time.ts'
import { groupNames, groupsOf, groupState, groupTitle } from '../client/group.ts'
import type { ProcessorNote } from '../client/processor-notes.ts'
import { processorsOf, processorState, unitsOfProcessor } from '../client/processors.ts'
import { groupChange } from '../client/resource-changes.ts'
import { configuredCpus, enabledGpus, gpuSlot } from '../client/resources.ts'
import type { ProcessorChoice } from '../fleet/bulk-action.ts'
import { chosenProcessors, cpuGroup, modelOf } from '../fleet/processor-plan.ts'
import { clientTime, isWorking } from '../unit/unit-meaning.ts'
import { timeLeft } from '../unit/unit-progress.ts'
import { isPart } from './schedule.ts'

const CPUS = '*cpus'
const GPUS = '*gpus'

/** How many CPUs a machine uses while it is paused, and while it folds: `*cpus:4-12`. */
const COUNT = /^\*cpus:([1-9]\d{0,3})-([1-9]\d{0,3})$/

/** The numbers of a part that is a number of CPUs; undefined for others. */
export function cpuCounts(part: string): { readonly least: number; readonly most: number } | undefined {
  const [, least, most] = COUNT.exec(part) ?? []
  return least === undefined ? undefined : { least: Number(least), most: Number(most) }
}

export function cpuCountPart(least: number, most: number): string {
  return `${CPUS}:${Math.max(1, least)}-${Math.max(1, most)}`
}

/** `*cpus`, `*gpus`, `*cpus:4-12`, else those of a model or one by its id. */
export function partChoice(part: string): ProcessorChoice {
  if (part === CPUS) return { kind: 'cpus' }
  const counts = cpuCounts(part)
  if (counts !== undefined) return { kind: 'count', ...counts }
  return part === GPUS ? { kind: 'gpus' } : { kind: 'model', model: part.slice(1) }
}

/** The display name of a group, or of GPUs or CPUs. */
export function scopeTitle(name: string): string {
  if (!isPart(name)) return groupTitle(name)
  if (name === CPUS) return t`CPUs`
  if (name === GPUS) return t`GPUs`
  const counts = cpuCounts(name)
  if (counts !== undefined) return t`${counts.least} or ${counts.most} CPUs`
  return name.startsWith('*gpu:') ? `GPU ${gpuSlot(name.slice(1))}` : name.slice(1)
}

/** What of a machine can be kept by itself; nothing where it has only one GPU, or only CPUs. */
export function partsOf(data: ClientData | undefined, notes: readonly ProcessorNote[] = []): readonly string[] {
  if (data === undefined) return []
  const all = groupNames(groupsOf(data)).flatMap(group => processorsOf(data, group, notes))
  const gpus = all.flatMap(({ gpu }) => gpu ?? [])
  if (all.length < 2 || gpus.length === 0) return []
  const models = gpus.map(gpu => modelOf(data, gpu))
  return [
    ...(all.length > gpus.length ? [CPUS] : []),
    GPUS,
    ...[...new Set(models)].map(model => `*${model}`),
    ...gpus.filter((_, index) => models.filter(model => model === models[index]).length > 1).map(gpu => `*${gpu}`),
  ]
}

/** How a part of a machine is. `isMixed`: differently. `isBlocked`: its whole group is paused, so that nothing can be done with it. */
export type PartSeen = {
  readonly state: FoldingState
  readonly isMixed?: true
  readonly isBlocked?: true
  /** A number of CPUs, which is never left as a person set it. */
  readonly isFailed?: true
  /** Of a number of CPUs, when the unit ends that another number makes start again. */
  readonly endsAt: number | undefined
  readonly fetches?: readonly Fetch[]
}

/** Undefined where the machine has no such part. `at`: epoch milliseconds. */
export function partSeen(
  data: ClientData,
  notes: readonly ProcessorNote[],
  part: string,
  at: number,
  lengths?: IdleTime['lengths'],
): PartSeen | undefined {
  const counts = cpuCounts(part)
  if (counts !== undefined) return countSeen(data, counts, at)
  const all = chosenProcessors(data, notes, partChoice(part))
  if (all.length === 0) return undefined
  const free = all.filter(({ group }) => groupState(groupsOf(data)[group]) !== 'pause')
  if (free.length === 0) return { state: 'pause', isBlocked: true, endsAt: undefined }
  const states = new Set(
    free.map(processor => {
      const state = processorState(data, processor, notes)
      return state === undefined || state === 'off' ? 'pause' : state
    }),
  )
  const units = free.flatMap(processor => unitsOfProcessor(data, processor))
  const gpus = free.flatMap(({ gpu }) => gpu ?? [])
  const [state = 'pause'] = states
  return {
    state: states.size > 1 ? 'fold' : state,
    ...(states.size > 1 ? { isMixed: true } : {}),
    endsAt: firstEnd(data, units, at),
    ...(lengths === undefined ? {} : { fetches: fetchesOf(data, units, gpus, lengths, at) }),
  }
}

/** When the first of the units ends that are worked on: epoch milliseconds. */
export function firstEnd(data: ClientData, units: readonly Unit[], at: number): number | undefined {
  const time = clientTime(data, at)
  const ends = units.flatMap(unit => {
    const seconds = isWorking(unit, time) ? timeLeft(unit, time) : undefined
    return seconds === undefined ? [] : [at + seconds * 1000]
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function countSeen(
  data: ClientData,
  { least, most }: { readonly least: number; readonly most: number },
  at: number,
): PartSeen | undefined {
  const group = cpuGroup(data)
  if (group === undefined) return undefined
  const { config } = groupsOf(data)[group] ?? {}
  const cpus = configuredCpus(config)
  const state = cpus === most ? 'fold' : 'pause'
  const next = { cpus: cpus === most ? least : most, gpus: enabledGpus(config) }
  const { held, restarted } = groupChange(data, group, next, at)
  const endsAt = firstEnd(data, [...held, ...restarted], at)
  return { state, ...(cpus === most || cpus === least ? {} : { isMixed: true }), isFailed: true, endsAt }
}
