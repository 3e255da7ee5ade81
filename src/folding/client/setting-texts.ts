/* Texts of the settings: their sections, labels and help, and names and values in messages about changes. */
import { t } from '@lingui/core/macro'
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import {
  isGroupFormKey,
  settingsTable,
  type AccountSettingKey,
  type GroupFormKey,
  type SettingType,
} from '../../protocol/client/settings-table.ts'
import { valueAt, type Path } from '../shared/edits.ts'
import { UNKNOWN } from '../text/format.ts'
import { groupTitleOf } from './group.ts'
import { gpuName } from './resources.ts'

type SettingTexts = {
  readonly label: string
  readonly help: string
  /** Shown in an empty text field. */
  readonly placeholder?: string
}

/** Settings of the client, or of its account where it is linked. */
export const accountSettingTexts: Readonly<Record<AccountSettingKey, SettingTexts>> = {
  user: {
    label: t`User name`,
    help: t`Points are credited to this name. It need not be unique. “Anonymous” keeps you anonymous. Any characters other than < > ; or & are allowed.`,
    placeholder: t`Anonymous`,
  },
  team: {
    label: t`Team`,
    help: t`The number of the team you fold for. Leave it empty, or enter 0, for no team.`,
    placeholder: t`No team`,
  },
  passkey: {
    label: t`Passkey`,
    help: t`A passkey gives you bonus points. The project sends you one by email on request.`,
  },
  cause: { label: t`Cause`, help: t`The research to prefer when there is work for it. “Any” helps most.` },
}

/** The sections of a group's settings, in the order of the screen. */
export const settingSections = {
  scheduling: { title: t`Scheduling`, about: t`When to fold.`, isAdvanced: false },
  resources: { title: t`Resource Usage`, about: t`What to fold on.`, isAdvanced: false },
  advanced: { title: t`Advanced`, about: t`Mainly for testing.`, isAdvanced: true },
} as const

export type SettingSection = keyof typeof settingSections

export const settingSectionNames = Object.keys(settingSections) as SettingSection[]

type GroupSettingTexts = SettingTexts & { readonly section: SettingSection }

/** Settings of a group. Each section of the screen shows its settings in this order. */
export const groupSettingTexts: Readonly<Record<GroupFormKey, GroupSettingTexts>> = {
  on_idle: {
    section: 'scheduling',
    label: t`Only When Idle`,
    help: t`Fold only while nobody uses the computer. Work units pause when somebody does, and resume by themselves.`,
  },
  on_battery: {
    section: 'scheduling',
    label: t`While On Battery`,
    help: t`Fold while the computer runs on battery. Otherwise work units pause until it is plugged in.`,
  },
  keep_awake: {
    section: 'scheduling',
    label: t`Keep Awake`,
    help: t`Keep the computer from going to sleep while it folds.`,
  },
  cpus: {
    section: 'resources',
    label: t`CPUs`,
    help: t`How many of the machine’s CPUs this group may use. With 0, it folds on GPUs only.`,
  },
  gpus: {
    section: 'resources',
    label: t`GPUs`,
    help: t`Which GPUs this group may use. GPUs that the project does not support cannot be enabled. Undetected ones are enabled, but the client does not find them now; they stay listed until you disable them.`,
  },
  beta: {
    section: 'advanced',
    label: t`Beta Projects`,
    help: t`Ask for projects that are still being tested. They fail more often.`,
  },
  key: {
    section: 'advanced',
    label: t`Project Key`,
    help: t`A number that gives access to projects in closed tests. Leave it empty, or enter 0, for none.`,
    placeholder: t`None`,
  },
  cuda: {
    section: 'advanced',
    label: t`Enable CUDA`,
    help: t`Let NVIDIA GPUs fold with CUDA where a project supports it. Without it they use OpenCL.`,
  },
  hip: {
    section: 'advanced',
    label: t`Enable HIP`,
    help: t`Let AMD GPUs fold with HIP where a project supports it. Without it they use OpenCL.`,
  },
}

/** A setting of a group as the screen shows it; its type decides about the control. */
export type GroupField = SettingTexts & {
  readonly key: GroupFormKey
  readonly type: SettingType<GroupFormKey>
}

const groupFields: readonly (GroupField & GroupSettingTexts)[] = Object.entries(groupSettingTexts).flatMap(
  ([key, texts]) => (isGroupFormKey(key) ? [{ ...texts, key, type: settingsTable[key].type }] : []),
)

/** The fields of a section, as rows: neighboring checkboxes are one row. */
export function sectionRows(section: SettingSection): readonly (readonly GroupField[])[] {
  const rows: GroupField[][] = []
  for (const field of groupFields.filter(each => each.section === section)) {
    const row = rows.at(-1)
    if (field.type === 'boolean' && row?.[0]?.type === 'boolean') row.push(field)
    else rows.push([field])
  }
  return rows
}

const formLabels: Readonly<Record<string, string>> = {
  'linked/name': t`Machine name`,
  'donor/user': accountSettingTexts.user.label,
  'donor/team': accountSettingTexts.team.label,
  'donor/cause': accountSettingTexts.cause.label,
  'donor/secrets/passkey': accountSettingTexts.passkey.label,
}

/** 'Team', 'CPUs of Default', 'Resource group “night”', by the path in a `MachineForm`. */
export function settingName(path: Path, info: ClientInfo | undefined): string {
  const [part, group, setting, gpu] = path
  if (part !== 'groups' || group === undefined) return formLabels[path.join('/')] ?? path.join(' ')
  if (setting === undefined) {
    const title = group === '' ? groupTitleOf(info, '') : group
    return t`Resource group “${title}”`
  }
  const label = gpu === undefined ? groupSettingLabel(setting) : gpuLabel(gpuName(info, gpu))
  return t`${label} of ${groupTitleOf(info, group)}`
}

function groupSettingLabel(key: string): string {
  return isGroupFormKey(key) ? groupSettingTexts[key].label : key
}

function gpuLabel(gpu: string): string {
  return t`GPU ${gpu}`
}

/** The value of a setting in a `MachineForm`, as text. A passkey is never shown. */
export function settingValueText(path: Path, form: object): string {
  const value = valueAt(form, path)
  if (path.at(-1) === 'passkey') return value === '' ? t`none` : t`another one`
  if (path.length === 2 && path[0] === 'groups') return value === undefined ? t`deleted` : t`kept`
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  if (typeof value === 'number') return String(value)
  if (value === '') return t`none`
  return typeof value === 'string' ? value : UNKNOWN
}
