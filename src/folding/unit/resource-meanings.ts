/*
 * Why a unit waits for CPUs or GPUs: rows of the table in unit-meaning.ts. A client has two words for all of these causes;
 * what decides between them is in its groups, its other units and its GPUs (docs/protocol.md §6).
 */
import { t } from '@lingui/core/macro'
import type { ClientData, Group, Unit } from '../../protocol/client/client-data.ts'
import { driverHelp, driverPlace, hasDriver, lacksDriver, unsupportedText } from '../client/gpu-driver.ts'
import { groupNameOf, groupOf, groupsOf, groupTitleOf } from '../client/group.ts'
import { cappedCpus, configuredCpus, enabledGpus, gpuIds, gpuName, gpuOf } from '../client/resources.ts'
import { formatList } from '../text/format.ts'
import { ownValue, positive, texts } from '../shared/read.ts'
import { pauseHelp, type PauseReason } from './pause-reasons.ts'
import type { Row, UnitEvidence } from './unit-evidence.ts'

const DETECTING = 'Waiting for GPU detection' satisfies PauseReason
const NO_RESOURCES = 'Resources not available' satisfies PauseReason

function isDetecting({ unit }: UnitEvidence): boolean {
  return unit.pause_reason === DETECTING
}

function isWithoutResources({ unit }: UnitEvidence): boolean {
  return unit.pause_reason === NO_RESOURCES
}

/** Whether it waits for CPUs or GPUs, by its client's words. */
export function isHeldForResources(unit: Unit): boolean {
  return unit.pause_reason === DETECTING || unit.pause_reason === NO_RESOURCES
}

/** The GPUs that it waits for: its own, and while they are detected all that its group enables. */
function awaitedGpus(evidence: UnitEvidence): readonly string[] {
  const { unit, data } = evidence
  if (isWithoutResources(evidence)) return texts(unit.gpus)
  if (!isDetecting(evidence)) return []
  return [...texts(unit.gpus), ...enabledGpus(groupOf(data, unit)?.config)]
}

function driverless(evidence: UnitEvidence): string | undefined {
  return awaitedGpus(evidence).find(id => lacksDriver(evidence.data?.info, id))
}

/** While a client that found no GPU yet detects them, none is missing. */
function missing(evidence: UnitEvidence): string | undefined {
  const info = evidence.data?.info
  if (info === undefined || (isDetecting(evidence) && gpuIds(info).length === 0)) return undefined
  return awaitedGpus(evidence).find(id => gpuOf(info, id) === undefined)
}

function unsupported(evidence: UnitEvidence): string | undefined {
  const info = evidence.data?.info
  return awaitedGpus(evidence).find(id => gpuOf(info, id)?.supported === false && hasDriver(gpuOf(info, id)))
}

/** GPUs that could compute, and that no group enables: where a card went that has another address since. */
function unusedGpus(data: ClientData | undefined): readonly string[] {
  const used = new Set(Object.values(groupsOf(data)).flatMap(({ config }) => enabledGpus(config)))
  return gpuIds(data?.info).filter(id => gpuOf(data?.info, id)?.supported === true && !used.has(id))
}

function gpuWithPlace(data: ClientData | undefined, id: string): string {
  return `${gpuName(data?.info, id)} (${id})`
}

/** The box of a GPU in the settings of its group; without an id the first one. */
function gpuSetting(id: string | undefined): string {
  return id === undefined ? 'gpus' : `gpus ${id}`
}

/** What else stands still: a group that waits for a GPU starts nothing. */
function groupStands(evidence: UnitEvidence): string {
  return isDetecting(evidence) ? ` ${t`Until then the whole group waits, also its CPU work units.`}` : ''
}

function untickedGpu(evidence: UnitEvidence): string | undefined {
  const { unit, data } = evidence
  const group = groupOf(data, unit)
  if (!isWithoutResources(evidence) || group === undefined) return undefined
  const enabled = enabledGpus(group.config)
  return texts(unit.gpus).find(id => !enabled.includes(id))
}

/** Other units of its group that are not held back. */
function companions({ unit, data }: UnitEvidence): readonly Unit[] {
  return (data?.units ?? []).filter(
    other => other !== unit && groupNameOf(other) === groupNameOf(unit) && other.pause_reason === undefined,
  )
}

/** Those that hold CPUs and GPUs. One in ASSIGN holds nothing yet: what it gets is decided after that. */
function holders(evidence: UnitEvidence): readonly Unit[] {
  return companions(evidence).filter(({ state }) => ['DOWNLOAD', 'CORE', 'RUN'].includes(String(state)))
}

function asker(evidence: UnitEvidence): Unit | undefined {
  return isWithoutResources(evidence) ? companions(evidence).find(({ state }) => state === 'ASSIGN') : undefined
}

function gpuHolder(evidence: UnitEvidence): Unit | undefined {
  if (!isWithoutResources(evidence)) return undefined
  const gpus = texts(evidence.unit.gpus)
  return holders(evidence).find(other => texts(other.gpus).some(id => gpus.includes(id)))
}

function unitNumber(unit: Unit | undefined): string {
  return `WU${String(unit?.number ?? '')}`
}

