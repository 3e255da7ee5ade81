/* The settings form of a client while it is edited: validation, changes, and the `config` command that saves them. */
import { t } from '@lingui/core/macro'
import type { Command, ConfigPatch, GroupEdits, GroupPatch } from '../../protocol/client/commands.ts'
import { groupFormKeys, groupSettingFacts, type GroupFormKey } from '../../protocol/client/settings-table.ts'
import { definedErrors, type ValidationErrors } from '../account/registration.ts'
import { changedPaths, isSameValue, valueAt, type Path } from '../shared/edits.ts'
import { wholeNumber, wholeNumberError, type Limits } from '../shared/limits.ts'
import { ownValue } from '../shared/read.ts'
import {
  checkClientName,
  checkPasskey,
  checkTeam,
  checkUser,
  newGroupName,
  teamNumber,
  userToSend,
} from '../shared/validation.ts'
import { DEFAULT_GROUP, groupTitle } from './group.ts'
import { numberText, toGroupForm, type FormValue, type GroupForm, type ClientForm } from './client-form.ts'

/** A new group with the client's defaults (docs/protocol.md §4). `example`: a group of the same client. */
export function newGroup(example: GroupForm | undefined): GroupForm {
  return toGroupForm(key => {
    const facts = groupSettingFacts(key)
    if (facts.needs !== undefined && ownValue(example, key) === undefined) return undefined
    switch (facts.type) {
      case 'boolean':
      case 'cpus':
        return facts.default
      case 'number':
        return ''
      case 'gpus':
        return Object.fromEntries(Object.keys(example?.gpus ?? {}).map(id => [id, false]))
    }
  })
}

const UNSAFE_GROUP_NAME = t`A resource group cannot have this name`
const CONTROL_IN_GROUP_NAME = t`A resource group’s name cannot hold control characters`

/** Validates the name of a new group. The name of an existing one, among `names`, is valid: it only selects that group. */
export function checkGroupName(typed: string, names: readonly string[] = []): string | undefined {
  const name = newGroupName(typed)
  if (names.includes(name)) return undefined
  // Keys that reach into JavaScript’s own objects are never decoded, so such a group would not be shown.
  if (['__proto__', 'constructor', 'prototype'].includes(name)) return UNSAFE_GROUP_NAME
  if (/\p{Cc}|\p{Surrogate}/u.test(name)) return CONTROL_IN_GROUP_NAME
  const rival = ['', ...names].find(other => readingOf(other) === readingOf(name))
  if (rival === undefined || name === '') return undefined
  return rival === ''
    ? t`The default group is shown under this name`
    : t`It differs from the group ${groupTitle(rival)} only in case or white space`
}

