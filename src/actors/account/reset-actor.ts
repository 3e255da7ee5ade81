import { t } from '@lingui/core/macro'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { ResetDeskCommand, ResetFact } from '../../machines/account/reset/reset.events.ts'
import { desk, type Piece } from './task-actor.ts'
import type { SignInDeps } from './sign-in-actor.ts'

export type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
type ResetWork = Extract<ResetDeskCommand, { readonly type: 'desk.reset' }>
export type ResetPiece = Piece<ResetWork, ResetFact>

/** Gives an account a new passphrase, and with it a new key. */
export const resetDesk = (deps: ResetDeps) =>
  desk<ResetWork, ResetFact>(() => async piece => {
    try {
      const { doReset } = await loadCode(() => import('./reset-tasks.ts'))
      const outcome = await doReset(deps, piece)
      if (outcome !== undefined) piece.report(outcome)
    } catch (error) {
      piece.report({
        type: 'reset.failed',
        fault:
          error instanceof LoadError
            ? { kind: 'notLoaded', fault: error.fault }
            : { kind: 'unreadable', message: t`The new key could not be made.` },
      })
    }
  })
