import { t } from '@lingui/core/macro'
import { assign, sendParent, sendTo, setup, type DoneActorEvent } from 'xstate'
import { accountForm, configForClients } from '../../../folding/account/account-form.ts'
import { SERVER, backOffDelay } from '../../../folding/shared/back-off.ts'
import {
  demandedWait,
  isSessionOver,
  mayHaveWorked,
  type ApiFault,
  type ApiResult,
} from '../../../protocol/api/api-fault.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { passphraseMachine } from '../passphrase/passphrase.machine.ts'
import type { AccountFailure, SettingsFact, SettingsNotification } from '../settings/settings.events.ts'
import { settingsMachine } from '../settings/settings.machine.ts'
import type { AccountEvent, AccountNotification, AccountState, SignOutReason, SignedIn } from './account.events.ts'

export type AccountContext = {
  readonly signedIn: SignedIn | undefined
  readonly signOutReason: SignOutReason
  /** Why the account of the stored session could not be fetched. */
  readonly restoreFault: ApiFault | undefined
  /** Whether the account may have changed since it was fetched. */
  readonly isStale: boolean
  /** Whether a change was reported while the account was being fetched. */
  readonly isOutdated: boolean
  /** Failed account calls in a row, and the wait that the server requested, in milliseconds. */
  readonly failures: number
  readonly requestedWait: number
  /** How often the settings actor threw an error. */
  readonly settingsFailures: number
}

export type RestoreDone = DoneActorEvent<ApiResult<SignedIn> | undefined>
export type RefreshDone = DoneActorEvent<ApiResult<AccountState>>
export type CallDone = DoneActorEvent<ApiResult<unknown>>
type Saved = Extract<SettingsNotification, { type: 'settings.saved' }>
type Failed = { readonly failure: AccountFailure; readonly fault: ApiFault }

/** After this many restarts the failed actor stays stopped: the error is permanent. */
const MOST_RESTARTS = 3

/** Actors, delays, guards and actions of the account machine. */
export const accountSetup = setup({
  types: { context: {} as AccountContext, events: {} as AccountEvent },
  actors: {
    /** Restores the stored session; undefined when there is none. */
    restoreSession: taskPlaceholder<ApiResult<SignedIn> | undefined, undefined>('restoreSession'),
    fetchAccount: taskPlaceholder<ApiResult<AccountState>, undefined>('fetchAccount'),
    renewToken: taskPlaceholder<ApiResult<unknown>, undefined>('renewToken'),
    deleteAccount: taskPlaceholder<ApiResult<unknown>, undefined>('deleteAccount'),
    /** Deletes the session here, then ends it at the server where needed and reachable. */
    endSession: taskPlaceholder<undefined, { readonly reason: SignOutReason }>('endSession'),
    settings: settingsMachine,
    passphrase: passphraseMachine,
  },
  delays: {
    retryDelay: ({ context }) => accountWait(context),
    /** Minimum time between two fetches of the account. */
    refreshPause: 1000,
    /** Nobody tells a page that a machine was renamed or unlinked elsewhere. */
    refreshInterval: 600_000,
    slowAfter: 8000,
    /** Time for a broadcast to be signed and sent before the relay is disconnected. */
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
    mayRetryNow: ({ context }) => context.requestedWait === 0,
    isNewer: ({ context }, time: number) => context.signedIn !== undefined && time >= secondOf(context.signedIn.at),
    isOtherAccount: ({ context }, id: string) => context.signedIn?.keys.id !== id,
    changesNode: (_, { before, value }: Saved) => before.node !== value.node,
  },
  actions: {
    assignSignedIn: assign((_, signedIn: SignedIn) => ({
      signedIn,
      restoreFault: undefined,
      isStale: false,
      ...initialAttempts,
    })),
    assignAccountState: assign(({ context }, state: AccountState) => ({
      signedIn: { ...signedInOf(context), ...state },
      isStale: false,
      ...initialAttempts,
    })),
    markStale: assign({ isStale: true }),
    loadSettings: sendTo('settings', ({ context }): SettingsFact => ({
      type: 'settings.loaded',
      value: formOf(signedInOf(context)),
    })),
    notifyChanged: sendParent(({ context }): AccountNotification => ({
      type: 'account.changed',
      signedIn: signedInOf(context),
    })),
    notifyLoggedIn: sendParent(({ context }): AccountNotification => ({
      type: 'account.loggedIn',
      id: signedInOf(context).keys.id,
    })),
    clearSession: assign((_, signOutReason: SignOutReason) => ({
      signedIn: undefined,
      signOutReason,
      restoreFault: undefined,
      isStale: false,
      ...initialAttempts,
    })),
    markOutdated: assign({ isOutdated: true }),
    countFailure: assign(({ context }, result: ApiResult<unknown> | undefined) => ({
      failures: context.failures + 1,
      requestedWait: result?.ok === false ? demandedWait(result.fault) : 0,
    })),
    notifySignedOut: sendParent(({ context }): AccountNotification => ({
      type: 'account.signedOut',
      reason: context.signOutReason,
    })),
    notifyNoSession: sendParent({ type: 'account.noSession' } satisfies AccountNotification),
    notifyFailed: sendParent((_, { failure, fault }: Failed): AccountNotification => ({
      type: 'account.failed',
      failure,
      fault,
    })),
    notifyAppearancePreviewed: sendParent(
      (_, { config }: Extract<SettingsNotification, { type: 'settings.previewed' }>): AccountNotification => ({
        type: 'account.appearancePreviewed',
        config,
      }),
    ),
    notifyAppearanceSaved: sendParent((_, { value }: Saved): AccountNotification => ({
      type: 'account.appearanceSaved',
      config: value.config,
    })),
    requestRestartBroadcast: sendParent({
      type: 'account.broadcastRequested',
      cmd: 'restart',
      secrets: {},
    } satisfies AccountNotification),
    requestConfigBroadcast: sendParent((_, { before, value }: Saved): AccountNotification => ({
      type: 'account.broadcastRequested',
      cmd: 'config',
      secrets: { config: configForClients(before, value) },
    })),
    requestLink: sendParent(
      (
        { context },
        { id, name, isAsked = false }: { id: string; name: string; isAsked?: boolean },
      ): AccountNotification => ({
        type: 'account.linkRequested',
        id,
        name,
        isAsked,
        secrets: { token: context.signedIn?.secrets.token ?? '' },
      }),
    ),
  },
})

export const initialAttempts = { isOutdated: false, failures: 0, requestedWait: 0 } as const

/** Milliseconds until the next fetch, without random jitter. */
export function accountWait({ failures, requestedWait }: AccountContext): number {
  return backOffDelay(failures, SERVER, requestedWait)
}

/** BroadcastContent times have a resolution of one second. */
function secondOf(at: number): number {
  return Math.floor(at / 1000) * 1000
}

export function signedInOf({ signedIn }: AccountContext): SignedIn {
  if (signedIn === undefined) throw new Error('No user is signed in.')
  return signedIn
}

export function formOf({ account, secrets }: SignedIn) {
  return accountForm(account, secrets.passkey)
}

export function valueOf<T>(result: ApiResult<T> | undefined): T {
  if (result?.ok !== true) throw new Error('Only a successful result has a value.')
  return result.value
}

export function failed(failure: AccountFailure, result: ApiResult<unknown>): Failed {
  return {
    failure,
    fault: result.ok ? { kind: 'unreadable', message: t`The account has no creation date.` } : result.fault,
  }
}
