import { pathPart } from '../../protocol/url.ts'
import type { ResetFact } from '../../machines/account/reset/reset.events.ts'
import { good } from '../../protocol/fault.ts'
import { deriveSecrets } from '../../protocol/crypto/key-derivation.ts'
import { makeKeys } from './new-keys.ts'
import type { ResetDeps, RunningResetTask } from './secret-tasks.ts'

/** The outcome; undefined when aborted. */
export async function runResetTask(
  deps: ResetDeps,
  { command, signal, report }: RunningResetTask,
): Promise<ResetFact | undefined> {
  const {
    email,
    secrets: { token, passphrase },
  } = command
  const address = email.trim().toLowerCase()
  report({ type: 'reset.reached', step: 'deriving' })
  const derived = await deriveSecrets(address, passphrase)
  report({ type: 'reset.reached', step: 'generating' })
  const { pubkey, secret } = await makeKeys(derived, deps.keyBits)
  if (signal.aborted) return undefined
  report({ type: 'reset.reached', step: 'asking' })
  const data = { pubkey, password: derived.password, secret }
  const answer = await deps.api({ method: 'PUT', path: `/reset/${pathPart(token)}`, data, signal }, good)
  if (!answer.ok) return { type: 'reset.failed', fault: answer.fault }
  void deps.rememberPassword(address, passphrase)
  return { type: 'reset.done' }
}
