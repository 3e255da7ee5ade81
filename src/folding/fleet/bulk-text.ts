/* Texts of bulk actions: what is done, what it means for each client, and what came of it. */
import { plural, t } from '@lingui/core/macro'
import { isGroupFormKey } from '../../protocol/client/settings-table.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { groupTitle } from '../client/group.ts'
import { accountSettingTexts, groupSettingTexts } from '../client/setting-texts.ts'
import { formatClauses, formatList, UNKNOWN } from '../text/format.ts'
import { formatLocalShort } from '../text/times.ts'
import { record } from '../shared/read.ts'
import type { BulkAction, BulkEffect, BulkKind, EffectKind, OwnTitles, TagMode, ValueChange } from './bulk-action.ts'
import { tagOf } from './tags.ts'

const stateTitles: Readonly<Record<FoldingState, string>> = {
  fold: t`Fold`,
  pause: t`Pause`,
  finish: t`Finish`,
}

const undoTitles: Readonly<Record<BulkKind, string>> = {
  state: t`Undo: give back folding states`,
  processor: t`Undo: give back GPUs and CPUs`,
  idle: t`Undo: give back the time`,
  settings: t`Undo: give back settings`,
  rename: t`Undo: give back names`,
  tags: t`Undo: give back tags`,
  unlink: t`Undo`,
  restart: t`Undo`,
  undo: t`Undo`,
}

function tagTitle(mode: TagMode, tag: string | undefined): string {
  if (tag === undefined) return mode === 'add' ? t`Add a tag` : t`Remove a tag`
  return mode === 'add' ? t`Add the tag “${tag}”` : t`Remove the tag “${tag}”`
}

const processorTitles: Readonly<Record<FoldingState, (name: string) => string>> = {
  fold: name => t`Fold ${name}`,
  pause: name => t`Pause ${name}`,
  finish: name => t`Finish ${name}`,
}

/** 'Pause GeForce RTX 3060'. */
export function processorTitle(state: FoldingState, name: string): string {
  return processorTitles[state](name)
}

function processorsTitle({ state, which }: Extract<BulkAction, { readonly kind: 'processor' }>): string {
  return processorTitle(
    state,
    which.kind === 'cpus' || which.kind === 'count'
      ? CPUS
      : which.kind === 'gpus'
        ? GPUS
        : which.kind === 'one'
          ? which.name
          : which.model,
  )
}

const CPUS = t`CPUs`
const GPUS = t`GPUs`

/** The title of an action, as on its button. */
export function actionTitle(action: BulkAction): string {
  switch (action.kind) {
    case 'state':
      return stateTitles[action.state]
    case 'processor':
      return processorsTitle(action)
    case 'idle':
      return action.until === undefined ? t`Idle by a time` : t`Idle by ${formatLocalShort(action.until)}`
    case 'settings':
      return t`Change settings`
    case 'rename':
      return t`Rename`
    case 'tags':
      return tagTitle(action.mode, tagOf(action.tag))
    case 'unlink':
      return t`Unlink from the account`
    case 'restart':
      return t`Reconnect to the account`
    case 'undo':
      return undoTitles[action.of]
  }
}

/** The count of an effect among all clients: '12 change', '1 too old'. */
export function effectCountText(kind: EffectKind, count: number): string {
  switch (kind) {
    case 'change':
      return plural(count, { one: '# change', other: '# changes' })
    case 'same':
      return plural(count, { other: '# already so' })
    case 'excluded':
      return plural(count, { other: '# outside the condition' })
    case 'tooOld':
      return plural(count, { other: '# too old' })
    case 'disconnected':
      return plural(count, { other: '# not connected' })
    case 'impossible':
      return plural(count, { other: '# not possible' })
  }
}

/** The order in which effects are listed: what is done first, then what prevents it. */
export const EFFECT_ORDER: readonly EffectKind[] = [
  'change',
  'tooOld',
  'disconnected',
  'impossible',
  'same',
  'excluded',
]

