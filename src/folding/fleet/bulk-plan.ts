/*
 * What an action would do to each of many clients. Pure and quick enough to be made again whenever it is looked at:
 * thousands of clients take milliseconds.
 */
import { plural, t } from '@lingui/core/macro'
import type { ClientData, Group } from '../../protocol/client/client-data.ts'
import type { FoldingState, GroupPatch } from '../../protocol/client/commands.ts'
import { firstVersionWith, knowsSetting, type GroupFormKey } from '../../protocol/client/settings-table.ts'
import { MIN_VERSION_FOR_ACTIONS } from '../../protocol/client/version.ts'
import { actionBlockerOf } from '../client/actions.ts'
import {
  clientName,
  infoOf,
  isLinked,
  isTooOld,
  clientKeyOf,
  ownName,
  unitsOf,
  type ClientView,
} from '../client/client.ts'
import {
  failedText,
  groupNameOf,
  groupNames,
  groupsOf,
  groupState,
  groupTitle,
  hasGroups,
  pausedByHand,
} from '../client/group.ts'
import { NO_NOTES, notesOf } from '../client/processor-notes.ts'
import { configuredCpus, enabledGpus, gpuIds, gpuOf } from '../client/resources.ts'
import { isSameInAnyCase } from '../shared/equal.ts'
import { finite, ownValue, record, text } from '../shared/read.ts'
import { checkClientName, checkPasskey, checkUser, userToSend } from '../shared/validation.ts'
import { hasEnded } from '../unit/unit-meaning.ts'
import { emptyHistory } from '../unit/history.ts'
import type {
  Before,
  BulkAction,
  BulkEffect,
  BulkPlan,
  BulkTarget,
  BulkWorld,
  EffectKind,
  PlanEntry,
  SettingsPatch,
  TagMode,
  Values,
} from './bulk-action.ts'
import { changeValues, STATE_VALUES } from './bulk-values.ts'
import { idleEffect } from './idle-plan.ts'
import { idleTimeOf, NO_TIMES } from './idle-time.ts'
import { processorEffect, withProcessorsFolded } from './processor-plan.ts'
import { nameFrom } from './rename-pattern.ts'
import {
  MAX_TAGS_PER_MACHINE,
  tagOf,
  NO_TAGS,
  tagsOfClient,
  withoutTag,
  withTag,
  type Tags,
  ownGroupName,
} from './tags.ts'
import { formatList } from '../text/format.ts'

/** Nobody is signed in, and nothing is kept outside the clients. */
export const EMPTY_WORLD: BulkWorld = {
  account: undefined,
  otherNames: new Set(),
  tags: NO_TAGS,
  processors: NO_NOTES,
  isServed: false,
  idleTimes: NO_TIMES,
  history: emptyHistory,
  now: 0,
}

/** The plan of an action on these clients, in their order. */
export function planBulk(action: BulkAction, targets: readonly BulkTarget[], world: BulkWorld): BulkPlan {
  const names = action.kind === 'rename' ? newNames(action.pattern, targets, world) : undefined
  const planWorld: PlanWorld = { ...world, names, effects: new Map() }
  const entries = targets.map(({ id, view }): PlanEntry => ({
    id,
    name: clientName(view),
    effect: withOwnTitles(effectOn(action, id, view, planWorld), view),
  }))
  return planOf(entries)
}

function withOwnTitles(effect: BulkEffect, { data }: ClientView): BulkEffect {
  if (effect.kind !== 'change' && effect.kind !== 'same') return effect
  const titles = Object.keys(groupsOf(data)).flatMap(name => {
    const title = ownGroupName(data?.info, name)
    return title === undefined ? [] : [[name, title] as const]
  })
  return titles.length === 0 ? effect : { ...effect, titles: Object.fromEntries(titles) }
}

export function planOf(entries: readonly PlanEntry[]): BulkPlan {
  const counts: Record<EffectKind, number> = {
    change: 0,
    same: 0,
    excluded: 0,
    tooOld: 0,
    disconnected: 0,
    impossible: 0,
  }
  for (const { effect } of entries) counts[effect.kind] += 1
  return { entries, counts }
}

