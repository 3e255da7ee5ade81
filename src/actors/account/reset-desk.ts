import type { ResetDeskCommand, ResetFact } from '../../machines/account/reset/reset.events.ts'
import { factActor } from '../fact-actor.ts'
import type { SignInDeps } from './sign-in-desk.ts'

export type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
export type Report = (fact: ResetFact) => void

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
      import('./reset-work.ts')
        .then(({ doReset }) => doReset(deps, command, report, signal))
        .catch((): ResetFact => ({ type: 'reset.failed', fault: { kind: 'unreadable', message: 'The new key could not be made.' } }))
        .then(outcome => {
          if (outcome !== undefined) report(outcome)
        })
        .catch(() => undefined)
    })
    return () => work.abort()
  })
