/*
 * What a person may change of a machine, as a form has it, and what a client must be told of the changes.
 */
import { t } from '@lingui/core/macro'
import type { ClientData } from '../../protocol/client-data.ts'
import type { ConfigPatch, GroupEdits, GroupPatch } from '../../protocol/commands.ts'
import { changedPaths, isSameValue, valueAt, type Path } from '../shared/edits.ts'
import {
  DEFAULT_GROUP,
  groupNames,
  groupTitle,
  hasGroups,
  hasPowerSettings,
  normalGroupConfig,
  type NormalGroupConfig,
} from './group.ts'
import { cpusLimit, isWithin } from '../shared/limits.ts'
import { own } from '../shared/read.ts'
import { onlyComplaints, type Complaints } from '../account/registration.ts'
import {
  checkMachineName,
  checkPasskey,
  checkProjectKey,
  checkTeam,
  checkUser,
  newGroupName,
  projectKeyOf,
  teamNumber,
  userToSend,
} from '../shared/validation.ts'

/** One resource group. Settings that its client does not know are missing. */
export type GroupForm = {
  readonly on_idle: boolean
  readonly on_battery?: boolean
  readonly keep_awake?: boolean
  readonly beta: boolean
  readonly cuda: boolean
  readonly hip: boolean
  readonly cpus: number
  /** As it is typed; '' is none. */
  readonly key: string
  /** Whether each GPU is enabled, by id; undetected ones too. */
  readonly gpus: Readonly<Record<string, boolean>>
}

/** Parts that cannot be changed as things are (signed in or not, linked or not, never heard) are missing. */
export type MachineForm = {
  /** A machine of the account that is signed in. */
  readonly linked?: { readonly machine: string; readonly name: string }
  /** Whom the machine folds for, as long as no account says so. */
  readonly donor?: {
    readonly user: string
    readonly team: string
    readonly cause: string
    readonly secrets: { readonly passkey: string }
  }
  readonly groups?: Readonly<Record<string, GroupForm>>
}

export type FormParts = {
  /** Undefined as long as nothing was heard. */
  readonly data: ClientData | undefined
  readonly linked: MachineForm['linked'] | undefined
  readonly isSignedIn: boolean
}

/** The machine as the form begins with it. */
export const machineForm = ({ data, linked, isSignedIn }: FormParts): MachineForm => ({
  ...(linked === undefined ? {} : { linked }),
  ...(data === undefined || isSignedIn ? {} : { donor: donorForm(data) }),
  ...(data === undefined || !hasGroups(data) ? {} : { groups: groupForms(data) }),
})

const donorForm = ({
  config: { user = '', team = 0, cause = '', passkey = '' },
}: ClientData): NonNullable<MachineForm['donor']> => ({
  user,
  team: team === 0 ? '' : String(team),
  cause: cause === '' ? 'any' : cause.toLowerCase(),
  secrets: { passkey },
})

const groupForms = ({ groups, info }: ClientData): Readonly<Record<string, GroupForm>> =>
  Object.fromEntries(
    groupNames(groups).map(name => [
      name,
      groupForm(normalGroupConfig(groups[name]?.config, info), hasPowerSettings(info.version)),
    ]),
  )

const groupForm = (config: NormalGroupConfig, knowsPower: boolean): GroupForm => ({
  on_idle: config.on_idle,
  ...(knowsPower ? { on_battery: Boolean(config.on_battery), keep_awake: Boolean(config.keep_awake) } : {}),
  beta: config.beta,
  cuda: config.cuda,
  hip: config.hip,
  cpus: config.cpus,
  key: config.key === 0 ? '' : String(config.key),
  gpus: Object.fromEntries(Object.entries(config.gpus).map(([id, { enabled }]) => [id, enabled])),
})

/** A group that is about to be made: what a client gives a new one (docs/protocol.md §4), as far as it knows it. */
export const newGroup = (example: GroupForm | undefined): GroupForm => ({
  on_idle: false,
  ...(example?.on_battery === undefined ? {} : { on_battery: true }),
  ...(example?.keep_awake === undefined ? {} : { keep_awake: true }),
  beta: false,
  cuda: true,
  hip: true,
  cpus: 0,
  key: '',
  gpus: Object.fromEntries(Object.keys(example?.gpus ?? {}).map(id => [id, false])),
})

