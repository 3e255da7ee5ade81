import { assign, sendParent, setup, type ActorRefFrom, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { isSessionOver, type ApiFault, type ApiResult } from '../../../protocol/api-fault.ts'
import type { Account } from '../../../protocol/api.ts'
import { emptyTask } from '../../empty-slot.ts'
import type { AccountEvent, AccountNews, SignedIn } from './account.events.ts'

export type AccountContext = {
  readonly signedIn: SignedIn | undefined
}

type RestoreDone = DoneActorEvent<ApiResult<SignedIn> | undefined>
type RefreshDone = DoneActorEvent<ApiResult<Account>>

export const accountMachine = setup({
  types: { context: {} as AccountContext, events: {} as AccountEvent },
  actors: {
    /** Signed in from what this browser kept; undefined when it kept nothing. */
    restoreSession: emptyTask<ApiResult<SignedIn> | undefined, undefined>('restoreSession'),
    fetchAccount: emptyTask<ApiResult<Account>, undefined>('fetchAccount'),
    /** Ends the session at the server and forgets it here, whether or not the server could be reached. */
    endSession: emptyTask<undefined, undefined>('endSession'),
  },
  delays: { restoreRetryDelay: 5000 },
  guards: {
    isRestored: (_, result: ApiResult<SignedIn> | undefined) => result?.ok === true,
    isNothingKept: (_, result: ApiResult<SignedIn> | undefined) => result === undefined,
    isOver: (_, result: ApiResult<unknown> | undefined) => result?.ok === false && isSessionOver(result.fault),
    isRefreshed: (_, result: ApiResult<Account>) => result.ok && result.value.created !== undefined,
  },
  actions: {
    takeSignedIn: assign((_, signedIn: SignedIn) => ({ signedIn })),
    takeAccount: assign(({ context }, account: Account) =>
      context.signedIn === undefined ? {} : { signedIn: { ...context.signedIn, account } },
    ),
    forget: assign({ signedIn: undefined }),
    tellChange: sendParent(({ context }): AccountNews => {
      if (context.signedIn === undefined) throw new Error('Only a signed-in account changes.')
      return { type: 'account.changed', signedIn: context.signedIn }
    }),
    tellLeaving: sendParent((_, reason: 'signedOut' | 'sessionEnded'): AccountNews => ({ type: 'account.left', reason })),
    tellFailure: sendParent(
      (_, { operation, fault }: { operation: string; fault: ApiFault }): AccountNews => ({ type: 'account.failed', operation, fault }),
    ),
  },
}).createMachine({
  id: 'account',
  description: 'Whether somebody is signed in, and who.',
  context: { signedIn: undefined },
  initial: 'restoring',
  states: {
    restoring: {
      description: 'Looking for a session that this browser kept.',
      tags: 'loading',
      invoke: {
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isRestored', params: ({ event }: { event: RestoreDone }) => event.output },
            target: 'signedIn',
            actions: [{ type: 'takeSignedIn', params: ({ event }) => restoredOf(event.output) }, 'tellChange'],
          },
          { guard: { type: 'isNothingKept', params: ({ event }) => event.output }, target: 'signedOut' },
          { guard: { type: 'isOver', params: ({ event }) => event.output }, target: 'leaving.afterTheSessionEnded' },
          { target: 'unreachable' },
        ],
        onError: 'signedOut',
      },
      on: { 'account.entered': { target: 'signedIn', actions: [{ type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange'] } },
    },
    unreachable: {
      description: 'A session is kept, but the account server does not answer.',
      tags: 'loading',
      after: { restoreRetryDelay: 'restoring' },
      on: { 'account.entered': { target: 'signedIn', actions: [{ type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange'] }, 'account.signOut': 'leaving', 'account.refresh': 'restoring' },
    },
    signedOut: {
      entry: 'forget',
      on: { 'account.entered': { target: 'signedIn', actions: [{ type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange'] } },
    },
    signedIn: {
      tags: 'signedIn',
      initial: 'settled',
      on: {
        'account.signOut': 'leaving',
        'account.sessionEnded': 'leaving.afterTheSessionEnded',
        'account.refresh': { target: '.refreshing', reenter: true },
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
                actions: [{ type: 'takeAccount', params: ({ event }) => valueOf(event.output) }, 'tellChange'],
              },
              {
                guard: { type: 'isOver', params: ({ event }) => event.output },
                target: '#account.leaving.afterTheSessionEnded',
              },
              {
                target: 'settled',
                actions: {
                  type: 'tellFailure',
                  params: ({ event }) => ({ operation: 'Refreshing the account', fault: faultOf(event.output) }),
                },
              },
            ],
            onError: 'settled',
          },
        },
      },
    },
    leaving: {
      description: 'The page forgets first; the server is told as well as it can be.',
      entry: 'forget',
      invoke: { src: 'endSession', onDone: 'signedOut', onError: 'signedOut' },
      initial: 'byChoice',
      states: {
        byChoice: { entry: { type: 'tellLeaving', params: 'signedOut' } },
        afterTheSessionEnded: { entry: { type: 'tellLeaving', params: 'sessionEnded' } },
      },
    },
  },
})

export type AccountRef = ActorRefFrom<typeof accountMachine>
export type AccountSnapshot = SnapshotFrom<typeof accountMachine>

const valueOf = <T>(result: ApiResult<T>): T => {
  if (!result.ok) throw new Error('Only a good answer has a value.')
  return result.value
}

const restoredOf = (result: ApiResult<SignedIn> | undefined): SignedIn => {
  if (result === undefined) throw new Error('Nothing was kept.')
  return valueOf(result)
}

const faultOf = (result: ApiResult<Account>): ApiFault =>
  result.ok ? { kind: 'unreadable', message: 'The account has no creation date.' } : result.fault
