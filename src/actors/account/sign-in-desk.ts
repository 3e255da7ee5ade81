import type { DeskCommand, SignInFact } from '../../machines/account/sign-in/sign-in.events.ts'
import { factActor } from '../fact-actor.ts'
import { endSession, type AccountTaskDeps } from './account-tasks.ts'

export type SignInDeps = AccountTaskDeps & {
  /** Address of this page's site, such as `https://foldboard.example`. */
  readonly origin: string
  /** Leaves the page for another one. */
  readonly leaveFor: (url: string) => void
  /** Offers e-mail and passphrase to the browser's password manager. */
  readonly rememberPassword: (email: string, passphrase: string) => Promise<void>
  /** Bits of a new account's key. */
  readonly keyBits: number
}

/** What a provider has vouched for, while this dialog is open. */
export type Vouched = { readonly session: string; readonly email: string }

export type DeskWork = {
  readonly signal: AbortSignal
  readonly report: (fact: SignInFact) => void
  readonly vouched: () => Vouched | undefined
  readonly vouch: (vouched: Vouched) => void
}

/**
 * Turns what was typed into a session, an account and its keys, or into a new account. Keeps nothing of it. What it
 * takes for that is loaded when it is first needed.
 */
export const signInDesk = (deps: SignInDeps) =>
  factActor<DeskCommand, undefined, SignInFact>(({ report: tell, receive }) => {
    let work = new AbortController()
    let vouched: Vouched | undefined
    receive(command => {
      if (command.type === 'desk.generate') {
        void import('./passphrase.ts').then(({ generatePassphrase }) => tell({ type: 'passphrase.made', secrets: { passphrase: generatePassphrase() } }))
        return
      }
      work.abort()
      work = new AbortController()
      if (command.type === 'desk.stop') return
      const { signal } = work
      const report = (fact: SignInFact): void => {
        if (!signal.aborted) tell(fact)
      }
      import('./sign-in-work.ts')
        .then(({ doDeskWork }) => doDeskWork(deps, command, { signal, report, vouched: () => vouched, vouch: found => (vouched = found) }))
        .then(async outcome => {
          // Called off at the last moment: nobody is signed in then, here or at the server.
          if (signal.aborted && outcome?.type === 'signIn.succeeded') await endSession(deps, 'signedOut')
          else if (outcome !== undefined) report(outcome)
        })
        .catch(() => report({ type: 'signIn.failed', fault: { kind: 'locked' } }))
    })
    return () => work.abort()
  })
