import type { Path } from '../../../folding/shared/edits.ts'
import { groupNames, groupTitle } from '../../../folding/client/group.ts'
import { changedElsewhere, checkClientForm, isAdvancedForm } from '../../../folding/client/client-form-edits.ts'
import type { GroupForm, ClientForm } from '../../../folding/client/client-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { SettingsReport } from './client-settings.events.ts'
import { nameToLink, linkBlocker, type ClientSettingsSnapshot, type ClientDraftRef } from './client-settings.machine.ts'
import { formatList } from '../../../folding/text/format.ts'

type DraftedClient = DraftSnapshot<ClientForm>

/** The draft lives as long as the settings machine. */
export function selectClientDraft({ context }: ClientSettingsSnapshot): ClientDraftRef {
  return context.draft
}
export function selectSettingsReport({ context }: ClientSettingsSnapshot): SettingsReport {
  return context.report
}
export function selectNameToLink({ context }: ClientSettingsSnapshot): string {
  return nameToLink(context)
}
/** Why the client cannot be linked now; undefined if it can. */
export function selectLinkBlocker({ context }: ClientSettingsSnapshot): string | undefined {
  return linkBlocker(context)
}

/** The group that is shown: the default group if the chosen one is gone. */
export function selectShownGroup({ context: { group, drafted } }: ClientSettingsSnapshot): string {
  return Object.hasOwn(drafted.groups ?? {}, group) ? group : ''
}

const changesOf = new WeakMap<ClientForm, { readonly reported: ClientForm; readonly paths: readonly Path[] }>()

/** Paths that changed on the client since the user last saw it. The same list for the same changes. */
export function selectChangesElsewhere({ context: { seen, report } }: ClientSettingsSnapshot): readonly Path[] {
  const cached = changesOf.get(seen)
  if (cached?.reported === report.form) return cached.paths
  const paths = changedElsewhere(seen, report.form)
  changesOf.set(seen, { reported: report.form, paths })
  return paths
}

type Groups = NonNullable<ClientForm['groups']>

const none: readonly string[] = []
const namesOf = new WeakMap<Groups, readonly string[]>()

/** The default group first. The same list for the same groups; empty if the client reports none. */
export function selectGroupNames({ context: { draft } }: DraftedClient): readonly string[] {
  const groups = draft?.groups
  if (groups === undefined) return none
  const names = namesOf.get(groups) ?? groupNames(groups)
  namesOf.set(groups, names)
  return names
}

export function selectGroupForm(name: string) {
  return ({ context: { draft } }: DraftedClient): GroupForm | undefined =>
    draft?.groups !== undefined && Object.hasOwn(draft.groups, name) ? draft.groups[name] : undefined
}

/** Whether a group exists only in the draft, and is created on save. */
export function isGroupNew(name: string) {
  return ({ context: { saved } }: DraftedClient): boolean => !Object.hasOwn(saved?.groups ?? {}, name)
}

/** Whether a group uses advanced settings, so that they must be shown. */
export function needsAdvanced({ context: { draft } }: DraftedClient): boolean {
  return draft !== undefined && isAdvancedForm(draft)
}

/** The validation error of a field: `name`, `user`, `team`, `passkey` or a `groupField`. */
export function selectFieldError(field: string) {
  return ({ context: { draft, saved } }: DraftedClient): string | undefined =>
    draft === undefined || saved === undefined ? undefined : checkClientForm(draft, saved)[field]
}

/** Titles of other groups that enable the same GPU, as text; '' if there are none. */
export function selectOtherGroupsOfGpu(group: string, gpu: string) {
  return ({ context: { draft } }: DraftedClient): string =>
    formatList(
      Object.entries(draft?.groups ?? {}).flatMap(([name, { gpus }]) =>
        name !== group && Object.hasOwn(gpus, gpu) && gpus[gpu] === true ? [groupTitle(name)] : [],
      ),
    )
}

/** The CPUs of all groups together. */
export function selectAllCpus({ context: { draft } }: DraftedClient): number {
  return Object.values(draft?.groups ?? {}).reduce((sum, { cpus }) => sum + cpus, 0)
}