type PlanWorld = BulkWorld & {
  /** New names by id, of an action that renames. */
  readonly names: ReadonlyMap<string, string> | undefined
  /** Effects that were found for other clients, by what they depend on. */
  readonly effects: Map<string, BulkEffect>
}

function effectOn(action: BulkAction, id: string, view: ClientView, world: PlanWorld): BulkEffect {
  switch (action.kind) {
    case 'state':
      return stateEffectOn(action, view, world)
    case 'processor':
      return ifControllable(view, 'config', data => processorEffectOn(action, view, data, world))
    case 'idle':
      return ifControllable(view, 'state', data => idleEffectOn(action, view, data, world))
    case 'settings':
      return ifControllable(view, 'config', data => settingsEffect(action.patch, view, data, world))
    case 'rename':
      return renameEffect(world.names?.get(id) ?? '', view, world.names ?? new Map(), world)
    case 'tags':
      return tagEffect(action.mode, tagOf(action.tag) ?? '', view, world)
    case 'unlink':
      return unlinkEffect(view, world)
    case 'restart':
      if (!view.isConnected) return { kind: 'disconnected' }
      return withheld(view, 'restart') ?? change([], { kind: 'commands', commands: [{ cmd: 'restart' }] }, undefined)
    case 'undo':
      return undoEffect(ownValue(action.before, id) as Before | undefined, view, world)
  }
}

function change(
  changes: Extract<BulkEffect, { kind: 'change' }>['changes'],
  work: Extract<BulkEffect, { kind: 'change' }>['work'],
  before: Before | undefined,
  resumed: readonly string[] = [],
  keptPaused: readonly string[] = [],
): BulkEffect {
  return { kind: 'change', changes, work, before, resumed, kept: keptPaused }
}

function same(keptPaused: readonly string[] = []): BulkEffect {
  return { kind: 'same', kept: keptPaused }
}

/** The effect where the server that connects to the client does not pass the command on (docs/server.md). */
function withheld({ limit }: ClientView, command: 'state' | 'config' | 'restart'): BulkEffect | undefined {
  const because = actionBlockerOf(command, limit)
  return because === undefined ? undefined : { kind: 'impossible', because }
}

function ifControllable(
  view: ClientView,
  command: 'state' | 'config',
  effect: (data: ClientData) => BulkEffect,
): BulkEffect {
  if (isTooOld(view)) return { kind: 'tooOld', has: text(infoOf(view)?.version) ?? '', needs: MIN_VERSION_FOR_ACTIONS }
  if (!view.isConnected || view.data === undefined) return { kind: 'disconnected' }
  return withheld(view, command) ?? effect(view.data)
}

/** The effect of giving a client values; `kept` and `resumed` are told with it. */
function valuesEffect(
  wanted: Values,
  data: ClientData,
  {
    kept: keptPaused = [],
    resumed = [],
  }: { readonly kept?: readonly string[]; readonly resumed?: readonly string[] } = {},
): BulkEffect {
  const changed = changeValues(wanted, data)
  if (changed === undefined) return same(keptPaused)
  return change(
    changed.changes,
    { kind: 'commands', commands: changed.commands },
    { kind: 'values', values: changed.before },
    resumed,
    keptPaused,
  )
}

const NO_GROUPS: BulkEffect = { kind: 'impossible', because: t`It reports no resource groups.` }

type StateAction = Extract<BulkAction, { readonly kind: 'state' }>

/** Most clients of a fleet have the same groups in the same few states: what it means is found once for all of these. */
function knownStateEffect(action: StateAction, data: ClientData, effects: Map<string, BulkEffect>): BulkEffect {
  const key = stateKey(data)
  const before = key === undefined ? undefined : effects.get(key)
  if (before !== undefined) return before
  const effect = stateEffect(action.state, action.keepsPaused, data)
  if (key !== undefined) effects.set(key, effect)
  return effect
}

