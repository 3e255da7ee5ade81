import { t } from '@lingui/core/macro'
import { assign, sendParent, sendTo, setup, type DoneActorEvent } from 'xstate'
import { accountForm, configForMachines } from '../../../folding/account/account-form.ts'
import { SERVER, waitAfter } from '../../../folding/shared/back-off.ts'
import {
  demandedWait,
  isSessionOver,
  mayHaveWorked,
  type ApiFault,
  type ApiResult,
} from '../../../protocol/api-fault.ts'
import { emptyTask } from '../../shared/actor-placeholder.ts'
import { passphraseMachine } from '../passphrase/passphrase.machine.ts'
import type { AccountFailure, SettingsFact, SettingsNews } from '../settings/settings.events.ts'
import { settingsMachine } from '../settings/settings.machine.ts'
import type { AccountEvent, AccountNews, AccountState, LeavingReason, SignedIn } from './account.events.ts'

export type AccountContext = {
  readonly signedIn: SignedIn | undefined
  readonly signOutReason: LeavingReason
  /** Why the account of the session that this browser keeps could not be fetched. */
  readonly trouble: ApiFault | undefined
  /** Whether the account may be another one than is known here. */
  readonly isStale: boolean
  /** Whether the account was said to have changed while it was being fetched. */
  readonly isOutdated: boolean
  /** Calls for the account in a row that failed, and how long the server asks to be left alone, in milliseconds. */
  readonly failures: number
  readonly demanded: number
  /** How often what edits the account has thrown an error. */
  readonly settingsFailures: number
}

export type RestoreDone = DoneActorEvent<ApiResult<SignedIn> | undefined>
export type RefreshDone = DoneActorEvent<ApiResult<AccountState>>
export type CallDone = DoneActorEvent<ApiResult<unknown>>
type Saved = Extract<SettingsNews, { type: 'settings.saved' }>
type Failed = { readonly failure: AccountFailure; readonly fault: ApiFault }

/** What fails more often than this stays as it was: what makes it fail does not pass. */
const MOST_RESTARTS = 3

