import type { NumberIdentity, TextIdentity } from '../personal-fields.ts'
import { ABILITIES, isAble, type Ability } from './client-abilities.ts'

/*
 * The settings of a client (docs/protocol.md §4), one entry each. The schema of what a client reports, the types of
 * `config` commands, their validation, the settings form and the simulated client follow from this table. Labels and
 * help are in src/folding/client/setting-texts.ts: this file is also loaded in a worker, which has no texts.
 */

/** Both ends included. A client stores any number and cuts it to its own types later (docs/protocol.md §5). */
export type Limits = { readonly least: number; readonly most: number }

type AccountSetting = {
  /** A setting of the client. In a linked client, the account's value replaces it on each connect. */
  readonly scope: 'account'
} & (
  | { readonly type: 'string'; readonly default: string; readonly identifies: TextIdentity | 'nobody' }
  | {
      readonly type: 'number'
      readonly default: number
      readonly limits: Limits
      readonly identifies: NumberIdentity | 'nobody'
    }
)

type GroupSetting = {
  /** A setting of each resource group. */
  readonly scope: 'group'
  /** What a client must be able to do to know it; all supported versions know it if omitted. */
  readonly needs?: Ability
  /** Changed by `state` commands only, never by the settings form. */
  readonly isState?: true
} & (
  | {
      readonly type: 'boolean'
      /** The value in a new group. */
      readonly default: boolean
      /** What it means when a client does not report it; `default` if omitted. */
      readonly missing?: boolean
    }
  /** A whole number. `cpus`: the number of CPUs to use, which is also limited by the client. */
  | { readonly type: 'number' | 'cpus'; readonly default: number; readonly limits: Limits }
  /** Which GPUs to use, by id. Replaced as a whole: a client forgets GPUs that a command does not name. */
  | { readonly type: 'gpus'; readonly default: Readonly<Record<string, never>> }
)

/** In the order in which a client reports them. */
export const settingsTable = {
  user: { scope: 'account', type: 'string', default: 'Anonymous', identifies: 'user' },
  /** 0 is no team. The limit is the client's: team 5000000000 would fold as team 705032704. */
  team: {
    scope: 'account',
    type: 'number',
    default: 0,
    limits: { least: 0, most: 2_147_483_647 },
    identifies: 'team',
  },
  passkey: { scope: 'account', type: 'string', default: '', identifies: 'secret' },
  cause: { scope: 'account', type: 'string', default: 'any', identifies: 'nobody' },

  on_idle: { scope: 'group', type: 'boolean', default: false },
  on_battery: { scope: 'group', type: 'boolean', default: true, missing: false, needs: 'battery' },
  keep_awake: { scope: 'group', type: 'boolean', default: true, missing: false, needs: 'battery' },
  paused: { scope: 'group', type: 'boolean', default: true, isState: true },
  finish: { scope: 'group', type: 'boolean', default: false, isState: true },
  beta: { scope: 'group', type: 'boolean', default: false },
  cuda: { scope: 'group', type: 'boolean', default: true, needs: 'cuda' },
  hip: { scope: 'group', type: 'boolean', default: true, needs: 'hip' },
  /** 0 is no key. */
  key: { scope: 'group', type: 'number', default: 0, limits: { least: 0, most: Number.MAX_SAFE_INTEGER } },
  cpus: { scope: 'group', type: 'cpus', default: 0, limits: { least: 0, most: 4_294_967_295 } },
  gpus: { scope: 'group', type: 'gpus', default: {} },
} as const satisfies Readonly<Record<string, AccountSetting | GroupSetting>>

type Table = typeof settingsTable

export type SettingKey = keyof Table
export type SettingType<Key extends SettingKey = SettingKey> = Table[Key]['type']

/** Keys whose entry has the given facts. */
type KeyWith<Facts> = { [Key in SettingKey]: Table[Key] extends Facts ? Key : never }[SettingKey]

export type AccountSettingKey = KeyWith<{ readonly scope: 'account' }>
export type GroupSettingKey = KeyWith<{ readonly scope: 'group' }>
/** Settings of a group that the form edits. */
export type GroupFormKey = Exclude<GroupSettingKey, KeyWith<{ readonly isState: true }>>
/** Settings that not every client version knows. */
export type NewerSettingKey = KeyWith<{ readonly needs: Ability }>

type Values = {
  readonly boolean: boolean
  readonly number: number
  readonly string: string
  readonly cpus: number
  readonly gpus: Readonly<Record<string, { readonly enabled: boolean }>>
}

/** The value in a client's own type. */
export type SettingValue<Key extends SettingKey> = Values[SettingType<Key>]

const keys = Object.keys(settingsTable) as SettingKey[]

export const accountSettingKeys = keys.filter((key): key is AccountSettingKey => settingsTable[key].scope === 'account')
export const groupSettingKeys = keys.filter((key): key is GroupSettingKey => settingsTable[key].scope === 'group')

export function settingFacts(key: SettingKey): AccountSetting | GroupSetting {
  return settingsTable[key]
}

/** The facts of a group's setting, with those that only some entries have. */
export function groupSettingFacts(key: GroupSettingKey): GroupSetting {
  return settingsTable[key]
}

export const groupFormKeys = groupSettingKeys.filter(
  (key): key is GroupFormKey => groupSettingFacts(key).isState !== true,
)

export function isGroupFormKey(key: string): key is GroupFormKey {
  return groupFormKeys.some(candidate => candidate === key)
}

/** Whether a client of this version knows the setting. An unknown version knows only those that all versions know. */
export function knowsSetting(key: GroupSettingKey, version: string | undefined): boolean {
  const { needs } = groupSettingFacts(key)
  return needs === undefined || isAble(version, needs)
}

/** The first version that knows it; undefined where all supported ones do. */
export function firstVersionWith(key: GroupSettingKey): string | undefined {
  const { needs } = groupSettingFacts(key)
  return needs === undefined ? undefined : ABILITIES[needs]
}

/** The defaults of some settings, as new objects. */
export function settingDefaults<Key extends SettingKey>(of: readonly Key[]) {
  return structuredClone(Object.fromEntries(of.map(key => [key, settingFacts(key).default]))) as {
    -readonly [K in Key]: SettingValue<K>
  }
}

/** The JSON type of each setting; a client ignores a value of another type (docs/protocol.md §5). */
export const settingJsonTypes: ReadonlyMap<string, 'boolean' | 'number' | 'string' | 'object'> = new Map(
  keys.map(key => {
    const { type } = settingsTable[key]
    return [key, type === 'cpus' ? 'number' : type === 'gpus' ? 'object' : type]
  }),
)