/** All that the effect on a client depends on; undefined where a client reports something unexpected. */
function stateKey(data: ClientData): string | undefined {
  const groups = groupsOf(data)
  let key = groups === data.groups ? '' : 'config'
  for (const name of Object.keys(groups)) {
    const paused = flagOf(groups[name], 'paused')
    const finish = flagOf(groups[name], 'finish')
    if (paused === undefined || finish === undefined) return undefined
    key += `\n${name.length} ${name} ${paused}${finish}${hasUnits(data, name) ? 'u' : ''}${failedText(groups[name]) === undefined ? '' : '!'}`
  }
  return key
}

function flagOf(group: Group | undefined, name: string): 't' | 'f' | '?' | undefined {
  const value = ownValue(group?.config, name)
  return value === undefined ? '?' : typeof value === 'boolean' ? (value ? 't' : 'f') : undefined
}

function hasUnits(data: ClientData, group: string): boolean {
  return unitsOf(data).some(unit => groupNameOf(unit) === group)
}

/** Fold gives back also processors that are paused by themselves. */
function stateEffectOn(action: StateAction, view: ClientView, world: PlanWorld): BulkEffect {
  const client = clientKeyOf(view)
  const notes = notesOf(world.processors, client)
  if (action.state !== 'fold' || client === undefined || !notes.some(({ state }) => state === 'pause'))
    return ifControllable(view, 'state', data => knownStateEffect(action, data, world.effects))
  return ifControllable(view, 'config', data => {
    const effect = stateEffect(action.state, action.keepsPaused, data)
    const owner = { data, machine: client, notes, now: world.now, isWatched: isWatched(view, world) }
    return withProcessorsFolded(effect, action.keepsPaused, owner)
  })
}

function idleEffectOn(
  action: Extract<BulkAction, { readonly kind: 'idle' }>,
  view: ClientView,
  data: ClientData,
  { idleTimes, history, now }: BulkWorld,
): BulkEffect {
  const client = clientKeyOf(view)
  if (client === undefined) return { kind: 'impossible', because: NO_ID }
  return idleEffect(action, data, client, idleTimeOf(idleTimes, client), history, now)
}

function processorEffectOn(
  { state, which }: Extract<BulkAction, { readonly kind: 'processor' }>,
  view: ClientView,
  data: ClientData,
  world: PlanWorld,
): BulkEffect {
  const machine = clientKeyOf(view)
  if (machine === undefined) return { kind: 'impossible', because: NO_ID }
  if (!hasGroups(data)) return NO_GROUPS
  const notes = notesOf(world.processors, machine)
  return processorEffect(state, which, { data, machine, notes, now: world.now, isWatched: isWatched(view, world) })
}

/** By the server through which the client is reached. */
function isWatched({ limit }: ClientView, { isServed }: PlanWorld): boolean {
  return isServed && limit !== undefined
}

/** What folding, pausing or finishing means for each group of a client (docs/product.md §4). */
function stateEffect(state: FoldingState, keepsPaused: boolean, data: ClientData): BulkEffect {
  const groups = groupsOf(data)
  const names = groupNames(groups)
  if (names.length === 0) return NO_GROUPS
  const paused = names.filter(name => groupState(groups[name]) === 'pause')
  const resumable = state === 'pause' ? [] : paused.filter(name => state === 'fold' || hasUnits(data, name))
  const meant = pausedByHand(groups)
  const byHand = resumable.filter(name => meant.includes(name))
  const keptPaused = keepsPaused ? byHand : []
  const wanted: Record<string, GroupPatch> = {}
  for (const name of names)
    if (state === 'pause' || !paused.includes(name) || (resumable.includes(name) && !keptPaused.includes(name)))
      wanted[name] = STATE_VALUES[state]
  if (Object.keys(wanted).length === 0)
    return { kind: 'impossible', because: t`Nothing to finish: it is paused and has no work units.` }
  return valuesEffect({ groups: wanted, machine: {} }, data, {
    kept: keptPaused,
    resumed: byHand.filter(name => !keptPaused.includes(name)),
  })
}

const SETTING_KEYS = {
  onIdle: 'on_idle',
  onBattery: 'on_battery',
  keepAwake: 'keep_awake',
  beta: 'beta',
  cuda: 'cuda',
  hip: 'hip',
  key: 'key',
} as const satisfies Partial<Record<keyof SettingsPatch, GroupFormKey>>

