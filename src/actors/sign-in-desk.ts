import type { DeskCommand, SignInFact } from '../machines/account/sign-in/sign-in.events.ts'
import { decodeLogin, decodeSecret } from '../protocol/api.ts'
import { importAccountKeys } from '../protocol/keys.ts'
import { deriveSecrets, unwrapSecret } from '../protocol/secrets.ts'
import { fetchAccount, type AccountTaskDeps } from './account-tasks.ts'
import { factActor } from './fact-actor.ts'

type Report = (fact: SignInFact) => void

/** Turns an e-mail address and a passphrase into a session, an account and its keys. Keeps neither. */
export const signInDesk = (deps: AccountTaskDeps) =>
  factActor<DeskCommand, undefined, SignInFact>(({ report: tell, receive }) => {
    let work = new AbortController()
    receive(command => {
      work.abort()
      work = new AbortController()
      if (command.type === 'desk.stop') return
      const { signal } = work
      const report: Report = fact => {
        if (!signal.aborted) tell(fact)
      }
      signIn(deps, command, report, signal).catch(() => report({ type: 'signIn.failed', fault: { kind: 'locked' } }))
    })
    return () => work.abort()
  })

const signIn = async (
  deps: AccountTaskDeps,
  { email, secrets }: Extract<DeskCommand, { type: 'desk.signIn' }>,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  const { api, session, keyStore } = deps
  report({ type: 'signIn.reached', step: 'deriving' })
  const address = email.trim().toLowerCase()
  const derived = await deriveSecrets(address, secrets.passphrase)

  report({ type: 'signIn.reached', step: 'asking' })
  const login = await api(
    { method: 'GET', path: '/login', data: { email: address, password: derived.password }, signal },
    decodeLogin,
  )
  if (!login.ok) return report({ type: 'signIn.failed', fault: login.fault })
  const { id } = login.value
  if (id === undefined) return report({ type: 'signIn.failed', fault: { kind: 'unreadable', message: 'The answer holds no session.' } })
  session.set(id)
  const [secret, account] = await Promise.all([
    api({ method: 'GET', path: '/account/secret', data: { password: derived.password }, signal }, decodeSecret),
    fetchAccount({ api }),
  ])
  const failed = [secret, account].find(answer => !answer.ok)
  if (failed?.ok === false || !secret.ok || !account.ok || signal.aborted) {
    session.set(undefined)
    if (failed?.ok === false) report({ type: 'signIn.failed', fault: failed.fault })
    return
  }

  report({ type: 'signIn.reached', step: 'unlocking' })
  const pkcs8 = await unwrapSecret(derived, secret.value)
  if (!pkcs8.ok || account.value.pubkey === undefined) {
    session.set(undefined)
    return report({ type: 'signIn.failed', fault: { kind: 'locked' } })
  }
  const keys = await importAccountKeys(pkcs8.value, account.value.pubkey)
  pkcs8.value.fill(0)
  await keyStore.keep({ session: id, keys })
  report({ type: 'signIn.succeeded', signedIn: { account: account.value, keys } })
}
