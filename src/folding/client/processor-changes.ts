/* What pausing, folding and finishing a single GPU, or the CPUs of a group, changes at its client, and what is noted of it. */
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { GroupPatch } from '../../protocol/client/commands.ts'
import { isSameList } from '../shared/equal.ts'
import { positive } from '../shared/read.ts'
import { isWorking, clientTime } from '../unit/unit-meaning.ts'
import { timeLeft } from '../unit/unit-progress.ts'
import { groupsOf, groupState } from './group.ts'
import type { ProcessorNote, Processor } from './processor-notes.ts'
import { isUsed, unitsOfProcessor } from './processors.ts'
import { cpuShares, groupChange, type GroupChange, type GroupResources } from './resource-changes.ts'
import { configuredCpus, enabledGpus } from './resources.ts'

/** The client as it would report itself after a change of a group. */
export function withPatch(data: ClientData, name: string, { gpus, ...others }: GroupPatch): ClientData {
  const group = data.groups[name]
  const config = { ...group?.config, ...others, gpus: { ...group?.config?.gpus, ...gpus } }
  return { ...data, groups: { ...data.groups, [name]: { ...group, config } } }
}

/** What pausing or folding a processor does to its group: the change of its configuration, and to the units of others. */
export type ProcessorChange = {
  readonly patch: GroupPatch
  /** CPUs that the group has less, or more. */
  readonly cpus: number
  readonly effect: GroupChange
}

function resourcesOf(data: ClientData, group: string): GroupResources {
  const config = groupsOf(data)[group]?.config
  return { cpus: configuredCpus(config), gpus: enabledGpus(config) }
}

/** Pauses it: its CPUs leave the group with it, so that no other unit gets them. */
export function pauseChange(data: ClientData, processor: Processor, now: number): ProcessorChange {
  const has = resourcesOf(data, processor.group)
  const shares = cpuShares(data, processor.group)
  const units = unitsOfProcessor(data, processor)
  const used = units.reduce((sum, unit) => sum + (shares.get(unit) ?? 0), 0)
  if (processor.gpu === undefined) {
    const all = [...shares.values()].reduce((sum, cpus) => sum + cpus, 0)
    return changeOf(data, processor, { ...has, cpus: Math.min(has.cpus, Math.max(0, all - used)) }, now)
  }
  const gpus = has.gpus.filter(id => id !== processor.gpu)
  // Between two units the CPU of the next one is free.
  const reserved = units.length > 0 ? used : Math.min(1, groupChange(data, processor.group, has, now).freeCpus)
  return leastDisturbing(data, processor, { cpus: Math.max(0, has.cpus - reserved), gpus }, now)
}

/** Folds it again, with the CPUs that were taken out of the group with it. */
export function foldChange(
  data: ClientData,
  processor: Processor,
  note: ProcessorNote | undefined,
  now: number,
): ProcessorChange {
  const has = resourcesOf(data, processor.group)
  const most = positive(data.info.cpus) ?? Infinity
  const cpus = Math.max(has.cpus, Math.min(most, has.cpus + (note?.cpus ?? 0)))
  if (processor.gpu === undefined)
    return changeOf(
      data,
      processor,
      { ...has, cpus: note === undefined ? guessedCpus(data, processor, has.cpus) : cpus },
      now,
    )
  return leastDisturbing(data, processor, { cpus, gpus: [...new Set([...has.gpus, processor.gpu])] }, now)
}

/** Where nothing is noted: those that its units had, else as many as no group uses. */
function guessedCpus(data: ClientData, processor: Processor, has: number): number {
  const units = unitsOfProcessor(data, processor)
  const used = units.reduce((sum, unit) => sum + (positive(unit.cpus) ?? 0), 0)
  const all = Math.floor(positive(data.info.cpus) ?? has)
  const others = Object.values(groupsOf(data)).reduce((sum, { config }) => sum + configuredCpus(config), 0) - has
  return Math.max(has, units.length > 0 ? Math.min(all, has + used) : all - others)
}

function changeOf(data: ClientData, processor: Processor, wanted: GroupResources, now: number): ProcessorChange {
  const { group, gpu } = processor
  const has = resourcesOf(data, group)
  const isOn = gpu !== undefined && wanted.gpus.includes(gpu)
  return {
    patch: {
      ...(wanted.cpus === has.cpus ? {} : { cpus: wanted.cpus }),
      ...(gpu === undefined || has.gpus.includes(gpu) === isOn ? {} : { gpus: { [gpu]: { enabled: isOn } } }),
    },
    cpus: wanted.cpus - has.cpus,
    effect: groupChange(data, group, wanted, now),
  }
}

/** With the number of CPUs that disturbs the fewest other units and leaves the fewest for a new one, near that which is wanted. */
function leastDisturbing(data: ClientData, processor: Processor, wanted: GroupResources, now: number): ProcessorChange {
  const units = new Set(unitsOfProcessor(data, processor))
  const free = groupChange(data, processor.group, resourcesOf(data, processor.group), now).freeCpus
  const most = Math.min(positive(data.info.cpus) ?? wanted.cpus, wanted.cpus + units.size * MOST_CPUS_OF_A_GPU)
  const least = Math.max(0, wanted.cpus - MOST_CPUS_OF_A_GPU)
  const costOf = (change: ProcessorChange): readonly number[] => [
    othersDisturbed(change.effect, units).length,
    Math.max(0, change.effect.freeCpus - free),
    Math.abs((change.patch.cpus ?? wanted.cpus) - wanted.cpus),
  ]
  let best = changeOf(data, processor, wanted, now)
  for (let cpus = least; cpus <= most && isCostly(costOf(best)); cpus += 1) {
    const change = changeOf(data, processor, { ...wanted, cpus }, now)
    if (isLess(costOf(change), costOf(best))) best = change
  }
  return best
}

