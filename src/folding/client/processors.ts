/*
 * One GPU of a group, or its CPUs, paused or finished by itself. A client knows only groups: a GPU that its group does not use holds its
 * units, and so do too few CPUs (docs/protocol.md §6). What was done so is noted outside the client.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { texts } from '../shared/read.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'
import { noteOf, type Processor, type ProcessorNote } from './processor-notes.ts'
import { claimingUnits, cpuShares } from './resource-changes.ts'
import { configuredCpus, enabledGpus, gpuName, shortGpuName } from './resources.ts'

/** `off`: its group does not use it, and nothing is noted of it: the settings say so, or another page paused it. */
export type ProcessorState = FoldingState | 'off'

/** The processor that computes a unit; of several GPUs the first. */
export function processorOf(unit: Unit): Processor {
  const [gpu] = texts(unit.gpus)
  return { group: groupNameOf(unit), ...(gpu === undefined ? {} : { gpu }) }
}

/** 'GeForce RTX 4090', or 'CPUs'. */
export function processorName({ gpu }: Processor, info: ClientInfo | undefined): string {
  return gpu === undefined ? t`CPUs` : shortGpuName(gpuName(info, gpu))
}

/** The processors of a group: GPUs that it uses, whose units it has or of which something is noted, and its CPUs if it has units for them. */
export function processorsOf(data: ClientData, group: string, notes: readonly ProcessorNote[]): readonly Processor[] {
  const config = groupsOf(data)[group]?.config
  const units = claimingUnits(data, group)
  const noted = notes.filter(note => note.group === group)
  const gpus = new Set([
    ...enabledGpus(config),
    ...units.flatMap(({ gpus: used }) => texts(used)),
    ...noted.flatMap(({ gpu }) => (gpu === undefined ? [] : [gpu])),
  ])
  const hasCpus =
    noted.some(({ gpu }) => gpu === undefined) ||
    units.some(unit => texts(unit.gpus).length === 0) ||
    (gpus.size === 0 && configuredCpus(config) > 0)
  return [...[...gpus].sort().map(gpu => ({ group, gpu })), ...(hasCpus ? [{ group }] : [])]
}

export function isUsed(data: ClientData, { group, gpu }: Processor): boolean {
  const config = groupsOf(data)[group]?.config
  if (gpu !== undefined) return enabledGpus(config).includes(gpu)
  let left = configuredCpus(config)
  for (const [unit, cpus] of cpuShares(data, group)) {
    if (texts(unit.gpus).length === 0 && cpus > 0) return true
    left -= cpus
  }
  return left > 0
}

/** Undefined where its group is not there. A group that is paused has all its processors paused. */
export function processorState(
  data: ClientData,
  processor: Processor,
  notes: readonly ProcessorNote[],
): ProcessorState | undefined {
  const group = groupsOf(data)[processor.group]
  if (group === undefined) return undefined
  const state = groupState(group)
  if (state === 'pause') return 'pause'
  const note = noteOf(notes, processor)
  if (!isUsed(data, processor)) return note === undefined ? 'off' : 'pause'
  if (note?.state === 'finish') return 'finish'
  // Its group finishes only until another one of its processors has finished.
  const isHolding = notes.some(other => other.group === processor.group && other.isHolding === true)
  return state === 'finish' && isHolding ? 'fold' : state
}

/** Its units that are not yet computed to their end. */
export function unitsOfProcessor(data: ClientData, { group, gpu }: Processor): readonly Unit[] {
  return claimingUnits(data, group).filter(unit =>
    gpu === undefined ? texts(unit.gpus).length === 0 : texts(unit.gpus).includes(gpu),
  )
}