const plainKeys = Object.keys(SETTING_KEYS) as readonly (keyof typeof SETTING_KEYS)[]

function isForGroups(patch: SettingsPatch): boolean {
  return patch.cpus !== undefined || patch.gpus !== undefined || plainKeys.some(key => patch[key] !== undefined)
}

function isForClient({ user, team, cause, secrets }: SettingsPatch): boolean {
  return user !== undefined || team !== undefined || cause !== undefined || secrets !== undefined
}

/** Whether a patch changes anything at all. */
export function isEmptyPatch(patch: SettingsPatch): boolean {
  return !isForGroups(patch) && !isForClient(patch)
}

/** Whether all texts of a patch are valid. */
export function isValidPatch({ scope, user, secrets }: SettingsPatch): boolean {
  return (
    (scope.kind !== 'named' || scope.name !== '') &&
    (user === undefined || checkUser(user) === undefined) &&
    (secrets === undefined || checkPasskey(secrets.passkey, 'loose') === undefined)
  )
}

function settingsEffect(patch: SettingsPatch, view: ClientView, data: ClientData, { account }: BulkWorld): BulkEffect {
  const there = finite(data.info.cpus)
  const { leastCpus, mostCpus } = patch
  if (leastCpus !== undefined || mostCpus !== undefined) {
    if (there === undefined) return { kind: 'excluded', because: t`It does not report how many CPUs it has.` }
    if (there < (leastCpus ?? there) || there > (mostCpus ?? there))
      return { kind: 'excluded', because: plural(there, { one: 'It has # CPU.', other: 'It has # CPUs.' }) }
  }
  if (isForClient(patch) && (text(data.info.account) ?? '') !== '' && isLinkedSomewhere(view, account))
    return {
      kind: 'impossible',
      because: t`It belongs to an account, whose name, team, passkey and cause replace its own.`,
    }
  const newer = plainKeys.find(
    key => patch[key] !== undefined && !knowsSetting(SETTING_KEYS[key], text(data.info.version)),
  )
  if (newer !== undefined)
    return {
      kind: 'tooOld',
      has: text(data.info.version) ?? '',
      needs: firstVersionWith(SETTING_KEYS[newer]) ?? '',
    }
  const names = isForGroups(patch) ? scopedNames(patch, data) : []
  if (isForGroups(patch) && !hasGroups(data)) return NO_GROUPS
  if (isForGroups(patch) && names.length === 0)
    return {
      kind: 'impossible',
      because: t`It has no resource group “${patch.scope.kind === 'named' ? patch.scope.name : groupTitle('')}”.`,
    }
  const wanted: Record<string, GroupPatch> = {}
  for (const name of names) wanted[name] = groupPatch(patch, name, names, data)
  const tooMany = cpuFault(wanted, data)
  if (tooMany !== undefined) return { kind: 'impossible', because: tooMany }
  const { user, team, cause, secrets } = patch
  return valuesEffect(
    {
      groups: wanted,
      machine: {
        ...(user === undefined ? {} : { user: userToSend(user) }),
        ...(team === undefined ? {} : { team }),
        ...(cause === undefined ? {} : { cause }),
      },
      ...(secrets === undefined ? {} : { secrets }),
    },
    data,
  )
}

function isLinkedSomewhere(view: ClientView, account: string | undefined): boolean {
  return isLinked(view, account) || (text(infoOf(view)?.account) ?? '') !== ''
}

function scopedNames({ scope }: SettingsPatch, data: ClientData): readonly string[] {
  const names = groupNames(groupsOf(data))
  if (scope.kind === 'all') return names
  return names.filter(name => name === (scope.kind === 'default' ? '' : scope.name))
}

function groupPatch(patch: SettingsPatch, name: string, names: readonly string[], data: ClientData): GroupPatch {
  const plain = plainKeys.flatMap(key => (patch[key] === undefined ? [] : [[SETTING_KEYS[key], patch[key]] as const]))
  const cpus = patch.cpus === undefined ? undefined : cpusOf(patch.cpus, data)
  return {
    ...Object.fromEntries(plain),
    ...(cpus === undefined ? {} : { cpus }),
    ...(patch.gpus === undefined ? {} : { gpus: gpusOf(patch.gpus, name, names, data) }),
  }
}

