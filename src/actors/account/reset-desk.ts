import type { ResetDeskCommand, ResetFact } from '../../machines/account/reset/reset.events.ts'
import { desk, type Piece } from './desk.ts'
import type { SignInDeps } from './sign-in-desk.ts'

export type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
type ResetWork = Extract<ResetDeskCommand, { readonly type: 'desk.reset' }>
export type ResetPiece = Piece<ResetWork, ResetFact>

/** Gives an account a new passphrase, and with it a new key. */
export const resetDesk = (deps: ResetDeps) =>
  desk<ResetWork, ResetFact>(() => async piece => {
    try {
      const { doReset } = await import('./reset-work.ts')
      const outcome = await doReset(deps, piece)
      if (outcome !== undefined) piece.report(outcome)
    } catch {
      piece.report({
        type: 'reset.failed',
        fault: { kind: 'unreachable', message: 'a part of this page could not be loaded' },
      })
    }
  })
