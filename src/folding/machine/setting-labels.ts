/*
 * Settings in words: which one it is, and what it is set to. For conflicts, for news, and for what was refused.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo } from '../../protocol/client-data.ts'
import { valueAt, type Path } from '../shared/edits.ts'
import { UNKNOWN } from '../shared/format.ts'
import { groupTitle } from './group.ts'
import { gpuName } from './resources.ts'

/** The labels of a group's settings, as the form has them. */
export const GROUP_LABELS: Readonly<Record<string, string>> = {
  on_idle: t`Only When Idle`,
  on_battery: t`While On Battery`,
  keep_awake: t`Keep Awake`,
  cpus: t`CPUs`,
  beta: t`Beta Projects`,
  key: 'Project Key',
  cuda: t`Enable CUDA`,
  hip: t`Enable HIP`,
}

const MACHINE_LABELS: Readonly<Record<string, string>> = {
  'linked/name': t`Machine name`,
  'donor/user': t`User name`,
  'donor/team': t`Team`,
  'donor/cause': t`Cause`,
  'donor/secrets/passkey': t`Passkey`,
}

/** 'Team', 'CPUs of Default', 'Resource group “night”'. Names that people gave stay as they are. */
export const settingName = (path: Path, info: ClientInfo | undefined): string => {
  const [part, group, setting, gpu] = path
  if (part !== 'groups' || group === undefined) return MACHINE_LABELS[path.join('/')] ?? path.join(' ')
  if (setting === undefined) {
    const title = group === '' ? groupTitle('') : group
    return t`Resource group “${title}”`
  }
  const label = gpu === undefined ? (GROUP_LABELS[setting] ?? setting) : `GPU ${gpuName(info, gpu)}`
  return t`${label} of ${groupTitle(group)}`
}

/** What a setting is set to in a form, in a word. A passkey is never said. */
export const settingWords = (path: Path, form: object): string => {
  const value = valueAt(form, path)
  if (path.at(-1) === 'passkey') return value === '' ? 'none' : t`another one`
  if (path.length === 2 && path[0] === 'groups') return value === undefined ? 'deleted' : 'kept'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return String(value)
  if (value === '') return 'none'
  return typeof value === 'string' ? value : UNKNOWN
}