/** GPU units use one CPU or a few. */
const MOST_CPUS_OF_A_GPU = 16

function isCostly([disturbed = 0, free = 0]: readonly number[]): boolean {
  return disturbed > 0 || free > 0
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, position) => value !== b[position])
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0)
}

function othersDisturbed({ held, restarted }: GroupChange, units: ReadonlySet<Unit>): readonly Unit[] {
  return [...held, ...restarted].filter(unit => !units.has(unit))
}

/**
 * Units of others that a change holds or makes start again from a checkpoint, and CPUs that are free then and were not before, for
 * which the group fetches new work.
 */
export function disturbedUnits(data: ClientData, processor: Processor, { patch, effect }: ProcessorChange) {
  const units = new Set(unitsOfProcessor(data, processor))
  const free = groupChange(data, processor.group, resourcesOf(data, processor.group), 0).freeCpus
  const isFolded = processor.gpu === undefined && (patch.cpus ?? 0) > resourcesOf(data, processor.group).cpus
  return {
    held: effect.held.filter(unit => !units.has(unit)),
    restarted: effect.restarted.filter(unit => !units.has(unit)),
    freedCpus: isFolded ? 0 : Math.max(0, effect.freeCpus - free),
  }
}

/** Seconds before the end of a unit at which its group is told to fetch no other, and at which it fetches again: times left vary. */
export const LEAD = 180
const LONG = 2 * LEAD

/**
 * What a processor that finishes needs now: `hold`: its group fetches nothing until its unit has left the core. `release`: its group
 * fetches again; CPUs that are free are taken out. `end`: it has no unit, and is paused. `lost`: its group is gone or paused.
 */
export type FinishStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'hold'; readonly patch: GroupPatch }
  | { readonly kind: 'release' | 'end'; readonly patch: GroupPatch; readonly cpus: number }

const WAIT: FinishStep = { kind: 'wait' }

export function finishStep(data: ClientData, note: ProcessorNote, now: number): FinishStep {
  const group = groupsOf(data)[note.group]
  const isHolding = note.isHolding === true
  const state = groupState(group)
  // A group without units that finishes pauses itself.
  if (group === undefined || (state === 'pause' && !isHolding)) return { kind: 'lost' }
  const at = clientTime(data, now)
  const units = unitsOfProcessor(data, note).filter(({ state: its }) => its !== 'ASSIGN')
  const fetching: GroupPatch = isHolding ? { paused: false, finish: false } : {}
  if (units.length === 0) {
    const { patch, cpus } = pauseChange(data, note, now)
    return { kind: 'end', patch: { ...patch, ...fetching }, cpus: Math.max(0, -cpus) }
  }
  const left = units.filter(unit => isWorking(unit, at)).map(unit => timeLeft(unit, now) ?? 0)
  if (left.length === 0) return WAIT
  const soonest = Math.min(...left)
  if (!isHolding) return soonest <= LEAD && state === 'fold' ? { kind: 'hold', patch: { finish: true } } : WAIT
  if (soonest <= LONG) return WAIT
  const { cpus: has } = resourcesOf(data, note.group)
  const used = [...cpuShares(data, note.group).values()].reduce((sum, cpus) => sum + cpus, 0)
  const cpus = note.gpu === undefined ? Math.max(0, has - used) : 0
  return { kind: 'release', patch: { ...fetching, ...(cpus === 0 ? {} : { cpus: has - cpus }) }, cpus }
}

/** Notes of processors that are paused, as their client's data still show them: others were folded in another way. */
export function heldNotes(data: ClientData, notes: readonly ProcessorNote[]): readonly ProcessorNote[] {
  return notes.filter(note => {
    if (!Object.hasOwn(groupsOf(data), note.group)) return false
    return note.state === 'finish' || !isUsed(data, note)
  })
}

/** Milliseconds that a client has to show that a processor is paused. */
const TIME_TO_SHOW = 180_000

export type NotesStep = {
  readonly notes: readonly ProcessorNote[]
  /** Changes of groups, one after the other. */
  readonly patches: readonly { readonly group: string; readonly patch: GroupPatch }[]
}

/** What the notes of a client become, and what it is told for those that finish. `now`: epoch milliseconds. */
export function advanceNotes(data: ClientData, notes: readonly ProcessorNote[], now: number): NotesStep {
  const held = heldNotes(data, notes)
  let expected = data
  const patches: NotesStep['patches'][number][] = []
  const next = notes.flatMap((note): readonly ProcessorNote[] => {
    if (!held.includes(note) && now - note.at > TIME_TO_SHOW) return []
    if (note.state === 'pause') return [note]
    const step = finishStep(expected, note, now)
    if (step.kind === 'lost') return []
    if (step.kind === 'wait') return [note]
    patches.push({ group: note.group, patch: step.patch })
    expected = withPatch(expected, note.group, step.patch)
    if (step.kind === 'hold') return [{ ...note, isHolding: true }]
    const { isHolding: _, ...others } = note
    const cpus = note.cpus + step.cpus
    return [step.kind === 'end' ? { ...others, state: 'pause', cpus, at: now } : { ...others, cpus }]
  })
  return { notes: isSameList(notes, next) ? notes : next, patches }
}