/** CPUs that it needs at least, of those that its group may use. Undefined where that holds nothing back. */
function cpuNeed(evidence: UnitEvidence): { readonly least: number; readonly all: number } | undefined {
  const { unit, data } = evidence
  const group: Group | undefined = groupOf(data, unit)
  if (!isWithoutResources(evidence) || group === undefined) return undefined
  const least = positive(ownValue(unit.assignment, 'min_cpus')) ?? positive(unit.cpus) ?? 0
  const isGpuUnit = texts(unit.gpus).length > 0
  // A GPU unit that needs less than two CPUs starts without one.
  if (isGpuUnit && least < 2) return undefined
  return { least: Math.max(least, 1), all: cappedCpus(configuredCpus(group.config), data?.info) }
}

function usedCpus(evidence: UnitEvidence): number {
  return holders(evidence).reduce((sum, { cpus }) => sum + (positive(cpus) ?? 0), 0)
}

export const RESOURCE_MEANINGS: readonly Row[] = [
  {
    id: 'driver lost',
    source: '§3',
    holds: evidence => driverless(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    reason: evidence =>
      t`The client finds no driver for its GPU, ${gpuName(evidence.data?.info, driverless(evidence) ?? '')}.`,
    help: evidence => driverHelp(driverPlace(evidence.data?.info, driverless(evidence) ?? '')),
  },
  {
    id: 'GPU moved',
    source: '§6',
    holds: evidence => missing(evidence) !== undefined && unusedGpus(evidence.data).length > 0,
    condition: 'held',
    status: () => 'PAUSE',
    setting: evidence => gpuSetting(missing(evidence)),
    reason: evidence => {
      const unused = formatList(unusedGpus(evidence.data).map(id => gpuWithPlace(evidence.data, id)))
      return `${t`It waits for ${missing(evidence) ?? ''}. The computer has no GPU at that place, and an unused one: ${unused}.`}${groupStands(evidence)}`
    },
    help: () =>
      t`If the GPU got another place, open the machine’s settings, untick the missing GPU in this group and tick the one that is there. Work units that were begun on the missing one go on only there: dump them if it does not come back.`,
  },
  {
    id: 'GPU missing',
    source: '§3',
    holds: evidence => missing(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    setting: evidence => gpuSetting(missing(evidence)),
    reason: evidence => `${t`The computer has no GPU ${missing(evidence) ?? ''} any more.`}${groupStands(evidence)}`,
    help: () =>
      t`If it was moved to another slot, or taken out, dump this work unit. Otherwise check its seat and its power.`,
  },
  {
    id: 'GPU unsupported',
    source: '§3',
    holds: evidence => unsupported(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    setting: evidence => gpuSetting(unsupported(evidence)),
    reason: evidence =>
      `${unsupportedText(groupTitleOf(evidence.data?.info, groupNameOf(evidence.unit)), gpuWithPlace(evidence.data, unsupported(evidence) ?? ''))}${groupStands(evidence)}`,
    help: () => pauseHelp(NO_RESOURCES),
  },
  {
    id: 'detecting GPUs',
    source: '§3',
    holds: isDetecting,
    condition: 'held',
    status: () => 'PAUSE',
    setting: () => gpuSetting(undefined),
    reason: () => t`The machine is still detecting its GPUs.`,
    help: () =>
      t`If that lasts, either its list of GPUs could not be downloaded: check its internet connection. Or a GPU that is ticked in the machine’s settings is not there, or not usable: untick it.`,
  },
  {
    id: 'GPU not ticked',
    source: '§6',
    holds: evidence => untickedGpu(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    setting: evidence => gpuSetting(untickedGpu(evidence)),
    reason: evidence =>
      t`Its GPU ${gpuName(evidence.data?.info, untickedGpu(evidence) ?? '')} is paused, or disabled in the settings of its group. Other work units go on. Press Fold at this work unit to go on with it, or dump it.`,
  },
  {
    id: 'GPU in use',
    source: '§6',
    holds: evidence => gpuHolder(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    reason: evidence => t`Its GPU is used by ${unitNumber(gpuHolder(evidence))} of its group. It goes on after that.`,
  },
  {
    id: 'too few CPUs',
    source: '§6',
    holds: evidence => {
      const need = cpuNeed(evidence)
      return need !== undefined && need.all < need.least
    },
    condition: 'held',
    status: () => 'PAUSE',
    setting: () => 'cpus',
    reason: evidence => {
      const { least = 0, all = 0 } = cpuNeed(evidence) ?? {}
      return t`CPUs that it needs: ${least}. CPUs of its group: ${all}.`
    },
    help: () => pauseHelp(NO_RESOURCES),
  },
  {
    id: 'group asks',
    source: '§6',
    holds: evidence => asker(evidence) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    reason: evidence =>
      t`${unitNumber(asker(evidence))} of its group asks for work. The group starts nothing else until it gets some.`,
    help: () => t`If that lasts, press Pause and then Fold: work units that are there start first.`,
  },
  {
    id: 'CPUs in use',
    source: '§6',
    holds: evidence => {
      const need = cpuNeed(evidence)
      return need !== undefined && need.all - usedCpus(evidence) < need.least
    },
    condition: 'held',
    status: () => 'PAUSE',
    setting: () => 'cpus',
    reason: evidence => {
      const { least = 0, all = 0 } = cpuNeed(evidence) ?? {}
      const used = Math.min(all, usedCpus(evidence))
      return t`CPUs that it needs: ${least}. CPUs of its group: ${all}, of which other work units use ${used}.`
    },
  },
]