/** What the states of the account can ask, do and wait for. */
export const accountSetup = setup({
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
    passphrase: passphraseMachine,
  },
  delays: {
    retryDelay: ({ context }) => accountWait(context),
    /** Whatever tells of changes, the account is not asked for more often. */
    refreshPause: 1000,
    slowAfter: 8000,
    /** A broadcast is signed and sent before the relay is left. */
    broadcastGrace: 1500,
  },
  guards: {
    mayRestartSettings: ({ context }) => context.settingsFailures < MOST_RESTARTS,
    isDone: (_, result: ApiResult<unknown> | undefined) => result?.ok === true,
    hasNoStoredSession: (_, result: ApiResult<unknown> | undefined) => result === undefined,
    hasSessionEnded: (_, result: ApiResult<unknown> | undefined) => result?.ok === false && isSessionOver(result.fault),
    isSessionEnded: (_, fault: ApiFault) => isSessionOver(fault),
    mayHaveWorked: (_, fault: ApiFault) => mayHaveWorked(fault),
    mayHaveSucceeded: (_, result: ApiResult<unknown>) => !result.ok && mayHaveWorked(result.fault),
    isStale: ({ context }) => context.isStale,
    isRefreshed: (_, result: ApiResult<AccountState>) => result.ok && result.value.account.created !== undefined,
    isRefreshedButOutdated: ({ context }, result: ApiResult<AccountState>) =>
      context.isOutdated && result.ok && result.value.account.created !== undefined,
    mayRetryNow: ({ context }) => context.demanded === 0,
    isNewer: ({ context }, time: number) => context.signedIn !== undefined && time >= secondOf(context.signedIn.at),
    isOtherAccount: ({ context }, id: string) => context.signedIn?.keys.id !== id,
    changesNode: (_, { before, value }: Saved) => before.node !== value.node,
  },
  actions: {
    assignSignedIn: assign((_, signedIn: SignedIn) => ({ signedIn, trouble: undefined, isStale: false, ...untried })),
    assignAccountState: assign(({ context }, state: AccountState) => ({
      signedIn: { ...signedInOf(context), ...state },
      isStale: false,
      ...untried,
    })),
    countSettingsFailure: assign({ settingsFailures: ({ context }) => context.settingsFailures + 1 }),
    markStale: assign({ isStale: true }),
    loadSettings: sendTo('settings', ({ context }): SettingsFact => ({
      type: 'settings.loaded',
      value: formOf(signedInOf(context)),
    })),
    notifyChanged: sendParent(({ context }): AccountNews => ({
      type: 'account.changed',
      signedIn: signedInOf(context),
    })),
    notifyLoggedIn: sendParent(({ context }): AccountNews => ({
      type: 'account.loggedIn',
      id: signedInOf(context).keys.id,
    })),
    clearSession: assign((_, signOutReason: LeavingReason) => ({
      signedIn: undefined,
      signOutReason,
      trouble: undefined,
      isStale: false,
      ...untried,
    })),
    markOutdated: assign({ isOutdated: true }),
    clearOutdated: assign({ isOutdated: false }),
    countFailure: assign(({ context }, result: ApiResult<unknown> | undefined) => ({
      failures: context.failures + 1,
      demanded: result?.ok === false ? demandedWait(result.fault) : 0,
    })),
    assignRestoreFault: assign((_, result: ApiResult<unknown> | undefined) => ({
      trouble: result?.ok === false ? result.fault : undefined,
    })),
    notifySignedOut: sendParent(({ context }): AccountNews => ({
      type: 'account.left',
      reason: context.signOutReason,
    })),
    notifyNoSession: sendParent({ type: 'account.nobody' } satisfies AccountNews),
    notifyFailed: sendParent((_, { failure, fault }: Failed): AccountNews => ({
      type: 'account.failed',
      failure,
      fault,
    })),
    notifyAppearancePreviewed: sendParent(
      (_, { config }: Extract<SettingsNews, { type: 'settings.previewed' }>): AccountNews => ({
        type: 'account.previewed',
        config,
      }),
    ),
    notifyAppearanceSaved: sendParent((_, { value }: Saved): AccountNews => ({
      type: 'account.looksSaved',
      config: value.config,
    })),
    requestRestartBroadcast: sendParent({ type: 'account.told', cmd: 'restart', secrets: {} } satisfies AccountNews),
    requestConfigBroadcast: sendParent((_, { before, value }: Saved): AccountNews => ({
      type: 'account.told',
      cmd: 'config',
      secrets: { config: configForMachines(before, value) },
    })),
    requestLink: sendParent(
      ({ context }, { id, name, isAsked = false }: { id: string; name: string; isAsked?: boolean }): AccountNews => ({
        type: 'account.linking',
        id,
        name,
        isAsked,
        secrets: { token: context.signedIn?.secrets.token ?? '' },
      }),
    ),
  },
})

export const untried = { isOutdated: false, failures: 0, demanded: 0 } as const

/** Until the account is asked for again, in milliseconds, without chance. */
export const accountWait = ({ failures, demanded }: AccountContext): number => waitAfter(failures, SERVER, demanded)

/** Broadcasts have whole seconds. */
const secondOf = (at: number): number => Math.floor(at / 1000) * 1000

export const signedInOf = ({ signedIn }: AccountContext): SignedIn => {
  if (signedIn === undefined) throw new Error('Nobody is signed in.')
  return signedIn
}

export const formOf = ({ account, secrets }: SignedIn) => accountForm(account, secrets.passkey)

export const valueOf = <T>(result: ApiResult<T> | undefined): T => {
  if (result?.ok !== true) throw new Error('Only a good answer has a value.')
  return result.value
}

export const failed = (failure: AccountFailure, result: ApiResult<unknown>): Failed => ({
  failure,
  fault: result.ok ? { kind: 'unreadable', message: t`The account has no creation date.` } : result.fault,
})
