import { t } from '@lingui/core/macro'
import { pathPart } from '../../protocol/url.ts'
import { accountBody, type AccountForm } from '../../folding/account/account-form.ts'
import { teamBody, type TeamForm } from '../../folding/account/team-form.ts'
import type { AccountState, SignOutReason, SignedIn } from '../../machines/account/account/account.events.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import { decodeAccount, type Account } from '../../protocol/api/api.ts'
import { good } from '../../protocol/fault.ts'
import type { Api } from '../network/api.ts'
import { unlessLate } from '../storage/unless-late.ts'
import type { KeyStore } from './key-store.ts'
import type { SessionHolder } from './stored-session.ts'

export type AccountTaskDeps = {
  readonly api: Api
  readonly session: SessionHolder
  readonly keyStore: KeyStore
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
}

/** The account with its secrets apart, so that recordings leave them out. */
function stateOf({ passkey = '', token = '', ...account }: Account, at: number): AccountState {
  return {
    account,
    secrets: { passkey, token },
    at,
  }
}

type FetchOptions = {
  /** Of a sign-in in progress; otherwise that of the signed-in user. */
  readonly session?: string
  readonly signal?: AbortSignal
}

export async function fetchAccount(
  { api, now }: Pick<AccountTaskDeps, 'api' | 'now'>,
  options: FetchOptions = {},
): Promise<ApiResult<AccountState>> {
  const at = now()
  const answer = await api({ method: 'GET', path: '/account', ...options }, decodeAccount)
  return answer.ok ? { ok: true, value: stateOf(answer.value, at) } : answer
}

/** Signs in with the stored session; undefined when none is stored, or when aborted. */
export async function restoreSession(
  deps: AccountTaskDeps,
  signal: AbortSignal,
): Promise<ApiResult<SignedIn> | undefined> {
  // Another tab may have signed in as another user.
  deps.session.set(undefined)
  const stored = await deps.keyStore.restore()
  if (stored === undefined) return undefined
  const answer = await fetchAccount(deps, { session: stored.session, signal })
  if (signal.aborted) return undefined
  if (!answer.ok) return answer
  const { created, pubkey } = answer.value.account
  if (created === undefined || pubkey !== stored.keys.publicKey)
    return { ok: false, fault: { kind: 'refused', status: 401, message: t`The session is not for this account.` } }
  deps.session.set(stored.session)
  return { ok: true, value: { ...answer.value, keys: stored.keys } }
}

/** Deletes the session here first, then signs out at the server if it can be reached. After a sign-out in another tab both is done. */
export async function endSession(
  { api, session, keyStore }: AccountTaskDeps,
  reason: SignOutReason,
): Promise<undefined> {
  const ended = session.get() ?? (reason === 'signedOut' ? (await keyStore.restore())?.session : undefined)
  session.set(undefined)
  if (reason === 'elsewhere') return undefined
  await unlessLate(keyStore.clear())
  if (reason === 'signedOut' && ended !== undefined) await api({ method: 'PUT', path: '/logout', session: ended }, good)
  return undefined
}

export function saveAccount({ api }: AccountTaskDeps, form: AccountForm): Promise<ApiResult<unknown>> {
  return api({ method: 'PUT', path: '/account', data: accountBody(form) }, good)
}

export function deleteAccount({ api }: AccountTaskDeps): Promise<ApiResult<unknown>> {
  return api({ method: 'DELETE', path: '/account' }, good)
}

/** The new token comes with the account, which is fetched next. */
export function renewToken({ api }: AccountTaskDeps): Promise<ApiResult<unknown>> {
  return api({ method: 'POST', path: '/account/token' }, good)
}

export function saveTeam({ api }: AccountTaskDeps, form: TeamForm): Promise<ApiResult<unknown>> {
  return form.team === undefined
    ? api({ method: 'POST', path: '/account/teams', data: teamBody(form) }, good)
    : api({ method: 'PUT', path: `/account/teams/${form.team}`, data: teamBody(form) }, good)
}

export function deleteTeam({ api }: AccountTaskDeps, team: number): Promise<ApiResult<unknown>> {
  return api({ method: 'DELETE', path: `/account/teams/${team}` }, good)
}

export function renameClient(
  { api }: Pick<AccountTaskDeps, 'api'>,
  { machine: client, name }: { readonly machine: string; readonly name: string },
): Promise<ApiResult<unknown>> {
  return api({ method: 'PUT', path: `/account/machines/${pathPart(client)}`, data: { name } }, good)
}

export function unlinkClient({ api }: Pick<AccountTaskDeps, 'api'>, client: string): Promise<ApiResult<unknown>> {
  return api({ method: 'DELETE', path: `/account/machines/${pathPart(client)}` }, good)
}

export function verifyEmail({ api }: AccountTaskDeps, token: string): Promise<ApiResult<unknown>> {
  return api({ method: 'GET', path: `/verify/${pathPart(token)}` }, good)
}
