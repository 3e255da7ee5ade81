/* The settings form of a client: its values, from what the client reports. */
import type { ClientData, ClientInfo, GroupConfig } from '../../protocol/client/client-data.ts'
import {
  groupFormKeys,
  groupSettingFacts,
  knowsSetting,
  type GroupFormKey,
  type NewerSettingKey,
  type SettingType,
} from '../../protocol/client/settings-table.ts'
import { groupNames, hasGroups } from './group.ts'
import { configuredCpus, enabledGpus, gpuIds } from './resources.ts'
import { finite, ownValue, record } from '../shared/read.ts'

type FormValues = {
  readonly boolean: boolean
  /** As typed; empty is the default. */
  readonly number: string
  readonly cpus: number
  /** Whether each GPU is enabled, by id; undetected ones too. */
  readonly gpus: Readonly<Record<string, boolean>>
}
export type FormValue<Key extends GroupFormKey = GroupFormKey> = FormValues[SettingType<Key>]

/** One resource group. Settings that its client does not know are missing. */
export type GroupForm = {
  readonly [Key in Exclude<GroupFormKey, NewerSettingKey>]: FormValue<Key>
} & { readonly [Key in Extract<GroupFormKey, NewerSettingKey>]?: FormValue<Key> }

/** Parts that cannot be changed now (signed in or not, linked or not, nothing reported yet) are missing. */
export type ClientForm = {
  /** A client of the account that is signed in. */
  readonly linked?: { readonly machine: string; readonly name: string }
  /** The donor that the client folds for while no user is signed in. */
  readonly donor?: {
    readonly user: string
    readonly team: string
    readonly cause: string
    readonly secrets: { readonly passkey: string }
  }
  readonly groups?: Readonly<Record<string, GroupForm>>
}

export type FormParts = {
  /** Undefined until the client has reported. */
  readonly data: ClientData | undefined
  readonly linked: ClientForm['linked'] | undefined
  readonly isSignedIn: boolean
}

/** The form of what is reported. */
export function clientForm({ data, linked, isSignedIn }: FormParts): ClientForm {
  return {
    ...(linked === undefined ? {} : { linked }),
    ...(data === undefined || isSignedIn ? {} : { donor: donorForm(data) }),
    ...(data === undefined || !hasGroups(data) ? {} : { groups: groupForms(data) }),
  }
}

function donorForm({
  config: { user = '', team = 0, cause = '', passkey = '' },
}: ClientData): NonNullable<ClientForm['donor']> {
  return {
    user,
    team: team === 0 ? '' : String(team),
    cause: cause === '' ? 'any' : cause.toLowerCase(),
    secrets: { passkey },
  }
}

function groupForms({ groups, info }: ClientData): Readonly<Record<string, GroupForm>> {
  return Object.fromEntries(groupNames(groups).map(name => [name, groupForm(groups[name]?.config, info)]))
}

/** A group's settings as the form loads them (docs/product.md §3). Unknown values count as missing. */
function groupForm(config: GroupConfig | undefined, info: ClientInfo): GroupForm {
  return toGroupForm(key => (knowsSetting(key, info.version) ? reportedValue(key, config, info) : undefined))
}

/** A group of the value for each key; undefined leaves a key out. */
export function toGroupForm(valueOf: (key: GroupFormKey) => FormValue | undefined): GroupForm {
  const form: Partial<Record<GroupFormKey, FormValue>> = {}
  for (const key of groupFormKeys) {
    const value = valueOf(key)
    if (value !== undefined) form[key] = value
  }
  return form as GroupForm
}

function reportedValue(key: GroupFormKey, config: GroupConfig | undefined, info: ClientInfo): FormValue {
  const facts = groupSettingFacts(key)
  const reported = ownValue(config, key)
  switch (facts.type) {
    case 'boolean':
      return typeof reported === 'boolean' ? reported : (facts.missing ?? facts.default)
    case 'number':
      return numberText(finite(reported) ?? facts.default, facts.default)
    case 'cpus':
      return configuredCpus(config)
    case 'gpus': {
      const enabled = new Set(enabledGpus(config))
      const ids = new Set([...Object.keys(record(reported) ?? {}), ...gpuIds(info)])
      return Object.fromEntries([...ids].sort().map(id => [id, enabled.has(id)]))
    }
  }
}

/** A number as it is typed: the default is empty. */
export function numberText(value: number, defaultValue: number): string {
  return value === defaultValue ? '' : String(value)
}
