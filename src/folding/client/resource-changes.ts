/* What a change of a group's CPUs and GPUs does to units that run, before it is saved. */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { formatList } from '../text/format.ts'
import { ownValue, positive, texts } from '../shared/read.ts'
import { clientTime, isWorking } from '../unit/unit-meaning.ts'
import { allocate, type ResourceClaim, type Share } from './allocation.ts'
import type { ClientForm, GroupForm } from './client-form.ts'
import { groupNameOf, groupsOf, groupState } from './group.ts'
import { cappedCpus, configuredCpus, enabledGpus, gpuOf } from './resources.ts'

/** Units that are stopped until the group has their resources again, and those that begin again from a checkpoint. */
export type ResourceChange = { readonly held: readonly Unit[]; readonly restarted: readonly Unit[] }

/** What saving `form` does to running units of groups that fold. `now`: on this page's clock. */
export function resourceChange(data: ClientData, form: ClientForm, now: number): ResourceChange {
  const at = clientTime(data, now)
  const held: Unit[] = []
  const restarted: Unit[] = []
  for (const [name, group] of Object.entries(groupsOf(data))) {
    const wanted = form.groups !== undefined && Object.hasOwn(form.groups, name) ? form.groups[name] : undefined
    if (wanted === undefined || groupState(group) === 'pause') continue
    const units = data.units.filter(unit => groupNameOf(unit) === name && isClaiming(unit))
    const before = sharesOf(data, units, configuredCpus(group.config), enabledGpus(group.config))
    const after = sharesOf(data, units, wanted.cpus, gpusOf(wanted))
    for (const [index, unit] of units.entries()) {
      const [was, is] = [before[index], after[index]]
      if (!isWorking(unit, at) || was === undefined || is === undefined || !was.isAllowed) continue
      if (!is.isAllowed) held.push(unit)
      else if (was.cpus !== is.cpus) restarted.push(unit)
    }
  }
  return { held, restarted }
}

/** The same in words; undefined where nothing that runs is disturbed. */
export function resourceChangeText({ held, restarted }: ResourceChange): string | undefined {
  const parts = [
    held.length === 0
      ? undefined
      : t`When you save, ${namesOf(held)} will be held back until the group has its CPUs and GPUs again; its timeout runs on.`,
    restarted.length === 0
      ? undefined
      : t`When you save, ${namesOf(restarted)} will start again from the last checkpoint, because the number of its CPUs changes.`,
  ].filter(part => part !== undefined)
  if (parts.length === 0) return undefined
  return [...parts, t`Groups of their own for CPUs and GPUs avoid that.`].join(' ')
}

function namesOf(units: readonly Unit[]): string {
  return formatList(units.map(({ number }) => `WU${String(number ?? '')}`))
}

function isClaiming(unit: Unit): boolean {
  return ['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN'].includes(String(unit.state))
}

function gpusOf({ gpus }: GroupForm): readonly string[] {
  return Object.keys(gpus).filter(id => gpus[id] === true)
}

function sharesOf(data: ClientData, units: readonly Unit[], cpus: number, gpus: readonly string[]): readonly Share[] {
  const usable = gpus.filter(id => gpuOf(data.info, id)?.supported === true)
  return allocate(units.map(claimOf), cappedCpus(cpus, data.info), usable).shares
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
