import { assign, enqueueActions, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { checkAccountForm, type AccountForm } from '../../../folding/account/account-form.ts'
import type { Appearance } from '../../../protocol/api/api.ts'
import type { DraftEvent, DraftNotification } from '../../shared/draft/draft.events.ts'
import { createDraftMachine, type DraftRef } from '../../shared/draft/draft.machine.ts'
import { pictureMachine } from '../../shared/picture/picture.machine.ts'
import { teamsMachine } from '../teams/teams.machine.ts'
import type { AccountFailure, SettingsEvent, SettingsNotification } from './settings.events.ts'

export type SettingsContext = {
  readonly value: AccountForm
  /** The appearance that is previewed; undefined when none is. */
  readonly previewed: Appearance | undefined
}

export const accountDraftMachine = createDraftMachine<AccountForm>({
  id: 'account',
  systemId: 'account:draft',
  validate: checkAccountForm,
})

export type AccountDraftRef = DraftRef<AccountForm>

export const settingsMachine = setup({
  types: { context: {} as SettingsContext, events: {} as SettingsEvent, input: {} as { readonly value: AccountForm } },
  actors: { accountDraft: accountDraftMachine, avatar: pictureMachine, teams: teamsMachine },
  actions: {
    loadDraft: sendTo('draft', (_, value: AccountForm): DraftEvent<AccountForm> => ({ type: 'draft.loaded', value })),
    editAvatar: sendTo('draft', (_, avatar: string): DraftEvent<AccountForm> => ({
      type: 'draft.edit',
      change: { avatar },
    })),
    preview: enqueueActions(({ context, enqueue }, { value: { config }, isModified }: Drafted) => {
      const previewed = isModified ? config : undefined
      if (previewed === context.previewed) return
      enqueue(assign({ previewed }))
      enqueue.sendParent({ type: 'settings.previewed', config: previewed } satisfies SettingsNotification)
    }),
    notifySaved: sendParent(
      (_, { before, value }: { before: AccountForm; value: AccountForm }): SettingsNotification => ({
        type: 'settings.saved',
        before,
        value,
      }),
    ),
    notifyOutdated: sendParent({ type: 'settings.outdated' } satisfies SettingsNotification),
    notifyFailed: sendParent(
      (_, failed: Omit<Extract<SettingsNotification, { type: 'settings.failed' }>, 'type'>): SettingsNotification => ({
        type: 'settings.failed',
        ...failed,
      }),
    ),
  },
}).createMachine({
  id: 'settings',
  description: 'Editing of the signed-in account: fields, appearance and teams.',
  context: ({ input }) => ({ value: input.value, previewed: undefined }),
  invoke: [
    { src: 'accountDraft', id: 'draft', systemId: 'account:draft', input: ({ context }) => ({ value: context.value }) },
    { src: 'avatar', id: 'avatar', input: { id: 'avatar' } },
    { src: 'teams', id: 'teams', systemId: 'account:teams' },
  ],
  on: {
    'settings.loaded': { actions: { type: 'loadDraft', params: ({ event }) => event.value } },
    'picture.made': { actions: { type: 'editAvatar', params: ({ event }) => event.data } },
    'draft.changed': { actions: { type: 'preview', params: ({ event }) => event } },
    'draft.saved': { actions: { type: 'notifySaved', params: ({ event }) => event } },
    'draft.failed': { actions: { type: 'notifyFailed', params: ({ event }) => failed('save', event) } },
    'teams.changed': { actions: 'notifyOutdated' },
    'teams.failed': { actions: { type: 'notifyFailed', params: ({ event }) => failed(event.failure, event) } },
  },
})

export type SettingsRef = ActorRefFrom<typeof settingsMachine>
export type SettingsSnapshot = SnapshotFrom<typeof settingsMachine>

type Drafted = Extract<DraftNotification<AccountForm>, { type: 'draft.changed' }>
type Failed = Extract<SettingsNotification, { type: 'settings.failed' }>

function failed(failure: AccountFailure, { fault }: Pick<Failed, 'fault'>): Omit<Failed, 'type'> {
  return { failure, fault }
}