export const UNSAFE_GROUP_NAME = t`A resource group cannot have this name`
export const CONTROL_IN_GROUP_NAME = t`A resource group’s name cannot hold control characters`

/** What is wrong with a name for a new group; one that there is already among `names` is only selected. */
export const checkGroupName = (typed: string, names: readonly string[] = []): string | undefined => {
  const name = newGroupName(typed)
  if (names.includes(name)) return undefined
  // Words that reach into JavaScript’s own objects are never read from a client, so such a group would be lost again.
  if (['__proto__', 'constructor', 'prototype'].includes(name)) return UNSAFE_GROUP_NAME
  if (/\p{Cc}|\p{Surrogate}/u.test(name)) return CONTROL_IN_GROUP_NAME
  const rival = ['', ...names].find(other => readingOf(other) === readingOf(name))
  if (rival === undefined || name === '') return undefined
  return rival === ''
    ? t`The default group is shown under this name`
    : t`It differs from the group ${groupTitle(rival)} only in case or white space`
}

/** Groups with the same reading differ only in the case and white space of their names. */
const readingOf = (name: string): string =>
  (name === '' ? DEFAULT_GROUP : name).replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** The field of a group's project key among the complaints. */
export const keyField = (group: string): string => t`key of ${group}`

/** The field of a group's CPUs among the complaints. */
const cpusField = (group: string): string => t`cpus of ${group}`

/** What is wrong with the form. What the machine itself reports is right as it is. */
export const checkMachineForm = ({ linked, donor, groups = {} }: MachineForm, saved: MachineForm): Complaints<string> =>
  onlyComplaints<string>({
    name: linked === undefined || linked.name === saved.linked?.name ? undefined : checkMachineName(linked.name),
    ...(donor === undefined ? {} : donorComplaints(donor, saved.donor)),
    ...Object.fromEntries(
      Object.entries(groups).flatMap(([name, { key, cpus }]) => [
        [keyField(name), key === own(own(saved.groups, name), 'key') ? undefined : checkProjectKey(key)],
        [cpusField(name), cpus === own(own(saved.groups, name), 'cpus') ? undefined : checkCpus(cpus)],
      ]),
    ),
  })

const donorComplaints = ({ user, team, secrets }: NonNullable<MachineForm['donor']>, saved: MachineForm['donor']) => ({
  user: user === saved?.user ? undefined : checkUser(user),
  team: team === saved?.team ? undefined : checkTeam(team),
  passkey: secrets.passkey === saved?.secrets.passkey ? undefined : checkPasskey(secrets.passkey, 'loose'),
})

const checkCpus = (cpus: number): string | undefined =>
  Number.isInteger(cpus) && isWithin(cpus, cpusLimit()) ? undefined : t`A number of CPUs is a whole number from 0`

/** The form as the machine will report it once it is saved: '007' as '7', no user as 'Anonymous'. */
export const settledForm = (form: MachineForm, saved: MachineForm): MachineForm => ({
  ...form,
  ...(form.donor === undefined ? {} : { donor: settledDonor(form.donor, saved.donor) }),
  ...(form.groups === undefined
    ? {}
    : {
        groups: Object.fromEntries(
          Object.entries(form.groups).map(([name, group]) => [
            name,
            { ...group, key: settledNumber(projectKeyOf(group.key), group.key) },
          ]),
        ),
      }),
})

const settledDonor = (
  donor: NonNullable<MachineForm['donor']>,
  saved: MachineForm['donor'],
): NonNullable<MachineForm['donor']> => ({
  ...donor,
  user: donor.user === saved?.user ? donor.user : userToSend(donor.user),
  team: settledNumber(checkTeam(donor.team) === undefined ? teamNumber(donor.team) : undefined, donor.team),
})

const settledNumber = (value: number | undefined, typed: string): string =>
  value === undefined ? typed : value === 0 ? '' : String(value)