function cpusOf(rule: NonNullable<SettingsPatch['cpus']>, { info }: ClientData): number {
  return rule.kind === 'count' ? rule.count : Math.max(0, (finite(info.cpus) ?? 0) - rule.spare)
}

/**
 * All GPUs of a group. Enabled ones are those that the project supports and no other group uses, in the first of the
 * groups: two groups must not share one.
 */
function gpusOf(
  isEnabled: boolean,
  name: string,
  names: readonly string[],
  data: ClientData,
): Readonly<Record<string, { readonly enabled: boolean }>> {
  const { info } = data
  const groups = groupsOf(data)
  const config = groups[name]?.config
  const mine = new Set(enabledGpus(config))
  const others = new Set(
    Object.keys(groups).flatMap(other => (other === name ? [] : enabledGpus(groups[other]?.config))),
  )
  const ids = new Set([...Object.keys(record(config?.gpus) ?? {}), ...gpuIds(info)])
  return Object.fromEntries(
    [...ids].sort().map(id => {
      const isFree = name === names[0] && !others.has(id) && gpuOf(info, id)?.supported === true
      return [id, { enabled: isEnabled && (mine.has(id) || isFree) }] as const
    }),
  )
}

/** Why the client cannot use so many CPUs: its groups together would use more than there are, and more than now. */
function cpuFault(wanted: Readonly<Record<string, GroupPatch>>, data: ClientData): string | undefined {
  const there = finite(data.info.cpus)
  if (there === undefined) return undefined
  let before = 0
  let after = 0
  for (const [name, { config }] of Object.entries(groupsOf(data))) {
    before += configuredCpus(config)
    after += (ownValue(ownValue(wanted, name), 'cpus') as number | undefined) ?? configuredCpus(config)
  }
  if (after <= there || after <= before) return undefined
  return plural(there, {
    one: 'Its groups would use more than the # CPU that it has.',
    other: 'Its groups would use more than the # CPUs that it has.',
  })
}

const NO_ID = t`It has not reported its ID yet.`

function accountBlocker(view: ClientView, { account }: BulkWorld): string | undefined {
  if (account === undefined) return t`You are not logged in.`
  if (!isLinked(view, account)) return t`It does not belong to your account.`
  return clientId(view) === undefined ? NO_ID : undefined
}

/** The id of its client, as the account knows it. */
function clientId(view: ClientView): string | undefined {
  return view.isDirect ? text(infoOf(view)?.id) : view.id
}

function newNames(pattern: string, targets: readonly BulkTarget[], world: BulkWorld): ReadonlyMap<string, string> {
  const concerned = targets.filter(({ view }) => accountBlocker(view, world) === undefined)
  return new Map(concerned.map(({ id, view }, position) => [id, nameFrom(pattern, view, position)]))
}

const takenNames = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, number>>()

/** How many of the new names are equal, counted once for a plan. */
function countsOf(names: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const cached = takenNames.get(names)
  if (cached !== undefined) return cached
  const counts = new Map<string, number>()
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  takenNames.set(names, counts)
  return counts
}

function renameEffect(
  name: string,
  view: ClientView,
  names: ReadonlyMap<string, string>,
  world: BulkWorld,
): BulkEffect {
  const blocker = accountBlocker(view, world) ?? checkClientName(name)
  if (blocker !== undefined) return { kind: 'impossible', because: blocker }
  const before = ownName(view)
  if (before === name) return same()
  const count = countsOf(names).get(name) ?? 0
  if (count > 1) return { kind: 'impossible', because: t`${count} machines would be named ${name}.` }
  if (world.otherNames.has(name)) return { kind: 'impossible', because: t`Another machine is named ${name}.` }
  return nameEffect(name, before, view)
}

function nameEffect(name: string, before: string, view: ClientView): BulkEffect {
  return change(
    [{ key: 'name', before, after: name }],
    { kind: 'rename', machine: clientId(view) ?? '', name },
    {
      kind: 'name',
      name: before,
    },
  )
}

