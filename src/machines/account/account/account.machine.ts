import { assign, sendParent, sendTo, setup, type ActorRefFrom, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { accountForm, configForMachines } from '../../../folding/account-form.ts'
import { isSessionOver, type ApiFault, type ApiResult } from '../../../protocol/api-fault.ts'
import { emptyTask } from '../../empty-slot.ts'
import type { AccountFailure, SettingsFact, SettingsNews } from '../settings/settings.events.ts'
import { settingsMachine } from '../settings/settings.machine.ts'
import type { AccountEvent, AccountNews, AccountState, LeavingReason, SignedIn } from './account.events.ts'

export type AccountContext = {
  readonly signedIn: SignedIn | undefined
  readonly leaving: LeavingReason
  /** Why the account of the session that this browser keeps could not be fetched. */
  readonly trouble: ApiFault | undefined
}

type RestoreDone = DoneActorEvent<ApiResult<SignedIn> | undefined>
type RefreshDone = DoneActorEvent<ApiResult<AccountState>>
type CallDone = DoneActorEvent<ApiResult<unknown>>
type Saved = Extract<SettingsNews, { type: 'settings.saved' }>
type Failed = { readonly failure: AccountFailure; readonly fault: ApiFault }

export const accountMachine = setup({
  types: { context: {} as AccountContext, events: {} as AccountEvent },
  actors: {
    /** Signed in from what this browser kept; undefined when it kept nothing. */
    restoreSession: emptyTask<ApiResult<SignedIn> | undefined, undefined>('restoreSession'),
    fetchAccount: emptyTask<ApiResult<AccountState>, undefined>('fetchAccount'),
    renewToken: emptyTask<ApiResult<unknown>, undefined>('renewToken'),
    deleteAccount: emptyTask<ApiResult<unknown>, undefined>('deleteAccount'),
    /** Forgets the session here, then ends it at the server if that has to be told and can be reached. */
    endSession: emptyTask<undefined, { readonly reason: LeavingReason }>('endSession'),
    settings: settingsMachine,
  },
  delays: {
    restoreRetryDelay: 5000,
    patience: 8000,
    /** A broadcast is signed and sent before the relay is left. */
    farewell: 1500,
  },
  guards: {
    isDone: (_, result: ApiResult<unknown> | undefined) => result?.ok === true,
    isNothingKept: (_, result: ApiResult<unknown> | undefined) => result === undefined,
    isOver: (_, result: ApiResult<unknown> | undefined) => result?.ok === false && isSessionOver(result.fault),
    isEnded: (_, fault: ApiFault) => isSessionOver(fault),
    isRefreshed: (_, result: ApiResult<AccountState>) => result.ok && result.value.account.created !== undefined,
    isNews: ({ context }, time: number) => context.signedIn !== undefined && time >= secondOf(context.signedIn.at),
    isAnother: ({ context }, id: string) => context.signedIn?.keys.id !== id,
    movesNode: (_, { before, value }: Saved) => before.node !== value.node,
  },
  actions: {
    takeSignedIn: assign((_, signedIn: SignedIn) => ({ signedIn, trouble: undefined })),
    takeState: assign(({ context }, state: AccountState) => ({ signedIn: { ...signedInOf(context), ...state } })),
    loadSettings: sendTo('settings', ({ context }): SettingsFact => ({ type: 'settings.loaded', value: formOf(signedInOf(context)) })),
    tellChange: sendParent(({ context }): AccountNews => ({ type: 'account.changed', signedIn: signedInOf(context) })),
    tellLogin: sendParent(({ context }): AccountNews => ({ type: 'account.loggedIn', id: signedInOf(context).keys.id })),
    forget: assign((_, leaving: LeavingReason) => ({ signedIn: undefined, leaving, trouble: undefined })),
    noteTrouble: assign((_, result: ApiResult<unknown> | undefined) => ({ trouble: result?.ok === false ? result.fault : undefined })),
    tellLeaving: sendParent(({ context }): AccountNews => ({ type: 'account.left', reason: context.leaving })),
    tellNobody: sendParent({ type: 'account.nobody' } satisfies AccountNews),
    tellFailure: sendParent((_, { failure, fault }: Failed): AccountNews => ({ type: 'account.failed', failure, fault })),
    tellPreview: sendParent((_, { config }: Extract<SettingsNews, { type: 'settings.previewed' }>): AccountNews => ({ type: 'account.previewed', config })),
    tellLooks: sendParent((_, { value }: Saved): AccountNews => ({ type: 'account.looksSaved', config: value.config })),
    tellMachinesToMove: sendParent({ type: 'account.told', cmd: 'restart', secrets: {} } satisfies AccountNews),
    tellMachines: sendParent((_, { before, value }: Saved): AccountNews => ({ type: 'account.told', cmd: 'config', secrets: { config: configForMachines(before, value) } })),
    tellLink: sendParent(({ context }, { id, name, isAsked = false }: { id: string; name: string; isAsked?: boolean }): AccountNews => ({ type: 'account.linking', id, name, isAsked, secrets: { token: context.signedIn?.secrets.token ?? '' } })),
  },
}).createMachine({
  id: 'account',
  description: 'Whether somebody is signed in, and who.',
  context: { signedIn: undefined, leaving: 'signedOut', trouble: undefined },
  initial: 'restoring',
  on: {
    'account.entered': { target: '.signedIn', actions: [{ type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange', 'tellLogin'] },
  },
  states: {
    restoring: {
      description: 'Looking for a session that this browser kept.',
      tags: 'loading',
      invoke: {
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isDone', params: ({ event }: { event: RestoreDone }) => event.output },
            target: 'signedIn',
            actions: [{ type: 'takeSignedIn', params: ({ event }) => valueOf(event.output) }, 'tellChange'],
          },
          { guard: { type: 'isNothingKept', params: ({ event }) => event.output }, target: 'signedOut', actions: 'tellNobody' },
          { guard: { type: 'isOver', params: ({ event }) => event.output }, target: 'leaving', actions: { type: 'forget', params: 'sessionEnded' } },
          { target: 'unreachable', actions: { type: 'noteTrouble', params: ({ event }) => event.output } },
        ],
        onError: { target: 'signedOut', actions: 'tellNobody' },
      },
      initial: 'hopeful',
      states: {
        hopeful: { after: { patience: 'slow' } },
        slow: { description: 'The account server takes so long that a person wants to know.', tags: 'slow' },
      },
      on: {
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.enteredElsewhere': { target: 'restoring', reenter: true },
        'account.leftElsewhere': { target: 'signedOut', actions: [{ type: 'forget', params: 'elsewhere' }, 'tellNobody'] },
      },
    },
    unreachable: {
      description: 'A session is kept, but the account server gives no account for it.',
      tags: 'loading',
      after: { restoreRetryDelay: 'restoring' },
      on: {
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.refresh': 'restoring',
        'account.leftElsewhere': { target: 'signedOut', actions: [{ type: 'forget', params: 'elsewhere' }, 'tellNobody'] },
      },
    },
    signedOut: {
      on: {
        'account.enteredElsewhere': 'restoring',
      },
    },
    signedIn: {
      tags: 'signedIn',
      invoke: { src: 'settings', id: 'settings', input: ({ context }) => ({ value: formOf(signedInOf(context)) }) },
      initial: 'settled',
      on: {
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.sessionEnded': { target: 'leaving', actions: { type: 'forget', params: 'sessionEnded' } },
        'account.leftElsewhere': { target: 'leaving', actions: { type: 'forget', params: 'elsewhere' } },
        'account.entered': {
          description: 'Somebody signed in over somebody else, as from the page of a letter.',
          target: 'signedIn',
          reenter: true,
          actions: [{ type: 'forget', params: 'elsewhere' }, 'tellLeaving', { type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange', 'tellLogin'],
        },
        'account.enteredElsewhere': {
          guard: { type: 'isAnother', params: ({ event }) => event.id },
          target: 'restoring',
          actions: [{ type: 'forget', params: 'elsewhere' }, 'tellLeaving'],
        },
        'account.refresh': '.refreshing',
        'account.changedElsewhere': { guard: { type: 'isNews', params: ({ event }) => event.time }, target: '.refreshing' },
        'account.renewToken': '.renewing',
        'account.delete': '.ending',
        'account.linkClient': { actions: { type: 'tellLink', params: ({ event }) => event } },
        'settings.previewed': { actions: { type: 'tellPreview', params: ({ event }) => event } },
        'settings.outdated': { target: '.refreshing' },
        'settings.saved': [
          {
            guard: { type: 'movesNode', params: ({ event }) => event },
            target: '.moving',
            actions: [{ type: 'tellLooks', params: ({ event }) => event }, 'tellMachinesToMove'],
          },
          {
            target: '.refreshing',
            actions: [{ type: 'tellLooks', params: ({ event }) => event }, { type: 'tellMachines', params: ({ event }) => event }],
          },
        ],
        'settings.failed': [
          { guard: { type: 'isEnded', params: ({ event }) => event.fault }, target: 'leaving', actions: { type: 'forget', params: 'sessionEnded' } },
          { actions: { type: 'tellFailure', params: ({ event }) => event } },
        ],
      },
      states: {
        settled: {},
        refreshing: {
          invoke: {
            src: 'fetchAccount',
            onDone: [
              {
                guard: { type: 'isRefreshed', params: ({ event }: { event: RefreshDone }) => event.output },
                target: 'settled',
                actions: [{ type: 'takeState', params: ({ event }) => valueOf(event.output) }, 'loadSettings', 'tellChange'],
              },
              { guard: { type: 'isOver', params: ({ event }) => event.output }, target: '#account.leaving', actions: { type: 'forget', params: 'sessionEnded' } },
              { target: 'settled', actions: { type: 'tellFailure', params: ({ event }) => failed('refresh', event.output) } },
            ],
            onError: 'settled',
          },
        },
        moving: {
          description: 'The machines were told to ask for their new node. This page follows when they have heard it.',
          after: { farewell: 'refreshing' },
        },
        renewing: {
          tags: 'renewing',
          invoke: {
            src: 'renewToken',
            onDone: [
              { guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output }, target: 'refreshing' },
              { guard: { type: 'isOver', params: ({ event }) => event.output }, target: '#account.leaving', actions: { type: 'forget', params: 'sessionEnded' } },
              { target: 'settled', actions: { type: 'tellFailure', params: ({ event }) => failed('token', event.output) } },
            ],
            onError: 'settled',
          },
        },
        ending: {
          description: 'The account is being deleted. Nothing may come between that and the leaving.',
          tags: 'deleting',
          initial: 'asking',
          on: { 'account.refresh': {}, 'account.changedElsewhere': {}, 'account.renewToken': {}, 'settings.saved': {}, 'settings.outdated': {} },
          states: {
            asking: {
              invoke: {
                src: 'deleteAccount',
                onDone: [
                  { guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output }, target: 'deleted', actions: 'tellMachinesToMove' },
                  { guard: { type: 'isOver', params: ({ event }) => event.output }, target: '#account.leaving', actions: { type: 'forget', params: 'sessionEnded' } },
                  { target: '#account.signedIn.settled', actions: { type: 'tellFailure', params: ({ event }) => failed('deletion', event.output) } },
                ],
                onError: '#account.signedIn.settled',
              },
            },
            deleted: {
              description: 'Its machines are told before the relay is left.',
              after: { farewell: { target: '#account.leaving', actions: { type: 'forget', params: 'deleted' } } },
            },
          },
        },
      },
    },
    leaving: {
      description: 'The page forgets first; the server is told as well as it can be.',
      entry: 'tellLeaving',
      invoke: {
        src: 'endSession',
        input: ({ context }) => ({ reason: context.leaving }),
        onDone: 'signedOut',
        onError: 'signedOut',
      },
    },
  },
})

export type AccountRef = ActorRefFrom<typeof accountMachine>
export type AccountSnapshot = SnapshotFrom<typeof accountMachine>

/** Broadcasts have whole seconds. */
const secondOf = (at: number): number => Math.floor(at / 1000) * 1000

const signedInOf = ({ signedIn }: AccountContext): SignedIn => {
  if (signedIn === undefined) throw new Error('Nobody is signed in.')
  return signedIn
}

const formOf = ({ account, secrets }: SignedIn) => accountForm(account, secrets.passkey)

const valueOf = <T>(result: ApiResult<T> | undefined): T => {
  if (result?.ok !== true) throw new Error('Only a good answer has a value.')
  return result.value
}

const failed = (failure: AccountFailure, result: ApiResult<unknown>): Failed => ({
  failure,
  fault: result.ok ? { kind: 'unreadable', message: 'The account has no creation date.' } : result.fault,
})
