import { t } from '@lingui/core/macro'
import { pathPart } from '../../protocol/url.ts'
import { accountBody, type AccountForm } from '../../folding/account/account-form.ts'
import { teamBody, type TeamForm } from '../../folding/account/team-form.ts'
import type { AccountState, LeavingReason, SignedIn } from '../../machines/account/account/account.events.ts'
import type { ApiResult } from '../../protocol/api-fault.ts'
import { decodeAccount, type Account } from '../../protocol/api.ts'
import { good } from '../../protocol/fault.ts'
import type { Api } from '../api.ts'
import type { KeyStore } from './key-store.ts'

/** The session id of who is signed in. It lives here and in the key store, sealed, and nowhere else. */
export type SessionHolder = {
  readonly get: () => string | undefined
  readonly set: (session: string | undefined) => void
}

export const createSessionHolder = (): SessionHolder => {
  let current: string | undefined
  return { get: () => current, set: session => (current = session) }
}

export type AccountTaskDeps = {
  readonly api: Api
  readonly session: SessionHolder
  readonly keyStore: KeyStore
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
}

/** The account as the rest of the house may have it: what must not be written down stands apart. */
const stateOf = ({ passkey = '', token = '', ...account }: Account, at: number): AccountState => ({
  account,
  secrets: { passkey, token },
  at,
})

type FetchOptions = {
  /** Of a sign-in that is not done yet; otherwise that of who is signed in. */
  readonly session?: string
  readonly signal?: AbortSignal
}

export const fetchAccount = async (
  { api, now }: Pick<AccountTaskDeps, 'api' | 'now'>,
  options: FetchOptions = {},
): Promise<ApiResult<AccountState>> => {
  const at = now()
  const answer = await api({ method: 'GET', path: '/account', ...options }, decodeAccount)
  return answer.ok ? { ok: true, value: stateOf(answer.value, at) } : answer
}

/** Signed in from what this browser kept; undefined when it kept nothing. Nobody is, when it was called off. */
export const restoreSession = async (
  deps: AccountTaskDeps,
  signal: AbortSignal,
): Promise<ApiResult<SignedIn> | undefined> => {
  // Whose place was taken in another tab is nobody here any more.
  deps.session.set(undefined)
  const kept = await deps.keyStore.restore()
  if (kept === undefined) return undefined
  const answer = await fetchAccount(deps, { session: kept.session, signal })
  if (signal.aborted) return undefined
  if (!answer.ok) return answer
  const { created, pubkey } = answer.value.account
  if (created === undefined || pubkey !== kept.keys.publicKey)
    return { ok: false, fault: { kind: 'refused', status: 401, message: t`The session is not for this account.` } }
  deps.session.set(kept.session)
  return { ok: true, value: { ...answer.value, keys: kept.keys } }
}

/** Forgets the session here first, then tells the server as well as it can. Another tab that left has done both. */
export const endSession = async (
  { api, session, keyStore }: AccountTaskDeps,
  reason: LeavingReason,
): Promise<undefined> => {
  const ended = session.get() ?? (reason === 'signedOut' ? (await keyStore.restore())?.session : undefined)
  session.set(undefined)
  if (reason === 'elsewhere') return undefined
  await keyStore.forget()
  if (reason === 'signedOut' && ended !== undefined) await api({ method: 'PUT', path: '/logout', session: ended }, good)
  return undefined
}

export const saveAccount = ({ api }: AccountTaskDeps, form: AccountForm): Promise<ApiResult<unknown>> =>
  api({ method: 'PUT', path: '/account', data: accountBody(form) }, good)

export const deleteAccount = ({ api }: AccountTaskDeps): Promise<ApiResult<unknown>> =>
  api({ method: 'DELETE', path: '/account' }, good)

/** The new token comes with the account, which is fetched next. */
export const renewToken = ({ api }: AccountTaskDeps): Promise<ApiResult<unknown>> =>
  api({ method: 'POST', path: '/account/token' }, good)

export const saveTeam = ({ api }: AccountTaskDeps, form: TeamForm): Promise<ApiResult<unknown>> =>
  form.team === undefined
    ? api({ method: 'POST', path: '/account/teams', data: teamBody(form) }, good)
    : api({ method: 'PUT', path: `/account/teams/${form.team}`, data: teamBody(form) }, good)

export const deleteTeam = ({ api }: AccountTaskDeps, team: number): Promise<ApiResult<unknown>> =>
  api({ method: 'DELETE', path: `/account/teams/${team}` }, good)

export const renameMachine = (
  { api }: Pick<AccountTaskDeps, 'api'>,
  { machine, name }: { readonly machine: string; readonly name: string },
): Promise<ApiResult<unknown>> =>
  api({ method: 'PUT', path: `/account/machines/${pathPart(machine)}`, data: { name } }, good)

export const unlinkMachine = ({ api }: Pick<AccountTaskDeps, 'api'>, machine: string): Promise<ApiResult<unknown>> =>
  api({ method: 'DELETE', path: `/account/machines/${pathPart(machine)}` }, good)

export const verifyEmail = ({ api }: AccountTaskDeps, token: string): Promise<ApiResult<unknown>> =>
  api({ method: 'GET', path: `/verify/${pathPart(token)}` }, good)
