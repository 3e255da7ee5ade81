/* What a change of a group's CPUs and GPUs does to units that run, before it is saved. */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { formatList } from '../text/format.ts'
import { ownValue, positive, texts } from '../shared/read.ts'
import { clientTime, isWorking } from '../unit/unit-meaning.ts'
import { allocate, type Allocation, type ResourceClaim } from './allocation.ts'
import type { ClientForm, GroupForm } from './client-form.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'
import { cappedCpus, configuredCpus, enabledGpus, gpuOf } from './resources.ts'

/** Units that are stopped until the group has their resources again, and those that begin again from a checkpoint. */
export type ResourceChange = { readonly held: readonly Unit[]; readonly restarted: readonly Unit[] }

/** The CPUs and the GPUs that a group uses. */
export type GroupResources = { readonly cpus: number; readonly gpus: readonly string[] }

/** `freeCpus`: that no unit uses afterwards, for which the group asks for a new one. */
export type GroupChange = ResourceChange & { readonly freeCpus: number }

/** What saving `form` does to running units of groups that fold. `now`: on this page's clock. */
export function resourceChange(data: ClientData, form: ClientForm, now: number): ResourceChange {
  const changes = Object.keys(groupsOf(data)).flatMap(name => {
    const wanted = form.groups !== undefined && Object.hasOwn(form.groups, name) ? form.groups[name] : undefined
    return wanted === undefined ? [] : [groupChange(data, name, { cpus: wanted.cpus, gpus: gpusOf(wanted) }, now)]
  })
  return { held: changes.flatMap(({ held }) => held), restarted: changes.flatMap(({ restarted }) => restarted) }
}

/** What other CPUs and GPUs do to the running units of a group. `now`: on this page's clock. */
export function groupChange(data: ClientData, name: string, wanted: GroupResources, now: number): GroupChange {
  const group = groupsOf(data)[name]
  const at = clientTime(data, now)
  const held: Unit[] = []
  const restarted: Unit[] = []
  const units = claimingUnits(data, name)
  const before = allocationOf(data, units, configuredCpus(group?.config), enabledGpus(group?.config)).shares
  const after = allocationOf(data, units, wanted.cpus, wanted.gpus)
  for (const [index, unit] of units.entries()) {
    const [was, is] = [before[index], after.shares[index]]
    if (groupState(group) === 'pause' || !isWorking(unit, at) || was === undefined || is === undefined) continue
    if (was.isAllowed && !is.isAllowed) held.push(unit)
    else if (was.isAllowed && was.cpus !== is.cpus) restarted.push(unit)
  }
  return { held, restarted, freeCpus: after.cpus }
}

/** The CPUs that each unit of a group has, by what the client gives it; none for one that is held. */
export function cpuShares(data: ClientData, name: string): ReadonlyMap<Unit, number> {
  const config = groupsOf(data)[name]?.config
  const units = claimingUnits(data, name)
  const { shares } = allocationOf(data, units, configuredCpus(config), enabledGpus(config))
  return new Map(units.map((unit, index) => [unit, shares[index]?.isAllowed === true ? shares[index].cpus : 0]))
}

/** The same in words; undefined where nothing that runs is disturbed. */
export function resourceChangeText({ held, restarted }: ResourceChange): string | undefined {
  const parts = [
    held.length === 0
      ? undefined
      : t`When you save, ${unitNames(held)} will be held back until the group has its CPUs and GPUs again; its timeout runs on.`,
    restarted.length === 0
      ? undefined
      : t`When you save, ${unitNames(restarted)} will start again from the last checkpoint, because the number of its CPUs changes.`,
  ].filter(part => part !== undefined)
  if (parts.length === 0) return undefined
  return [...parts, t`Groups of their own for CPUs and GPUs avoid that.`].join(' ')
}

/** 'WU3, WU5'. */
export function unitNames(units: readonly Unit[]): string {
  return formatList(units.map(({ number }) => `WU${String(number ?? '')}`))
}

/** Units of a group that are not yet computed to their end. */
export function claimingUnits(data: ClientData, name: string): readonly Unit[] {
  return data.units.filter(
    unit => groupNameOf(unit) === name && ['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN'].includes(String(unit.state)),
  )
}

function gpusOf({ gpus }: GroupForm): readonly string[] {
  return Object.keys(gpus).filter(id => gpus[id] === true)
}

function allocationOf(data: ClientData, units: readonly Unit[], cpus: number, gpus: readonly string[]): Allocation {
  const usable = gpus.filter(id => gpuOf(data.info, id)?.supported === true)
  return allocate(units.map(claimOf), cappedCpus(cpus, data.info), usable)
}

function claimOf(unit: Unit): ResourceClaim {
  const cpus = positive(unit.cpus) ?? 0
  return {
    cpus,
    gpus: texts(unit.gpus),
    minCpus: positive(ownValue(unit.assignment, 'min_cpus')) ?? cpus,
    maxCpus: positive(ownValue(unit.assignment, 'max_cpus')) ?? cpus,
  }
}
