import { t } from '@lingui/core/macro'
import type { SignInFailure, SignInSnapshot } from './sign-in.machine.ts'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import type { NotLoaded, SignInMode, SignInStep } from './sign-in.events.ts'

const steps: Record<SignInStep, string> = {
  deriving: t`Deriving keys from the passphrase…`,
  asking: t`Contacting the account server…`,
  unlocking: t`Decrypting the account’s key…`,
  generating: t`Generating the account’s key pair. This can take a few seconds…`,
  registering: t`Registering the account…`,
  leaving: t`Opening the provider’s site…`,
}
/** Progress message while busy. */
export function selectSignInStep(snapshot: SignInSnapshot): string | undefined {
  return snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined
}

export type FailureText = { readonly title: string; readonly text: string }

const operations: Record<SignInMode, string> = {
  login: t`Login`,
  register: t`Registration`,
  reset: t`Reset request`,
  unlock: t`Login`,
  create: t`Creating the account`,
}

/** Message about why the last attempt failed. */
export function selectSignInFailure({ context: { failure, mode } }: SignInSnapshot): FailureText | undefined {
  return failure === undefined ? undefined : failureText(mode, failure)
}

function failureText(mode: SignInMode, failure: SignInFailure): FailureText {
  return failure.kind === 'notLoaded'
    ? { title: t`Not available right now`, text: loadFaultText(failure.fault) }
    : (knownCase(mode, failure) ?? { title: failedText(operations[mode]), text: textOf(mode, failure) })
}

function failedText(operation: string): string {
  return t`${operation} failed`
}

function knownCase(mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): FailureText | undefined {
  if (failure.kind !== 'refused' || failure.status !== 409) return undefined
  if (mode === 'login')
    return { title: t`Account not active`, text: t`Please verify your email address to activate your account.` }
  return mode === 'register'
    ? { title: t`Account exists`, text: t`Please login or request a password reset via the login dialog.` }
    : undefined
}

function textOf(mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): string {
  switch (failure.kind) {
    case 'locked':
      return t`The account’s key could not be unlocked with this passphrase.`
    case 'mismatched':
      return t`The account server sent a public key that does not belong to your private key. You were not logged in.`
    case 'unreachable':
      return t`API error: ${failure.message}. Check the connection and try again.`
    case 'unreadable':
      return t`The account server’s response cannot be read. Try again later.`
    case 'refused':
      if (mode === 'unlock' && failure.status === 401) return t`The passphrase is wrong.`
      if (mode === 'login' && (failure.status === 401 || failure.status === 404))
        return t`The email address or passphrase is wrong.`
      return mode === 'reset' && failure.status === 404 ? t`No account uses this email address.` : failure.message
  }
}
