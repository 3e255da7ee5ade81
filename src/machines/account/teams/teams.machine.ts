import { assign, sendParent, sendTo, setup, type ActorRefFrom, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { checkTeamForm, emptyTeamForm, teamForm, type TeamForm } from '../../../folding/account/team-form.ts'
import { faultOf, type ApiFault, type ApiResult } from '../../../protocol/api/api-fault.ts'
import type { AccountTeam } from '../../../protocol/api/api.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { createDraftMachine, type DraftRef } from '../../shared/draft/draft.machine.ts'
import type { DraftCommand } from '../../shared/draft/draft.events.ts'
import { pictureMachine } from '../../shared/picture/picture.machine.ts'
import type { TeamsEvent, TeamsNotification } from './teams.events.ts'

export type TeamsContext = {
  /** The team being edited; undefined for a new one. */
  readonly edited: AccountTeam | undefined
}

type DeleteDone = DoneActorEvent<ApiResult<unknown>>

const DRAFT = 'account:teams:draft'

/** A team's draft. Saving creates or edits the team. */
export const teamDraftMachine = createDraftMachine<TeamForm>({
  id: 'team',
  systemId: DRAFT,
  validate: checkTeamForm,
})

export type TeamDraftRef = DraftRef<TeamForm>

export const teamsMachine = setup({
  types: { context: {} as TeamsContext, events: {} as TeamsEvent },
  actors: {
    teamDraft: teamDraftMachine,
    logo: pictureMachine,
    deleteTeam: taskPlaceholder<ApiResult<unknown>, { readonly team: number }>('deleteTeam'),
  },
  actions: {
    assignEdited: assign((_, edited: AccountTeam | undefined) => ({ edited })),
    editLogo: sendTo('draft', (_, logo: string): DraftCommand<TeamForm> => ({ type: 'draft.edit', change: { logo } })),
    notifyChanged: sendParent({ type: 'teams.changed' } satisfies TeamsNotification),
    notifyFailed: sendParent((_, fault: ApiFault): TeamsNotification => ({
      type: 'teams.failed',
      failure: 'team',
      fault,
    })),
    notifyDeletionFailed: sendParent((_, fault: ApiFault): TeamsNotification => ({
      type: 'teams.failed',
      failure: 'team deletion',
      fault,
    })),
  },
}).createMachine({
  id: 'teams',
  description: 'Creating, editing and deleting the account’s teams.',
  context: { edited: undefined },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'teams.create': { target: 'open', actions: { type: 'assignEdited', params: undefined } },
        'teams.edit': { target: 'open', actions: { type: 'assignEdited', params: ({ event }) => event.team } },
        'teams.delete': 'deleting',
      },
    },
    open: {
      description: 'The dialog for a new or an existing team.',
      tags: 'open',
      invoke: [
        {
          src: 'teamDraft',
          id: 'draft',
          systemId: DRAFT,
          input: ({ context: { edited } }) => ({ value: edited === undefined ? emptyTeamForm : teamForm(edited) }),
        },
        { src: 'logo', id: 'logo', input: { id: 'logo' } },
      ],
      on: {
        'teams.cancel': 'closed',
        'picture.made': { actions: { type: 'editLogo', params: ({ event }) => event.data } },
        'draft.saved': { target: 'closed', actions: 'notifyChanged' },
        'draft.failed': { actions: { type: 'notifyFailed', params: ({ event }) => event.fault } },
      },
    },
    deleting: {
      tags: 'busy',
      invoke: {
        src: 'deleteTeam',
        input: ({ event }) => ({ team: event.type === 'teams.delete' ? event.team : 0 }),
        onDone: [
          {
            guard: ({ event }: { event: DeleteDone }) => event.output.ok,
            target: 'closed',
            actions: 'notifyChanged',
          },
          { target: 'closed', actions: { type: 'notifyDeletionFailed', params: ({ event }) => faultOf(event.output) } },
        ],
        onError: 'closed',
      },
    },
  },
})

export type TeamsRef = ActorRefFrom<typeof teamsMachine>
export type TeamsSnapshot = SnapshotFrom<typeof teamsMachine>
