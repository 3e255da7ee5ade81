import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { DeskCommand, SignInFact } from '../../machines/account/sign-in/sign-in.events.ts'
import { endSession, type AccountTaskDeps } from './account-tasks.ts'
import { desk, type Piece } from './task-actor.ts'

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

type Work = Exclude<DeskCommand, { readonly type: 'desk.generate' | 'desk.stop' }>

export type DeskPiece = Piece<Work, SignInFact> & {
  readonly vouched: () => Vouched | undefined
  readonly vouch: (vouched: Vouched) => void
}

/** Turns what was typed into a session, an account and its keys, or into a new account. What it takes for that is loaded when it is first needed. */
export const signInDesk = (deps: SignInDeps) =>
  desk<Work, SignInFact>(() => {
    let vouched: Vouched | undefined
    return async piece => {
      const { signal, report } = piece
      try {
        const { doDeskWork } = await loadCode(() => import('./sign-in-tasks.ts'))
        const outcome = await doDeskWork(deps, { ...piece, vouched: () => vouched, vouch: found => (vouched = found) })
        // Called off at the last moment: nobody is signed in then, here or at the server.
        if (signal.aborted && outcome?.type === 'signIn.succeeded') await endSession(deps, 'signedOut')
        else if (outcome !== undefined) report(outcome)
      } catch (error) {
        report({
          type: 'signIn.failed',
          fault: error instanceof LoadError ? { kind: 'notLoaded', fault: error.fault } : { kind: 'locked' },
        })
      }
    }
  })
