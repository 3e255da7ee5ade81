import { t } from '@lingui/core/macro'
import type { PassphraseDeskCommand, PassphraseFact } from '../../machines/account/passphrase/passphrase.events.ts'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import { desk, type Piece } from './task-actor.ts'
import type { SignInDeps } from './sign-in-actor.ts'

export type PassphraseDeps = Pick<SignInDeps, 'api' | 'rememberPassword'>
type PassphraseWork = Extract<PassphraseDeskCommand, { readonly type: 'desk.confirm' | 'desk.change' }>
export type PassphrasePiece = Piece<PassphraseWork, PassphraseFact>

/** Checks the passphrase of who is signed in, and changes it. */
export const passphraseDesk = (deps: PassphraseDeps) =>
  desk<PassphraseWork, PassphraseFact>(() => async piece => {
    try {
      const { doPassphraseWork } = await loadCode(() => import('./passphrase-tasks.ts'))
      const outcome = await doPassphraseWork(deps, piece)
      if (outcome !== undefined) piece.report(outcome)
    } catch (error) {
      piece.report({
        type: 'passphrase.failed',
        failure:
          error instanceof LoadError
            ? { kind: 'notLoaded', fault: error.fault }
            : { kind: 'unreadable', message: t`The passphrase could not be checked.` },
      })
    }
  })
