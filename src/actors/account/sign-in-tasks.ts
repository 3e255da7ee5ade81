import { t } from '@lingui/core/macro'
import { parseWebUrl, pathPart } from '../../protocol/url.ts'
import { userToSend, teamNumber } from '../../folding/shared/validation.ts'
import type { AccountState } from '../../machines/account/account/account.events.ts'
import type { SignInFact, SignInForm, SignInMode } from '../../machines/account/sign-in/sign-in.events.ts'
import type { ApiFault } from '../../protocol/api/api-fault.ts'
import { decodeLogin, decodeSecret } from '../../protocol/api/api.ts'
import { good } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { importAccountKeys, isKeyPair, type AccountKeys } from '../../protocol/crypto/keys.ts'
import { deriveSecrets, unwrapSecret, type Secrets } from '../../protocol/crypto/key-derivation.ts'
import { unlessLate } from '../storage/unless-late.ts'
import { fetchAccount } from './account-tasks.ts'
import { makeKeys } from './new-keys.ts'
import type { RunningSignInTask, SignInDeps } from './secret-tasks.ts'

type Failure = Extract<SignInFact, { type: 'signIn.failed' }>['fault']
/** Undefined when aborted, or when the page is left. */
type Outcome = Promise<SignInFact | undefined>
type Step = (deps: SignInDeps, form: SignInForm, work: RunningSignInTask) => Outcome

export function runSignInTask(deps: SignInDeps, work: RunningSignInTask): Outcome {
  const { command } = work
  switch (command.type) {
    case 'task.goToProvider':
      return goToProvider(deps, command.provider, work)
    case 'task.return':
      return returnFromProvider(deps, command.secrets.query, work)
    case 'task.submit':
      return steps[command.mode](deps, { ...command, email: command.email.trim().toLowerCase() }, work)
  }
}

function failed(fault: Failure): SignInFact {
  return { type: 'signIn.failed', fault }
}
const noSession: ApiFault = { kind: 'unreadable', message: t`The answer has no session.` }

const logIn: Step = async (deps, { email, secrets: { passphrase } }, work) => {
  work.report({ type: 'signIn.reached', step: 'deriving' })
  const derived = await deriveSecrets(email, passphrase)
  work.report({ type: 'signIn.reached', step: 'asking' })
  const login = await deps.api(
    { method: 'GET', path: '/login', data: { email, password: derived.password }, signal: work.signal },
    decodeLogin,
  )
  if (!login.ok) return failed(login.fault)
  if (login.value.id === undefined) return failed(noSession)
  const outcome = await unlock(deps, login.value.id, derived, work)
  if (outcome?.type === 'signIn.succeeded') void deps.rememberPassword(email, passphrase)
  return outcome
}

/** Decrypts the account's key with the one derived from the passphrase. */
async function unlock(deps: SignInDeps, session: string, derived: Secrets, work: RunningSignInTask): Outcome {
  const [secret, state] = await Promise.all([
    deps.api(
      { method: 'GET', path: '/account/secret', data: { password: derived.password }, session, signal: work.signal },
      decodeSecret,
    ),
    fetchAccount(deps, { session, signal: work.signal }),
  ])
  if (!secret.ok) return failed(secret.fault)
  if (!state.ok) return failed(state.fault)
  work.report({ type: 'signIn.reached', step: 'unlocking' })
  const pkcs8 = await unwrapSecret(derived, secret.value)
  const { pubkey } = state.value.account
  if (!pkcs8.ok || pubkey === undefined) return failed({ kind: 'locked' })
  const keys = await importAccountKeys(pkcs8.value, pubkey)
  pkcs8.value.fill(0)
  if (!(await isKeyPair(keys))) return failed({ kind: 'mismatched' })
  return enter(deps, session, state.value, keys, work)
}

async function enter(
  deps: SignInDeps,
  session: string,
  state: AccountState,
  keys: AccountKeys,
  work: RunningSignInTask,
): Outcome {
  if (work.signal.aborted) return undefined
  deps.session.set(session)
  await unlessLate(deps.keyStore.save({ session, keys }))
  return { type: 'signIn.succeeded', signedIn: { ...state, keys } }
}

const register: Step = async (deps, form, work) => {
  const { email, secrets } = form
  work.report({ type: 'signIn.reached', step: 'deriving' })
  const derived = await deriveSecrets(email, secrets.passphrase)
  work.report({ type: 'signIn.reached', step: 'generating' })
  const { pubkey, secret } = await makeKeys(derived, deps.keyBits)
  if (work.signal.aborted) return undefined
  work.report({ type: 'signIn.reached', step: 'registering' })
  const data = {
    ...profileOf(form),
    email,
    password: derived.password,
    pubkey,
    secret,
    verify_url: `${deps.origin}/verify`,
  }
  const answer = await deps.api({ method: 'PUT', path: '/register', data, signal: work.signal }, good)
  if (!answer.ok) return failed(answer.fault)
  void deps.rememberPassword(email, secrets.passphrase)
  return { type: 'signIn.registered', email }
}