function unlinkEffect(view: ClientView, world: BulkWorld): BulkEffect {
  const blocker = accountBlocker(view, world)
  if (blocker !== undefined) return { kind: 'impossible', because: blocker }
  const count = unitsOf(view.data).filter(unit => !hasEnded(unit)).length
  const costs = [
    t`Leaves the account`,
    ...(count === 0
      ? []
      : [
          plural(count, {
            one: '# work unit that it has is not seen here any more',
            other: '# work units that it has are not seen here any more',
          }),
        ]),
    t`its history stays`,
  ]
  return { ...NOTED_ONLY, work: { kind: 'unlink', machine: clientId(view) ?? '' }, costs }
}

function tagEffect(mode: TagMode, tag: string, view: ClientView, { tags }: BulkWorld): BulkEffect {
  const client = clientKeyOf(view)
  if (client === undefined) return { kind: 'impossible', because: NO_ID }
  const before = tagsOfClient(tags, client)
  const after = tagsOfClient((mode === 'add' ? withTag : withoutTag)(restrictedTo(tags, client), [client], tag), client)
  if (before.length === after.length)
    return mode === 'add' &&
      before.length >= MAX_TAGS_PER_MACHINE &&
      !before.some(existing => isSameInAnyCase(existing, tag))
      ? { kind: 'impossible', because: t`It has ${MAX_TAGS_PER_MACHINE} tags already.` }
      : same()
  // As it was written on this client.
  const usedTag = mode === 'add' ? tag : (before.find(other => isSameInAnyCase(other, tag)) ?? tag)
  return change(
    [{ key: 'tags', before: formatList(before), after: formatList(after) }],
    { kind: 'tag', machine: client, tag: usedTag, mode },
    { kind: 'tag', tag: usedTag, mode: mode === 'add' ? 'remove' : 'add' },
  )
}

/** The tags of one client alone: changing those of all would take long for thousands. */
function restrictedTo(tags: Tags, client: string): Tags {
  return Object.fromEntries(Object.hasOwn(tags, client) ? [[client, tagsOfClient(tags, client)]] : [])
}

function valuesUndone(
  { values, notes }: Extract<Before, { readonly kind: 'values' }>,
  view: ClientView,
  data: ClientData,
): BulkEffect {
  const effect = valuesEffect(values, data)
  const machine = clientKeyOf(view)
  if (notes === undefined || machine === undefined || effect.kind === 'impossible') return effect
  const noted = { machine, notes }
  return effect.kind === 'change' ? { ...effect, noted } : { ...NOTED_ONLY, noted }
}

const NOTED_ONLY = {
  kind: 'change',
  changes: [],
  work: { kind: 'note' },
  before: undefined,
  resumed: [],
  kept: [],
} as const satisfies BulkEffect

/** Folding states are given back by `state`, everything else by `config` (`changeValues`). */
function undoCommand({ values }: Extract<Before, { kind: 'values' }>): 'state' | 'config' {
  return Object.keys(values.machine).length === 0 &&
    values.secrets === undefined &&
    Object.values(values.groups).every(patch => Object.keys(patch).every(key => key === 'paused' || key === 'finish'))
    ? 'state'
    : 'config'
}

function undoEffect(before: Before | undefined, view: ClientView, world: BulkWorld): BulkEffect {
  if (before === undefined) return { kind: 'impossible', because: t`It was not changed.` }
  if (before.kind === 'idle') {
    const machine = clientKeyOf(view)
    return machine === undefined ? NOTED_ONLY : { ...NOTED_ONLY, idle: { machine, time: before.time } }
  }
  if (before.kind === 'tag') return tagEffect(before.mode, before.tag, view, world)
  if (before.kind === 'values')
    return ifControllable(view, undoCommand(before), data => valuesUndone(before, view, data))
  const blocker = accountBlocker(view, world) ?? checkClientName(before.name)
  if (blocker !== undefined) return { kind: 'impossible', because: blocker }
  const now = ownName(view)
  return now === before.name ? same() : nameEffect(before.name, now, view)
}