/** A part of a `config` command; the passkey stands apart, since it never enters a recording. */
export type MachineConfig = { readonly config: ConfigPatch; readonly secrets?: { readonly passkey: string } }

/**
 * What a client must be told so that its settings become the form's: only what differs from `reported`, in the
 * client's own types. `paused` and `finish` are never among it. Undefined when there is nothing to tell.
 */
export const configToSend = (form: MachineForm, reported: MachineForm): MachineConfig | undefined => {
  const donor = form.donor === undefined ? {} : donorToSend(form.donor, reported.donor)
  const groups = groupEdits(form.groups ?? {}, reported.groups ?? {})
  const passkey = form.donor?.secrets.passkey
  const isPasskeyNew = passkey !== undefined && passkey !== reported.donor?.secrets.passkey
  const config: ConfigPatch = { ...donor, ...(Object.keys(groups).length === 0 ? {} : { groups }) }
  if (Object.keys(config).length === 0 && !isPasskeyNew) return undefined
  return isPasskeyNew ? { config, secrets: { passkey } } : { config }
}

const donorToSend = (
  { user, team, cause }: NonNullable<MachineForm['donor']>,
  reported: MachineForm['donor'],
): ConfigPatch => ({
  ...(user === reported?.user ? {} : { user }),
  ...(team === reported?.team ? {} : { team: teamNumber(team) }),
  ...(cause === reported?.cause ? {} : { cause }),
})

/** Groups that differ, by name; `null` for one that is to be deleted. */
const groupEdits = (
  groups: Readonly<Record<string, GroupForm>>,
  reported: Readonly<Record<string, GroupForm>>,
): GroupEdits => {
  const names = [...new Set([...Object.keys(groups), ...Object.keys(reported)])]
  return Object.fromEntries(
    names.flatMap((name): [string, GroupPatch | null][] => {
      const group = Object.hasOwn(groups, name) ? groups[name] : undefined
      const known = Object.hasOwn(reported, name) ? reported[name] : undefined
      if (isSameValue(group, known)) return []
      return [[name, group === undefined ? null : groupPatch(group, known)]]
    }),
  )
}

const groupPatch = (group: GroupForm, reported: GroupForm | undefined): GroupPatch => {
  const flags = ['on_idle', 'on_battery', 'keep_awake', 'beta', 'cuda', 'hip'] as const
  const isNew = (key: keyof GroupForm): boolean => !isSameValue(group[key], reported?.[key])
  return {
    ...Object.fromEntries(flags.filter(key => group[key] !== undefined && isNew(key)).map(key => [key, group[key]])),
    ...(isNew('cpus') ? { cpus: group.cpus } : {}),
    ...(isNew('key') ? { key: projectKeyOf(group.key) ?? 0 } : {}),
    // A client forgets the GPUs that are not named.
    ...(isNew('gpus')
      ? { gpus: Object.fromEntries(Object.entries(group.gpus).map(([id, enabled]) => [id, { enabled }])) }
      : {}),
  }
}

/** Whether saving needs the client itself, and not the account alone. */
export const needsClient = (form: MachineForm, saved: MachineForm): boolean =>
  !isSameValue({ ...form, linked: undefined }, { ...saved, linked: undefined })

/** Whether a group is set up beyond the ordinary (docs/product.md §4, advanced mode). */
export const isAdvancedForm = ({ groups = {} }: MachineForm): boolean =>
  Object.entries(groups).some(([name, { key, beta }]) => name !== '' || key !== '' || beta)

/**
 * Where the machine differs from what it was when it was opened, in places that a person would care about: a GPU that
 * was detected meanwhile and is off is none.
 */
export const changedElsewhere = (opened: MachineForm, reported: MachineForm): readonly Path[] =>
  changedPaths(opened, reported).filter(path => !isOff(valueAt(opened, path)) || !isOff(valueAt(reported, path)))

/** What a person has seen, where parts appear that were not known before, or are gone: nobody changed those. */
export const seenWith = (seen: MachineForm, reported: MachineForm): MachineForm =>
  Object.fromEntries(Object.entries({ ...reported, ...seen }).filter(([part]) => own(reported, part) !== undefined))

const isOff = (value: unknown): boolean => value === undefined || value === false
