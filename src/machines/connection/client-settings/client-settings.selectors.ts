import type { Path } from '../../../folding/shared/edits.ts'
import { groupNames, groupTitle } from '../../../folding/machine/group.ts'
import {
  changedElsewhere,
  checkMachineForm,
  isAdvancedForm,
  type GroupForm,
  type MachineForm,
} from '../../../folding/machine/machine-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { SettingsReport } from './client-settings.events.ts'
import {
  nameToLink,
  whyNotLinked,
  type ClientSettingsSnapshot,
  type MachineDraftRef,
} from './client-settings.machine.ts'

type DraftedMachine = DraftSnapshot<MachineForm>

/** It lives as long as the settings do. */
export const selectMachineDraft = ({ context }: ClientSettingsSnapshot): MachineDraftRef => context.draft
export const selectSettingsReport = ({ context }: ClientSettingsSnapshot): SettingsReport => context.report
export const selectNameToLink = ({ context }: ClientSettingsSnapshot): string => nameToLink(context)
/** Why the machine cannot be linked now; undefined when it can. */
export const selectWhyNotLinked = ({ context }: ClientSettingsSnapshot): string | undefined => whyNotLinked(context)
export const isLinking = (snapshot: ClientSettingsSnapshot): boolean => snapshot.hasTag('linking')
export const isUnlinking = (snapshot: ClientSettingsSnapshot): boolean => snapshot.hasTag('unlinking')

/** The group that is shown: the default one when the one that was chosen is gone. */
export const selectShownGroup = ({ context: { group, drafted } }: ClientSettingsSnapshot): string =>
  Object.hasOwn(drafted.groups ?? {}, group) ? group : ''

const newsOf = new WeakMap<MachineForm, { readonly reported: MachineForm; readonly paths: readonly Path[] }>()

/** What was changed on the machine since the person looked. The same list for the same news. */
export const selectChangesElsewhere = ({ context: { seen, report } }: ClientSettingsSnapshot): readonly Path[] => {
  const known = newsOf.get(seen)
  if (known?.reported === report.form) return known.paths
  const paths = changedElsewhere(seen, report.form)
  newsOf.set(seen, { reported: report.form, paths })
  return paths
}

type Groups = NonNullable<MachineForm['groups']>

const none: readonly string[] = []
const namesOf = new WeakMap<Groups, readonly string[]>()

/** The default group first. The same list for the same groups; empty when the machine reports none. */
export const selectGroupNames = ({ context: { draft } }: DraftedMachine): readonly string[] => {
  const groups = draft?.groups
  if (groups === undefined) return none
  const names = namesOf.get(groups) ?? groupNames(groups)
  namesOf.set(groups, names)
  return names
}

export const selectGroupForm =
  (name: string) =>
  ({ context: { draft } }: DraftedMachine): GroupForm | undefined =>
    draft?.groups !== undefined && Object.hasOwn(draft.groups, name) ? draft.groups[name] : undefined

/** Whether a group is only here, and will be made when it is saved. */
export const isGroupNew =
  (name: string) =>
  ({ context: { saved } }: DraftedMachine): boolean =>
    !Object.hasOwn(saved?.groups ?? {}, name)

/** Whether some group is set up beyond the ordinary, so that it must be shown. */
export const needsAdvanced = ({ context: { draft } }: DraftedMachine): boolean =>
  draft !== undefined && isAdvancedForm(draft)

/** What is wrong with what was typed into a field: 'name', 'user', 'team', 'passkey' or a group's `keyField`. */
export const selectMachineComplaint =
  (field: string) =>
  ({ context: { draft, saved } }: DraftedMachine): string | undefined =>
    draft === undefined || saved === undefined ? undefined : checkMachineForm(draft, saved)[field]

/** Other groups that enable the same GPU, as text; '' when there is none. */
export const selectRivals =
  (group: string, gpu: string) =>
  ({ context: { draft } }: DraftedMachine): string =>
    Object.entries(draft?.groups ?? {})
      .flatMap(([name, { gpus }]) =>
        name !== group && Object.hasOwn(gpus, gpu) && gpus[gpu] === true ? [groupTitle(name)] : [],
      )
      .join(', ')

/** CPUs that all groups are given together. */
export const selectAllCpus = ({ context: { draft } }: DraftedMachine): number =>
  Object.values(draft?.groups ?? {}).reduce((sum, { cpus }) => sum + cpus, 0)
