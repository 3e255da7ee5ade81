import type { PassphraseFact, PassphraseFailure } from '../../machines/account/passphrase/passphrase.events.ts'
import { isSessionOver, mayHaveWorked, type ApiResult } from '../../protocol/api/api-fault.ts'
import { decodeAccount, decodeSecret } from '../../protocol/api/api.ts'
import { good } from '../../protocol/fault.ts'
import { deriveSecrets, unwrapSecret, wrapSecret, type Secrets } from '../../protocol/crypto/key-derivation.ts'
import type { PassphraseDeps, RunningPassphraseTask } from './secret-tasks.ts'

function failed(failure: PassphraseFailure): PassphraseFact {
  return { type: 'passphrase.failed', failure }
}

/** The outcome; undefined when aborted. */
export async function runPassphraseTask(
  deps: PassphraseDeps,
  task: RunningPassphraseTask,
): Promise<PassphraseFact | undefined> {
  const { command, report } = task
  const { current, passphrase } = command.secrets
  const email = command.email.trim().toLowerCase()
  report({ type: 'passphrase.reached', step: 'checking' })
  const derived = await deriveSecrets(email, current)
  const answer = await fetchSecret(deps, derived, task)
  if (!answer.ok) return failed(isSessionOver(answer.fault) ? await causeOf401(deps, task) : answer.fault)
  const pkcs8 = await unwrapSecret(derived, answer.value)
  if (!pkcs8.ok) return failed({ kind: 'locked' })
  if (command.type === 'task.confirm') {
    pkcs8.value.fill(0)
    return { type: 'passphrase.confirmed' }
  }
  const renewed = await deriveSecrets(email, passphrase)
  const secret = await wrapSecret(renewed, pkcs8.value)
  pkcs8.value.fill(0)
  return save(deps, email, { renewed, secret }, task)
}

function fetchSecret(
  { api }: PassphraseDeps,
  { password }: Secrets,
  { signal }: RunningPassphraseTask,
): Promise<ApiResult<string>> {
  return api({ method: 'GET', path: '/account/secret', data: { password }, signal }, decodeSecret)
}

/** A wrong passphrase and an expired session both give 401; another call tells which it was. */
async function causeOf401({ api }: PassphraseDeps, { signal }: RunningPassphraseTask): Promise<PassphraseFailure> {
  const account = await api({ method: 'GET', path: '/account', signal }, decodeAccount)
  return account.ok ? { kind: 'wrong' } : account.fault
}

/** Stores the same key pair, encrypted with the new passphrase: clients and other sessions are not affected. */
async function save(
  deps: PassphraseDeps,
  email: string,
  { renewed, secret }: { readonly renewed: Secrets; readonly secret: string },
  task: RunningPassphraseTask,
): Promise<PassphraseFact | undefined> {
  if (task.signal.aborted) return undefined
  task.report({ type: 'passphrase.reached', step: 'saving' })
  // Not aborted once sent: the call might have taken effect without the page knowing.
  const saved = await deps.api(
    {
      method: 'PUT',
      path: '/account/secret',
      data: { pubkey: task.command.publicKey, password: renewed.password, secret },
    },
    good,
  )
  if (!saved.ok && !mayHaveWorked(saved.fault)) return failed(saved.fault)
  if (!saved.ok && !(await fetchSecret(deps, renewed, task)).ok) return failed({ kind: 'unsure' })
  void deps.rememberPassword(email, task.command.secrets.passphrase)
  return { type: 'passphrase.changed' }
}