const requestReset: Step = async (deps, { email }, work) => {
  work.report({ type: 'signIn.reached', step: 'asking' })
  const answer = await deps.api(
    { method: 'PUT', path: '/reset', data: { email, url: `${deps.origin}/reset` }, signal: work.signal },
    good,
  )
  if (!answer.ok) return failed(answer.fault)
  return { type: 'signIn.resetRequested', email }
}

/** After a sign-in at a provider: the passphrase decrypts the account's key. */
const unlockAfterProvider: Step = async (deps, { email, secrets: { passphrase } }, work) => {
  const providerSession = work.providerSession()
  if (providerSession === undefined) return failed(noSession)
  work.report({ type: 'signIn.reached', step: 'deriving' })
  return unlock(deps, providerSession.session, await deriveSecrets(email, passphrase), work)
}

/** After a first sign-in at a provider: creates the account's fields and key. */
const create: Step = async (deps, form, work) => {
  const session = work.providerSession()?.session
  if (session === undefined) return failed(noSession)
  work.report({ type: 'signIn.reached', step: 'deriving' })
  const derived = await deriveSecrets(form.email, form.secrets.passphrase)
  work.report({ type: 'signIn.reached', step: 'generating' })
  const { pubkey, secret, keys } = await makeKeys(derived, deps.keyBits)
  if (work.signal.aborted) return undefined
  work.report({ type: 'signIn.reached', step: 'registering' })
  const made = await deps.api(
    { method: 'PUT', path: '/account', data: profileOf(form), session, signal: work.signal },
    good,
  )
  if (!made.ok) return failed(made.fault)
  const saved = await deps.api(
    {
      method: 'PUT',
      path: '/account/secret',
      data: { pubkey, password: derived.password, secret },
      session,
      signal: work.signal,
    },
    good,
  )
  if (!saved.ok) return failed(saved.fault)
  const state = await fetchAccount(deps, { session, signal: work.signal })
  if (!state.ok) return failed(state.fault)
  if (state.value.account.pubkey !== pubkey) return failed({ kind: 'mismatched' })
  return enter(deps, session, state.value, keys, work)
}

const steps: Record<SignInMode, Step> = {
  login: logIn,
  register,
  reset: requestReset,
  unlock: unlockAfterProvider,
  create,
}

function profileOf({ user, team, secrets: { passkey } }: SignInForm): JsonObject {
  return {
    user: userToSend(user),
    team: teamNumber(team),
    ...(passkey === '' ? {} : { passkey }),
  }
}

async function goToProvider(deps: SignInDeps, provider: string, work: RunningSignInTask): Outcome {
  work.report({ type: 'signIn.reached', step: 'asking' })
  const answer = await deps.api(
    {
      method: 'GET',
      path: `/login/${pathPart(provider)}`,
      data: { redirect_uri: `${deps.origin}/` },
      signal: work.signal,
    },
    decodeLogin,
  )
  if (!answer.ok) return failed(answer.fault)
  const { id, redirect } = answer.value
  const address = redirect === undefined ? undefined : parseWebUrl(redirect)
  if (id === undefined || address === undefined)
    return failed({ kind: 'unreadable', message: t`The answer has no address.` })
  await deps.keyStore.savePending({ provider, session: id })
  if (work.signal.aborted) return undefined
  work.report({ type: 'signIn.reached', step: 'leaving' })
  deps.leaveFor(address)
  return undefined
}

async function returnFromProvider(
  deps: SignInDeps,
  query: Readonly<Record<string, string>>,
  work: RunningSignInTask,
): Outcome {
  work.report({ type: 'signIn.reached', step: 'asking' })
  const pending = await deps.keyStore.takePending()
  if (pending === undefined)
    return failed({ kind: 'refused', status: 403, message: t`This sign-in was started in another browser.` })
  const answer = await deps.api(
    {
      method: 'GET',
      path: `/login/${pathPart(pending.provider)}`,
      data: query,
      session: pending.session,
      signal: work.signal,
    },
    decodeLogin,
  )
  if (!answer.ok) return failed(answer.fault)
  const session = answer.value.id ?? pending.session
  const state = await fetchAccount(deps, { session, signal: work.signal })
  if (!state.ok) return failed(state.fault)
  const { email = '', created, pubkey } = state.value.account
  work.setProviderSession({ session, email })
  return {
    type: created === undefined || pubkey === undefined || pubkey === '' ? 'signIn.mustCreate' : 'signIn.mustUnlock',
    email,
  }
}
