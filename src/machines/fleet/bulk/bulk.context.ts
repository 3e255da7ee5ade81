import { t } from '@lingui/core/macro'
import type {
  Before,
  BulkAction,
  BulkEffect,
  BulkPlan,
  BulkTarget,
  BulkWork,
  BulkWorld,
} from '../../../folding/fleet/bulk-action.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import { isEmptyPatch, isValidPatch, planBulk } from '../../../folding/fleet/bulk-plan.ts'
import { NO_TAGS, tagOf, type TagChange } from '../../../folding/fleet/tags.ts'
import { checkPattern } from '../../../folding/fleet/rename-pattern.ts'
import {
  shardedEntries,
  shardedGet,
  shardedSet,
  emptyShardedMap,
  shardedMapOf,
  type ShardedMap,
} from '../../../folding/shared/sharded-map.ts'
import { viewOf } from '../../connection/client/client.report.ts'
import { canBroadcast } from '../../connection/fleet/fleet.context.ts'
import type { FleetSnapshot } from '../../connection/fleet/fleet.machine.ts'
import { selectReport, selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { NO_TIMES } from '../../../folding/fleet/idle-time.ts'
import { emptyHistory } from '../../../folding/unit/history.ts'
import { NO_NOTES } from '../../../folding/client/processor-notes.ts'
import { siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import type { SetIdleTime } from '../idle-times/idle-times.events.ts'
import type { NoteProcessors } from '../processors/processors.events.ts'
import type { PartOutcome } from '../bulk-part/bulk-part.events.ts'

type Noted = NonNullable<Extract<BulkEffect, { readonly kind: 'change' }>['noted']>
type Idle = NonNullable<Extract<BulkEffect, { readonly kind: 'change' }>['idle']>
type TagWork = Extract<BulkWork, { readonly kind: 'tag' }>

/** An action that is being prepared. */
export type Draft = {
  readonly action: BulkAction
  readonly ids: readonly string[]
  /** Repeats the action of the last run for those that did not confirm it. */
  readonly isRetry: boolean
}

export type PartState = { readonly kind: 'waiting' } | { readonly kind: 'asked' } | PartOutcome

/** A client that an action changes. */
export type RunEntry = {
  readonly name: string
  readonly work: BulkWork
  readonly before: Before | undefined
  /** What is noted of its processors. */
  readonly noted?: Noted
  readonly idle?: Idle
  readonly state: PartState
}

export type Skipped = {
  readonly id: string
  readonly name: string
  readonly effect: BulkEffect
  /** It was not to be changed when the preview was shown, and would be now. */
  readonly changedSincePreview: boolean
}

/** An action that was confirmed. */
export type Run = {
  readonly action: BulkAction
  readonly entries: ShardedMap<RunEntry>
  readonly counts: Readonly<Record<PartState['kind'], number>>
  /** Clients whose turn has not come, in order. */
  readonly waiting: readonly string[]
  /** Clients with which nothing was done, and why. */
  readonly skipped: readonly Skipped[]
}

export type BulkContext = {
  /** What is to be decided when the running action has ended, one after another. */
  readonly next: readonly Pick<Draft, 'action' | 'ids'>[]
  readonly draft: Draft | undefined
  /** What the draft means for each client. */
  readonly plan: BulkPlan | undefined
  /** The running action, or the last one. */
  readonly run: Run | undefined
}

export const EMPTY: BulkContext = { next: [], draft: undefined, plan: undefined, run: undefined }

export function fleetOf(system: SiblingSystem): FleetSnapshot | undefined {
  return siblingOf(system, 'fleet')?.getSnapshot()
}

/** The plan of an action, from what its clients report now. A client that left is not possible. */
export function planNow({ action, ids }: Pick<Draft, 'action' | 'ids'>, system: SiblingSystem): BulkPlan {
  const fleet = fleetOf(system)
  const targets: BulkTarget[] = []
  for (const id of ids) {
    const client = siblingOf(system, `client:${id}`)?.getSnapshot()
    if (client !== undefined) targets.push({ id, view: viewOf(client.context) })
  }
  const processors = siblingOf(system, 'processors')?.getSnapshot().context
  return planBulk(action, targets, {
    ...worldOf(fleet, action, ids),
    tags: siblingOf(system, 'tags')?.getSnapshot().context.tags ?? NO_TAGS,
    processors: processors?.notes ?? NO_NOTES,
    isServed: processors?.isServed === true,
    idleTimes: siblingOf(system, 'idleTimes')?.getSnapshot().context.times ?? NO_TIMES,
    history: siblingOf(system, 'history')?.getSnapshot().context.history ?? emptyHistory,
    now: siblingOf(system, 'clock')?.getSnapshot().context.now ?? 0,
  })
}

function worldOf(
  fleet: FleetSnapshot | undefined,
  action: BulkAction,
  ids: readonly string[],
): Pick<BulkWorld, 'account' | 'otherNames'> {
  if (fleet === undefined) return { account: undefined, otherNames: new Set() }
  const { account } = fleet.context.environment
  if (action.kind !== 'rename') return { account, otherNames: new Set() }
  const concerned = new Set(ids)
  const others = selectShownIds('usual')(fleet).filter(id => !concerned.has(id))
  return { account, otherNames: new Set(others.map(id => selectReport(id)(fleet)?.ownName ?? '')) }
}

/** Whether the action's form is filled in. */
export function isComplete(action: BulkAction): boolean {
  switch (action.kind) {
    case 'settings':
      return !isEmptyPatch(action.patch) && isValidPatch(action.patch)
    case 'rename':
      return checkPattern(action.pattern) === undefined
    case 'tags':
      return tagOf(action.tag) !== undefined
    case 'idle':
      return action.until !== undefined
    case 'processor':
      return action.which.kind !== 'model' || action.which.model !== ''
    case 'state':
    case 'unlink':
    case 'restart':
    case 'undo':
      return true
  }
}

/** Whether an action has a form to fill in before its preview. */
export function hasForm(action: BulkAction): boolean {
  const { kind } = action
  return (
    kind === 'settings' ||
    kind === 'idle' ||
    kind === 'rename' ||
    kind === 'tags' ||
    (kind === 'processor' && action.which.kind !== 'one')
  )
}

/** Whether nothing in a plan needs a decision: no group was paused on purpose, and no other unit is disturbed. The result tells what was skipped. */
export function isPlain(plan: BulkPlan): boolean {
  return plan.counts.change > 0 && !asksSomething(plan)
}

/** Whether something of it is for a person to decide. */
export function asksSomething({ entries }: BulkPlan): boolean {
  return entries.some(
    ({ effect }) =>
      effect.kind === 'change' &&
      (effect.resumed.length > 0 || effect.kept.length > 0 || (effect.costs ?? []).length > 0),
  )
}

/**
 * The folding state that the whole fleet is sent at once, where each of the clients that change gets just that: all that
 * are shown are concerned. Undefined where each client is sent its own.
 */
export function fleetState(
  run: Run,
  fleet: FleetSnapshot | undefined,
  ids: readonly string[],
): FoldingState | undefined {
  const { action } = run
  if (action.kind !== 'state' || fleet === undefined || !canBroadcast(fleet.context)) return undefined
  const concerned = new Set(ids)
  if (!selectShownIds('usual')(fleet).every(id => concerned.has(id))) return undefined
  for (const [, { work }] of shardedEntries(run.entries)) {
    const [command, ...others] = work.kind === 'commands' ? work.commands : []
    if (command?.cmd !== 'state' || command.state !== action.state || others.length > 0) return undefined
  }
  return run.skipped.some(mustBeSpared) ? undefined : action.state
}

/** Whether a command to the whole fleet would do something with a client with which nothing is to be done. */
function mustBeSpared({ effect, changedSincePreview }: Skipped): boolean {
  // Groups that stay paused would be resumed with all others.
  return (effect.kind === 'same' && effect.kept.length > 0) || changedSincePreview
}

/** The run whose clients wait for the effect of a command to the whole fleet. */
export function followingRun(run: Run, state: FoldingState): Run {
  return {
    ...run,
    entries: shardedMapOf(
      [...shardedEntries(run.entries)].map(
        ([id, entry]) => [id, { ...entry, work: { kind: 'follow', command: { cmd: 'state', state } } }] as const,
      ),
    ),
  }
}

/**
 * The run of a plan that was shown, from one made now: only clients that were to change then are changed, with what
 * changes them now. A retry keeps what the run before achieved.
 */
export function startRun(draft: Draft, shown: BulkPlan, plan: BulkPlan, last: Run | undefined): Run {
  const wasToChange = new Set(shown.entries.flatMap(({ id, effect }) => (effect.kind === 'change' ? [id] : [])))
  const isRetry = draft.isRetry && last !== undefined
  let entries = isRetry ? last.entries : emptyShardedMap<RunEntry>()
  const waiting: string[] = []
  const skipped: Skipped[] = []
  const fresh: (readonly [string, RunEntry])[] = []
  for (const { id, name, effect } of plan.entries) {
    if (effect.kind === 'change' && wasToChange.has(id)) {
      waiting.push(id)
      // What it had before the first attempt is what an undo gives back.
      const before = shardedGet(entries, id)?.before ?? effect.before
      const noted = effect.noted === undefined ? {} : { noted: effect.noted }
      const idle = effect.idle === undefined ? {} : { idle: effect.idle }
      fresh.push([id, { name, work: effect.work, before, ...noted, ...idle, state: { kind: 'waiting' } }])
    } else if (isRetry && effect.kind === 'same' && shardedGet(entries, id) !== undefined) {
      const entry = shardedGet(entries, id)
      if (entry !== undefined) fresh.push([id, { ...entry, state: { kind: 'confirmed' } }])
    } else if (isRetry) continue
    else if (effect.kind === 'change') {
      const because = t`It has changed since the preview.`
      skipped.push({ id, name, effect: { kind: 'impossible', because }, changedSincePreview: true })
    } else skipped.push({ id, name, effect, changedSincePreview: false })
  }
  entries = shardedMapOf([...shardedEntries(entries), ...fresh])
  return {
    action: isRetry ? last.action : draft.action,
    entries,
    counts: countStates(entries),
    waiting,
    skipped: isRetry ? last.skipped : skipped,
  }
}

function countStates(entries: ShardedMap<RunEntry>): Run['counts'] {
  const counts = { waiting: 0, asked: 0, confirmed: 0, ignored: 0, failed: 0 }
  for (const [, { state }] of shardedEntries(entries)) counts[state.kind] += 1
  return counts
}

/** The run with another state of one client; the same run when that is settled already. */
export function withState(run: Run, id: string, state: PartState): Run {
  const entry = shardedGet(run.entries, id)
  if (entry === undefined || isSettled(entry.state)) return run
  return {
    ...run,
    entries: shardedSet(run.entries, id, { ...entry, state }),
    counts: {
      ...run.counts,
      [entry.state.kind]: run.counts[entry.state.kind] - 1,
      [state.kind]: run.counts[state.kind] + (entry.state.kind === state.kind ? 0 : 1),
    },
  }
}

function isSettled({ kind }: PartState): boolean {
  return kind !== 'waiting' && kind !== 'asked'
}

const STOPPED = t`You stopped waiting for it.`
const STOPPED_BEFORE = t`You stopped before it was sent.`

/** The run as it is when the rest is not waited for. `isBegun`: whether a client was sent something already. */
export function stopRun(run: Run, isBegun: (id: string) => boolean): Run {
  let stopped: Run = { ...run, waiting: [] }
  for (const [id, { state, work }] of shardedEntries(run.entries)) {
    // A command to the whole fleet cannot be held back from those whose turn has not come.
    const isUnsent = state.kind === 'waiting' && work.kind !== 'follow' && !isBegun(id)
    const outcome: PartState = isUnsent
      ? { kind: 'failed', because: STOPPED_BEFORE }
      : { kind: 'ignored', because: STOPPED }
    stopped = withState(stopped, id, outcome)
  }
  return stopped
}

/** The changes of tags in a run, each for all its clients at once. */
export function tagCommands({ entries, waiting }: Run): readonly TagChange[] {
  const commands = new Map<string, { readonly change: TagWork; readonly machines: string[] }>()
  for (const id of waiting) {
    const work = shardedGet(entries, id)?.work
    if (work?.kind !== 'tag') continue
    const key = `${work.mode} ${work.tag}`
    const existing = commands.get(key) ?? { change: work, machines: [] }
    existing.machines.push(work.machine)
    commands.set(key, existing)
  }
  return [...commands.values()].map(({ change: { mode, tag }, machines: clients }) => ({
    type: mode === 'add' ? 'tags.add' : 'tags.remove',
    tag,
    machines: clients,
  }))
}

/** What is noted of processors by a run. */
export function noteCommands({ entries, waiting }: Run): readonly NoteProcessors[] {
  return waiting.flatMap(id => {
    const noted = shardedGet(entries, id)?.noted
    return noted === undefined ? [] : [{ type: 'processors.note' as const, machine: noted.machine, notes: noted.notes }]
  })
}

/** Times by which clients of a run shall be idle. */
export function idleCommands({ entries, waiting }: Run): readonly SetIdleTime[] {
  return waiting.flatMap(id => {
    const idle = shardedGet(entries, id)?.idle
    return idle === undefined ? [] : [{ type: 'idleTimes.set' as const, client: idle.machine, time: idle.time }]
  })
}

/** The run with those clients done that need no answer: tags and notes are kept in this browser. */
export function withLocalDone(run: Run): Run {
  let done = run
  const isLocal = (id: string): boolean => ['tag', 'note'].includes(shardedGet(run.entries, id)?.work.kind ?? '')
  for (const id of run.waiting.filter(isLocal)) done = withState(done, id, { kind: 'confirmed' })
  return { ...done, waiting: run.waiting.filter(id => !isLocal(id)) }
}

export function isFinished({ counts }: Run): boolean {
  return counts.waiting + counts.asked === 0
}

/** Clients that did not confirm. */
export function unconfirmedIds({ entries }: Run): readonly string[] {
  return [...shardedEntries(entries)].flatMap(([id, { state }]) => (state.kind === 'confirmed' ? [] : [id]))
}

/** What undoes a run: what each client that was sent something had before. Undefined where nothing can be undone. */
export function undoOf(run: Run): Draft | undefined {
  const before: [string, Before][] = []
  for (const [id, entry] of shardedEntries(run.entries))
    if (entry.before !== undefined && (entry.state.kind === 'confirmed' || entry.state.kind === 'ignored'))
      before.push([id, entry.before])
  if (before.length === 0) return undefined
  return {
    action: {
      kind: 'undo',
      of: run.action.kind === 'undo' ? run.action.of : run.action.kind,
      before: Object.fromEntries(before),
    },
    ids: before.map(([id]) => id),
    isRetry: false,
  }
}
