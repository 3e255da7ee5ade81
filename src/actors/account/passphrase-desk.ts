import type { PassphraseDeskCommand, PassphraseFact } from '../../machines/account/passphrase/passphrase.events.ts'
import { desk, type Piece } from './desk.ts'
import type { SignInDeps } from './sign-in-desk.ts'

export type PassphraseDeps = Pick<SignInDeps, 'api' | 'rememberPassword'>
type PassphraseWork = Extract<PassphraseDeskCommand, { readonly type: 'desk.confirm' | 'desk.change' }>
export type PassphrasePiece = Piece<PassphraseWork, PassphraseFact>

/** Checks the passphrase of who is signed in, and changes it. */
export const passphraseDesk = (deps: PassphraseDeps) =>
  desk<PassphraseWork, PassphraseFact>(() => async piece => {
    try {
      const { doPassphraseWork } = await import('./passphrase-work.ts')
      const outcome = await doPassphraseWork(deps, piece)
      if (outcome !== undefined) piece.report(outcome)
    } catch {
      piece.report({
        type: 'passphrase.failed',
        failure: { kind: 'unreachable', message: 'a part of this page could not be loaded' },
      })
    }
  })
