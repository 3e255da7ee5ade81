import type { SignedIn } from '../machines/account/account/account.events.ts'
import type { ApiResult } from '../protocol/api-fault.ts'
import { decodeAccount, type Account } from '../protocol/api.ts'
import type { Api } from './api.ts'
import type { KeyStore } from './key-store.ts'

/** The session id of who is signed in. It lives here and in the key store, sealed, and nowhere else. */
export type SessionHolder = { readonly get: () => string | undefined; readonly set: (session: string | undefined) => void }

export const createSessionHolder = (): SessionHolder => {
  let current: string | undefined
  return { get: () => current, set: session => (current = session) }
}

export type AccountTaskDeps = { readonly api: Api; readonly session: SessionHolder; readonly keyStore: KeyStore }

export const fetchAccount = ({ api }: Pick<AccountTaskDeps, 'api'>): Promise<ApiResult<Account>> =>
  api({ method: 'GET', path: '/account' }, decodeAccount)

/** Signed in from what this browser kept; undefined when it kept nothing. */
export const restoreSession = async (deps: AccountTaskDeps): Promise<ApiResult<SignedIn> | undefined> => {
  const kept = await deps.keyStore.restore()
  if (kept === undefined) return undefined
  deps.session.set(kept.session)
  const answer = await fetchAccount(deps)
  if (!answer.ok) return answer
  if (answer.value.created === undefined || answer.value.pubkey !== kept.keys.publicKey)
    return { ok: false, fault: { kind: 'refused', status: 401, message: 'The session is not for this account.' } }
  return { ok: true, value: { account: answer.value, keys: kept.keys } }
}

/** Forgets the session here first, then tells the server as well as it can. */
export const endSession = async ({ api, session, keyStore }: AccountTaskDeps): Promise<undefined> => {
  const told = session.get() === undefined ? undefined : api({ method: 'PUT', path: '/logout' }, value => ({ ok: true, value, faults: [] }))
  session.set(undefined)
  await keyStore.forget()
  await told
  return undefined
}