/** What an action means for one client, in one or two sentences. */
export function effectText(effect: BulkEffect): string {
  switch (effect.kind) {
    case 'change': {
      const names = effect.changes.map(({ name }) => name)
      const resumed = effect.resumed.filter(group => !names.includes(group))
      const parts = [
        ...changesTexts(effect.changes, effect.titles),
        ...(resumed.length === 0 ? [] : [t`resumes ${namesOf(resumed, effect.titles)}, paused while others were not`]),
        ...(effect.kept.length === 0 ? [] : [t`${namesOf(effect.kept, effect.titles)} stays paused`]),
        ...(effect.costs ?? []),
      ]
      return parts.length === 0 ? workTexts[effect.work.kind] : formatClauses(parts)
    }
    case 'same':
      return effect.kept.length === 0
        ? t`Already so`
        : t`Already so; ${namesOf(effect.kept, effect.titles)} stays paused`
    case 'excluded':
    case 'impossible':
      return effect.because
    case 'tooOld':
      return t`Its client ${effect.has} is too old: this needs ${effect.needs} or newer.`
    case 'disconnected':
      return t`Not connected`
  }
}

const workTexts = {
  commands: t`Connects to the account again`,
  follow: '',
  note: '',
  tag: '',
  rename: t`Gets another name`,
  unlink: '',
} as const

function titleOf(group: string, titles: OwnTitles = {}): string {
  return (Object.hasOwn(titles, group) ? titles[group] : undefined) ?? groupTitle(group)
}

function namesOf(groups: readonly string[], titles: OwnTitles | undefined): string {
  return formatList(groups.map(group => titleOf(group, titles)))
}

function stateOf(changes: readonly ValueChange[], side: 'before' | 'after'): string | undefined {
  const value = (key: string): unknown => changes.find(change => change.key === key)?.[side]
  if (value('paused') === true) return t`paused`
  if (value('finish') === true) return t`finishing`
  if (value('paused') === false || value('finish') === false) return t`folding`
  return undefined
}

/** One text a changed value; a group's folding state is one value. */
function changesTexts(changes: readonly ValueChange[], titles: OwnTitles | undefined): readonly string[] {
  const groups = [...new Set(changes.map(({ group }) => group))]
  const isOne = groups.length === 1 && groups[0] === ''
  return groups.flatMap(group => {
    const groupChanges = changes.filter(change => change.group === group)
    const states = groupChanges.filter(({ key }) => key === 'paused' || key === 'finish')
    const before = stateOf(states, 'before')
    const after = stateOf(states, 'after')
    const texts = [
      ...(before === undefined || after === undefined ? [] : [`${before} → ${after}`]),
      ...groupChanges.filter(({ key }) => key !== 'paused' && key !== 'finish').map(valueText),
    ]
    if (group === undefined || isOne) return texts
    return texts.length === 0 ? [] : [`${titleOf(group, titles)}: ${formatList(texts)}`]
  })
}

const keyLabels: Readonly<Record<string, string>> = {
  user: accountSettingTexts.user.label,
  team: accountSettingTexts.team.label,
  cause: accountSettingTexts.cause.label,
  name: t`Name`,
  tags: t`Tags`,
}

const stateWords: Readonly<Record<string, string>> = {
  fold: t`folding`,
  pause: t`paused`,
  finish: t`finishing`,
  off: t`disabled`,
}

function valueText({ key, name = '', before, after }: ValueChange): string {
  if (key === 'processor')
    return `${name}: ${stateWords[String(before)] ?? UNKNOWN} → ${stateWords[String(after)] ?? UNKNOWN}`
  if (key === 'passkey') return t`${accountSettingTexts.passkey.label} changes`
  if (key === 'name') return `${shortText(before)} → ${shortText(after)}`
  const label = isGroupFormKey(key) ? groupSettingTexts[key].label : (keyLabels[key] ?? key)
  return key === 'gpus'
    ? `${label} ${enabledCount(before)} → ${enabledCount(after)}`
    : `${label} ${shortText(before)} → ${shortText(after)}`
}

function enabledCount(gpus: unknown): string {
  return String(Object.values(record(gpus) ?? {}).filter(gpu => record(gpu)?.['enabled'] === true).length)
}

function shortText(value: unknown): string {
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  if (typeof value === 'number') return String(value)
  if (value === '') return t`none`
  return typeof value === 'string' ? value : UNKNOWN
}
