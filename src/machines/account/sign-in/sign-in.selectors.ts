import { t } from '@lingui/core/macro'
import type { Provider, SignInErrors, SignInFailure, SignInSnapshot } from './sign-in.machine.ts'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import type { NotLoaded, SignInMode, SignInStep } from './sign-in.events.ts'

export const isSignInBusy = (snapshot: SignInSnapshot): boolean => snapshot.hasTag('busy')
export const selectSignInMode = (snapshot: SignInSnapshot): SignInMode => snapshot.context.mode
export const selectSignInErrors = (snapshot: SignInSnapshot): SignInErrors => snapshot.context.errors
export const selectProviders = (snapshot: SignInSnapshot): readonly Provider[] => snapshot.context.providers
/** The email address that a provider confirmed. */
export const selectProviderEmail = (snapshot: SignInSnapshot): string => snapshot.context.email

const steps: Record<SignInStep, string> = {
  deriving: t`Deriving keys from the passphrase…`,
  asking: t`Contacting the account server…`,
  unlocking: t`Decrypting the account’s key…`,
  generating: t`Generating the account’s key pair. This can take a few seconds…`,
  registering: t`Registering the account…`,
  leaving: t`Opening the provider’s site…`,
}
/** Progress message while busy. */
export const selectSignInStep = (snapshot: SignInSnapshot): string | undefined =>
  snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined

export type FailureText = { readonly title: string; readonly text: string }

const operations: Record<SignInMode, string> = {
  login: t`Login`,
  register: t`Registration`,
  reset: t`Reset request`,
  unlock: t`Login`,
  create: t`Creating the account`,
}

/** Message about why the last attempt failed. */
export const selectSignInFailure = ({ context: { failure, mode } }: SignInSnapshot): FailureText | undefined =>
  failure === undefined ? undefined : failureText(mode, failure)

const failureText = (mode: SignInMode, failure: SignInFailure): FailureText =>
  failure.kind === 'notLoaded'
    ? { title: t`Not available right now`, text: loadFaultText(failure.fault) }
    : (knownCase(mode, failure) ?? { title: failedText(operations[mode]), text: textOf(mode, failure) })

const failedText = (operation: string): string => t`${operation} failed`

const knownCase = (mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): FailureText | undefined => {
  if (failure.kind !== 'refused' || failure.status !== 409) return undefined
  if (mode === 'login')
    return { title: t`Account not active`, text: t`Please verify your email address to activate your account.` }
  return mode === 'register'
    ? { title: t`Account exists`, text: t`Please login or request a password reset via the login dialog.` }
    : undefined
}

const textOf = (mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): string => {
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
