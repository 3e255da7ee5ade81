/* What pausing, folding or finishing single GPUs and CPUs means for a client. */
import { plural, t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { FoldingState, GroupPatch } from '../../protocol/client/commands.ts'
import { groupNames, groupsOf, groupState } from '../client/group.ts'
import { processorName, processorsOf, processorState, unitsOfProcessor } from '../client/processors.ts'
import {
  withNote,
  withoutNote,
  type ProcessorNote,
  isSameProcessor,
  noteOf,
  type Processor,
} from '../client/processor-notes.ts'
import {
  disturbedUnits,
  foldChange,
  heldNotes,
  pauseChange,
  withPatch,
  type ProcessorChange,
} from '../client/processor-changes.ts'
import { groupChange, unitNames } from '../client/resource-changes.ts'
import { configuredCpus, enabledGpus, gpuModel, shortGpuName } from '../client/resources.ts'
import type { BulkEffect, ProcessorChoice, ValueChange } from './bulk-action.ts'
import { changeValues, STATE_VALUES } from './bulk-values.ts'

/** A client whose processors are changed. `machine`: its own id. `now`: epoch milliseconds. `isWatched`: by a server, until one that finishes is paused. */
export type ProcessorOwner = {
  readonly data: ClientData
  readonly machine: string
  readonly notes: readonly ProcessorNote[]
  readonly now: number
  readonly isWatched: boolean
}

/** What pausing, folding or finishing the chosen processors means for their client. */
export function processorEffect(state: FoldingState, which: ProcessorChoice, owner: ProcessorOwner): BulkEffect {
  if (which.kind === 'count') return countEffect(state === 'fold' ? which.most : which.least, owner)
  const chosen = chosenProcessors(owner.data, owner.notes, which)
  if (chosen.length === 0) return { kind: 'impossible', because: missingText(which) }
  const plan = planOf(chosen, state, owner.data, owner)
  if (plan.changes.length > 0) return effectOf(plan, owner)
  return plan.because === undefined ? { kind: 'same', kept: [] } : { kind: 'impossible', because: plan.because }
}

/** The group that has the most CPUs. */
export function cpuGroup(data: ClientData): string | undefined {
  const cpusOf = (name: string): number => configuredCpus(groupsOf(data)[name]?.config)
  return groupNames(groupsOf(data)).toSorted((a, b) => cpusOf(b) - cpusOf(a))[0]
}

function countEffect(cpus: number, { data, now }: ProcessorOwner): BulkEffect {
  const group = cpuGroup(data)
  if (group === undefined) return { kind: 'impossible', because: t`It computes nothing on CPUs.` }
  const changed = changeValues({ groups: { [group]: { cpus } }, machine: {} }, data)
  if (changed === undefined) return { kind: 'same', kept: [] }
  const gpus = enabledGpus(groupsOf(data)[group]?.config)
  const { held, restarted } = groupChange(data, group, { cpus, gpus }, now)
  return {
    kind: 'change',
    changes: changed.changes,
    work: { kind: 'commands', commands: changed.commands },
    before: { kind: 'values', values: changed.before },
    resumed: [],
    kept: [],
    costs: disturbedTexts(held, restarted),
  }
}

function missingText(which: ProcessorChoice): string {
  if (which.kind === 'model') return t`It has no ${which.model}.`
  if (which.kind === 'gpus') return t`It computes nothing on GPUs.`
  return which.kind === 'cpus' ? t`It computes nothing on CPUs.` : t`It is no longer there.`
}

/** The effect of folding a client, with its processors that are paused by themselves. */
export function withProcessorsFolded(effect: BulkEffect, keepsPaused: boolean, owner: ProcessorOwner): BulkEffect {
  if (effect.kind !== 'change' && effect.kind !== 'same') return effect
  const paused = heldNotes(owner.data, owner.notes).filter(({ state }) => state === 'pause')
  const names = paused.map(note => processorName(note, owner.data.info))
  if (keepsPaused) return { ...effect, kept: [...effect.kept, ...names] }
  const { changes, resumed } = effect.kind === 'change' ? effect : { changes: [], resumed: [] }
  const folded = new Set(changes.map(({ group = '' }) => group))
  const groups = Object.fromEntries([...folded].map(name => [name, STATE_VALUES.fold]))
  let { data } = owner
  for (const name of folded) data = withPatch(data, name, STATE_VALUES.fold)
  const plan = planOf(paused, 'fold', data, owner)
  for (const [name, patch] of Object.entries(plan.groups)) groups[name] = { ...groups[name], ...patch }
  const all = { ...plan, groups, changes: [...changes, ...plan.changes] }
  return all.changes.length === 0 ? effect : effectOf(all, owner, [...resumed, ...names])
}

/** What becomes of a client by changes of its processors, one after the other. */
type ProcessorPlan = {
  /** As it would be after them. */
  readonly data: ClientData
  readonly groups: Readonly<Record<string, GroupPatch>>
  readonly notes: readonly ProcessorNote[]
  readonly changes: readonly ValueChange[]
  readonly costs: readonly string[]
  /** Why nothing can be done with the last one. */
  readonly because?: string
}

function planOf(
  processors: readonly Processor[],
  state: FoldingState,
  data: ClientData,
  { notes, now, isWatched }: ProcessorOwner,
): ProcessorPlan {
  const empty: ProcessorPlan = { data, groups: {}, notes, changes: [], costs: [] }
  return processors.reduce((plan, processor) => withProcessor(plan, processor, state, now, isWatched), empty)
}

function effectOf(
  { groups, notes, changes, costs }: ProcessorPlan,
  { data, machine, notes: before }: ProcessorOwner,
  resumed: readonly string[] = [],
): BulkEffect {
  const changed = changeValues({ groups, machine: {} }, data)
  return {
    kind: 'change',
    changes,
    work: changed === undefined ? { kind: 'note' } : { kind: 'commands', commands: changed.commands },
    before: { kind: 'values', values: changed?.before ?? { groups: {}, machine: {} }, notes: before },
    resumed,
    kept: [],
    costs,
    noted: { machine, notes },
  }
}

export function chosenProcessors(
  data: ClientData,
  notes: readonly ProcessorNote[],
  which: ProcessorChoice,
): readonly Processor[] {
  const all = groupNames(groupsOf(data)).flatMap(group => processorsOf(data, group, notes))
  switch (which.kind) {
    case 'one':
      return all.filter(processor => isSameProcessor(processor, which.processor))
    case 'model':
      return all.filter(({ gpu }) => gpu !== undefined && (gpu === which.model || modelOf(data, gpu) === which.model))
    case 'gpus':
      return all.filter(({ gpu }) => gpu !== undefined)
    case 'cpus':
      return all.filter(({ gpu }) => gpu === undefined)
    case 'count':
      return []
  }
}

export function modelOf(data: ClientData, gpu: string): string {
  return shortGpuName(gpuModel(data.info, gpu))
}

/** The models of GPUs that a client has in its groups. */
export function gpuModels(data: ClientData, notes: readonly ProcessorNote[]): readonly string[] {
  const all = groupNames(groupsOf(data)).flatMap(group => processorsOf(data, group, notes))
  return [...new Set(all.flatMap(({ gpu }) => (gpu === undefined ? [] : [modelOf(data, gpu)])))]
}

/** The plan with one processor more that is told to fold, pause or finish. */
function withProcessor(
  plan: ProcessorPlan,
  processor: Processor,
  state: FoldingState,
  now: number,
  isWatched: boolean,
): ProcessorPlan {
  const { data, notes } = plan
  const group = groupsOf(data)[processor.group]
  if (groupState(group) === 'pause') return { ...plan, because: t`Its whole group is paused. Fold the group first.` }
  const current = processorState(data, processor, notes)
  const note = noteOf(notes, processor)
  if (state === 'fold') {
    if (current === 'fold') return plan
    // Only the group finishes.
    if (current === 'finish' && note === undefined)
      return { ...plan, because: t`Its whole group is finishing. Fold the group instead.` }
    if (current === 'finish')
      return withChange(
        plan,
        processor,
        state,
        note?.isHolding === true ? { finish: false } : {},
        withoutNote(notes, processor),
      )
    const change = foldChange(data, processor, note, now)
    return withChange(
      plan,
      processor,
      state,
      change.patch,
      withoutNote(notes, processor),
      costsOf(data, processor, change),
    )
  }
  if (current === 'pause' || current === 'off') return plan
  const units = unitsOfProcessor(data, processor)
  if (state === 'finish' && units.length > 0) {
    if (current === 'finish') return plan
    if (processorsOf(data, processor.group, notes).length === 1)
      return withChange(plan, processor, state, { paused: false, finish: true }, notes)
    const finishing: ProcessorNote = { ...processor, state: 'finish', cpus: 0, at: now }
    return withChange(plan, processor, state, {}, withNote(notes, finishing), isWatched ? [] : [STAY_OPEN])
  }
  const change = pauseChange(data, processor, now)
  const cpus = Math.max(0, -change.cpus) + (note?.cpus ?? 0)
  const paused: ProcessorNote = { ...processor, state: 'pause', cpus, at: now }
  const fetching: GroupPatch = note?.isHolding === true ? { finish: false } : {}
  return withChange(
    plan,
    processor,
    'pause',
    { ...change.patch, ...fetching },
    withNote(notes, paused),
    costsOf(data, processor, change),
  )
}

const STAY_OPEN = t`keep this page open until then: otherwise it goes on with other work, or its whole group finishes`

function withChange(
  plan: ProcessorPlan,
  processor: Processor,
  after: FoldingState,
  patch: GroupPatch,
  notes: readonly ProcessorNote[],
  costs: readonly string[] = [],
): ProcessorPlan {
  const { group } = processor
  const { gpus, ...others } = patch
  const earlier = plan.groups[group]
  const allGpus = { ...earlier?.gpus, ...gpus }
  const before = processorState(plan.data, processor, plan.notes)
  return {
    data: withPatch(plan.data, group, patch),
    groups: {
      ...plan.groups,
      [group]: { ...earlier, ...others, ...(Object.keys(allGpus).length === 0 ? {} : { gpus: allGpus }) },
    },
    notes,
    changes: [
      ...plan.changes,
      { group, key: 'processor', name: processorName(processor, plan.data.info), before, after },
    ],
    costs: [...plan.costs, ...costs],
  }
}

function costsOf(data: ClientData, processor: Processor, change: ProcessorChange): readonly string[] {
  const { held, restarted, freedCpus } = disturbedUnits(data, processor, change)
  return [
    ...disturbedTexts(held, restarted),
    ...(freedCpus === 0
      ? []
      : [plural(freedCpus, { one: 'new work is fetched for # CPU', other: 'new work is fetched for # CPUs' })]),
  ]
}

function disturbedTexts(held: readonly Unit[], restarted: readonly Unit[]): readonly string[] {
  return [
    ...(held.length === 0 ? [] : [t`${unitNames(held)} is held back too`]),
    ...(restarted.length === 0 ? [] : [t`${unitNames(restarted)} starts again from the last checkpoint`]),
  ]
}