/** Groups with the same reading differ only in the case and white space of their names. */
function readingOf(name: string): string {
  return (name === '' ? DEFAULT_GROUP : name).replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** The key of a group's setting among the validation errors. */
export function groupField(group: string, key: GroupFormKey): string {
  return `${group}/${key}`
}

/** Validation errors by field: `name`, `user`, `team`, `passkey` or a `groupField`. Reported values are always valid. */
export function checkClientForm(
  { linked, donor, groups = {} }: ClientForm,
  saved: ClientForm,
): ValidationErrors<string> {
  return definedErrors<string>({
    name: linked === undefined || linked.name === saved.linked?.name ? undefined : checkClientName(linked.name),
    ...(donor === undefined ? {} : donorErrors(donor, saved.donor)),
    ...Object.fromEntries(
      Object.entries(groups).flatMap(([name, group]) =>
        groupFormKeys.map(key => {
          const isReported = ownValue(ownValue(saved.groups, name), key) === group[key]
          return [groupField(name, key), isReported ? undefined : settingError(key, group[key])]
        }),
      ),
    ),
  })
}

function donorErrors({ user, team, secrets }: NonNullable<ClientForm['donor']>, saved: ClientForm['donor']) {
  return {
    user: user === saved?.user ? undefined : checkUser(user),
    team: team === saved?.team ? undefined : checkTeam(team),
    passkey: secrets.passkey === saved?.secrets.passkey ? undefined : checkPasskey(secrets.passkey, 'loose'),
  }
}

function settingError(key: GroupFormKey, value: FormValue | undefined): string | undefined {
  const facts = groupSettingFacts(key)
  const isNumber = typeof value === 'string' || typeof value === 'number'
  return 'limits' in facts && isNumber ? wholeNumberError(String(value), facts.limits) : undefined
}

/** The form as the client will report it once it is saved: '007' as '7', no user as 'Anonymous'. */
export function settledForm(form: ClientForm, saved: ClientForm): ClientForm {
  return {
    ...form,
    ...(form.donor === undefined ? {} : { donor: settledDonor(form.donor, saved.donor) }),
    ...(form.groups === undefined
      ? {}
      : {
          groups: Object.fromEntries(Object.entries(form.groups).map(([name, group]) => [name, settledGroup(group)])),
        }),
  }
}

function settledGroup(group: GroupForm): GroupForm {
  return toGroupForm(key => {
    const facts = groupSettingFacts(key)
    const value = group[key]
    if (facts.type !== 'number' || typeof value !== 'string') return value
    const number = typedNumber(value, facts)
    return number === undefined ? value : numberText(number, facts.default)
  })
}

function settledDonor(
  donor: NonNullable<ClientForm['donor']>,
  saved: ClientForm['donor'],
): NonNullable<ClientForm['donor']> {
  return {
    ...donor,
    user: donor.user === saved?.user ? donor.user : userToSend(donor.user),
    team: settledNumber(checkTeam(donor.team) === undefined ? teamNumber(donor.team) : undefined, donor.team),
  }
}

function settledNumber(value: number | undefined, typed: string): string {
  return value === undefined ? typed : numberText(value, 0)
}

type NumberFacts = { readonly default: number; readonly limits: Limits }

/** Undefined for anything that is not a whole number within the limits. */
function typedNumber(typed: string, { default: empty, limits }: NumberFacts): number | undefined {
  return typed.trim() === '' ? empty : wholeNumber(typed, limits)
}

/** A part of a `config` command; the passkey stands apart, since it never enters a recording. */
export type ConfigChange = Omit<Extract<Command, { readonly cmd: 'config' }>, 'cmd'>

/**
 * The `config` command that makes the client's settings those of the form: only what differs from `reported`, in the
 * client's own types, and never whether a group folds. Undefined if nothing differs.
 */
export function configToSend(form: ClientForm, reported: ClientForm): ConfigChange | undefined {
  const donor = form.donor === undefined ? {} : donorToSend(form.donor, reported.donor)
  const groups = groupEdits(form.groups ?? {}, reported.groups ?? {})
  const passkey = form.donor?.secrets.passkey
  const isPasskeyNew = passkey !== undefined && passkey !== reported.donor?.secrets.passkey
  const config: ConfigPatch = { ...donor, ...(Object.keys(groups).length === 0 ? {} : { groups }) }
  if (Object.keys(config).length === 0 && !isPasskeyNew) return undefined
  return isPasskeyNew ? { config, secrets: { passkey } } : { config }
}

function donorToSend(
  { user, team, cause }: NonNullable<ClientForm['donor']>,
  reported: ClientForm['donor'],
): ConfigPatch {
  return {
    ...(user === reported?.user ? {} : { user }),
    ...(team === reported?.team ? {} : { team: teamNumber(team) }),
    ...(cause === reported?.cause ? {} : { cause }),
  }
}

/** Groups that differ, by name; `null` deletes one. */
function groupEdits(
  groups: Readonly<Record<string, GroupForm>>,
  reported: Readonly<Record<string, GroupForm>>,
): GroupEdits {
  const names = [...new Set([...Object.keys(groups), ...Object.keys(reported)])]
  return Object.fromEntries(
    names.flatMap((name): [string, GroupPatch | null][] => {
      const group = Object.hasOwn(groups, name) ? groups[name] : undefined
      const reportedGroup = Object.hasOwn(reported, name) ? reported[name] : undefined
      if (isSameValue(group, reportedGroup)) return []
      return [[name, group === undefined ? null : groupPatch(group, reportedGroup)]]
    }),
  )
}

function groupPatch(group: GroupForm, reported: GroupForm | undefined): GroupPatch {
  return Object.fromEntries(
    groupFormKeys
      .filter(key => group[key] !== undefined && !isSameValue(group[key], reported?.[key]))
      .map(key => [key, valueToSend(key, group[key])]),
  )
}

function valueToSend(key: GroupFormKey, value: FormValue | undefined): unknown {
  const facts = groupSettingFacts(key)
  switch (facts.type) {
    case 'boolean':
    case 'cpus':
      return value
    case 'number':
      return typeof value === 'string' ? (typedNumber(value, facts) ?? facts.default) : facts.default
    case 'gpus':
      return Object.fromEntries(
        Object.entries(typeof value === 'object' ? value : {}).map(([id, enabled]) => [id, { enabled }]),
      )
  }
}

/** Whether saving needs the client to be connected. Its name is saved by the account. */
export function needsClient(form: ClientForm, saved: ClientForm): boolean {
  return !isSameValue({ ...form, linked: undefined }, { ...saved, linked: undefined })
}

/** Whether a group is set up beyond the ordinary (docs/product.md §4, advanced mode). */
export function isAdvancedForm({ groups = {} }: ClientForm): boolean {
  return Object.entries(groups).some(([name, { key, beta }]) => name !== '' || key !== '' || beta)
}

/** Paths that changed on the client since it was opened. A GPU that was detected meanwhile and is off is no change. */
export function changedElsewhere(opened: ClientForm, reported: ClientForm): readonly Path[] {
  return changedPaths(opened, reported).filter(path => !isOff(valueAt(opened, path)) || !isOff(valueAt(reported, path)))
}

/** The form that the user has seen, with the parts of `reported`: parts that appear or go were not changed. */
export function seenWith(seen: ClientForm, reported: ClientForm): ClientForm {
  return Object.fromEntries(
    Object.entries({ ...reported, ...seen }).filter(([part]) => ownValue(reported, part) !== undefined),
  )
}

function isOff(value: unknown): boolean {
  return value === undefined || value === false
}
