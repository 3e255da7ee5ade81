import type { ResetDeskCommand, ResetFact, ResetForm } from '../../machines/account/reset/reset.events.ts'
import { deriveSecrets } from '../../protocol/secrets.ts'
import { factActor } from '../fact-actor.ts'
import type { SignInDeps } from './sign-in-desk.ts'

type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
type Report = (fact: ResetFact) => void

/** Gives an account a new passphrase, and with it a new key. Keeps neither. */
export const resetDesk = (deps: ResetDeps) =>
  factActor<ResetDeskCommand, undefined, ResetFact>(({ report: tell, receive }) => {
    let work = new AbortController()
    receive(command => {
      if (command.type === 'desk.generate') {
        void import('./passphrase.ts').then(({ generatePassphrase }) => tell({ type: 'passphrase.made', secrets: { passphrase: generatePassphrase() } }))
        return
      }
      work.abort()
      work = new AbortController()
      if (command.type === 'desk.stop') return
      const { signal } = work
      const report: Report = fact => {
        if (!signal.aborted) tell(fact)
      }
      reset(deps, command, report, signal)
        .catch((): ResetFact => ({ type: 'reset.failed', fault: { kind: 'unreadable', message: 'The new key could not be made.' } }))
        .then(outcome => {
          if (outcome !== undefined) report(outcome)
        })
        .catch(() => undefined)
    })
    return () => work.abort()
  })

const reset = async (deps: ResetDeps, { email, secrets: { token, passphrase } }: ResetForm, report: Report, signal: AbortSignal): Promise<ResetFact | undefined> => {
  const address = email.trim().toLowerCase()
  report({ type: 'reset.reached', step: 'deriving' })
  const derived = await deriveSecrets(address, passphrase)
  report({ type: 'reset.reached', step: 'generating' })
  const { makeKeys } = await import('./new-keys.ts')
  const { pubkey, secret } = await makeKeys(derived, deps.keyBits)
  if (signal.aborted) return undefined
  report({ type: 'reset.reached', step: 'asking' })
  const data = { pubkey, password: derived.password, secret }
  const answer = await deps.api({ method: 'PUT', path: `/reset/${encodeURIComponent(token)}`, data, signal }, value => ({ ok: true, value, faults: [] }))
  if (!answer.ok) return { type: 'reset.failed', fault: answer.fault }
  void deps.rememberPassword(address, passphrase)
  return { type: 'reset.done' }
}
