import type { Provider, SignInErrors, SignInFailure, SignInSnapshot } from './sign-in.machine.ts'
import { loadFaultText } from '../../../folding/load-fault.ts'
import type { NotLoaded, SignInMode, SignInStep } from './sign-in.events.ts'

export const isSignInOpen = (snapshot: SignInSnapshot): boolean => snapshot.hasTag('open')
export const isSignInBusy = (snapshot: SignInSnapshot): boolean => snapshot.hasTag('busy')
export const selectSignInMode = (snapshot: SignInSnapshot): SignInMode => snapshot.context.mode
export const selectSignInErrors = (snapshot: SignInSnapshot): SignInErrors => snapshot.context.errors
export const selectProviders = (snapshot: SignInSnapshot): readonly Provider[] => snapshot.context.providers
/** Whose account a provider vouched for. */
export const selectVouchedEmail = (snapshot: SignInSnapshot): string => snapshot.context.email

const steps: Record<SignInStep, string> = {
  deriving: 'Deriving keys from the passphrase…',
  asking: 'Asking the account server…',
  unlocking: 'Unlocking the account’s key…',
  generating: 'Making the account’s key pair. This can take some seconds…',
  registering: 'Registering the account…',
  leaving: 'Going to the provider…',
}
/** What is being done, in words, while it is. */
export const selectSignInStep = (snapshot: SignInSnapshot): string | undefined =>
  snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined

export type FailureWords = { readonly title: string; readonly text: string }

const operations: Record<SignInMode, string> = {
  login: 'Login',
  register: 'Registration',
  reset: 'Reset request',
  unlock: 'Login',
  create: 'Creating the account',
}

/** Why the last attempt failed, in words a person can act on. */
export const selectSignInFailure = ({ context: { failure, mode } }: SignInSnapshot): FailureWords | undefined =>
  failure === undefined ? undefined : wordsOf(mode, failure)

const wordsOf = (mode: SignInMode, failure: SignInFailure): FailureWords =>
  failure.kind === 'notLoaded'
    ? { title: 'This cannot be done now', text: loadFaultText(failure.fault) }
    : (knownCase(mode, failure) ?? { title: `${operations[mode]} failed`, text: textOf(mode, failure) })

const knownCase = (mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): FailureWords | undefined => {
  if (failure.kind !== 'refused' || failure.status !== 409) return undefined
  if (mode === 'login')
    return { title: 'Account not active', text: 'Please verify your email address to activate your account.' }
  return mode === 'register'
    ? { title: 'Account exists', text: 'Please login or request a password reset via the login dialog.' }
    : undefined
}

const textOf = (mode: SignInMode, failure: Exclude<SignInFailure, NotLoaded>): string => {
  switch (failure.kind) {
    case 'locked':
      return 'The account’s key could not be unlocked with this passphrase.'
    case 'mismatched':
      return 'The account server sent a public key that does not belong to your private key. You were not logged in.'
    case 'unreachable':
      return `API error: ${failure.message}. Check the connection and try again.`
    case 'unreadable':
      return 'The account server sent an answer that cannot be read. Try again later.'
    case 'refused':
      if (mode === 'unlock' && failure.status === 401) return 'The passphrase is wrong.'
      if (mode === 'login' && (failure.status === 401 || failure.status === 404))
        return 'The e-mail address or the passphrase is wrong.'
      return mode === 'reset' && failure.status === 404
        ? 'There is no account with this e-mail address.'
        : failure.message
  }
}
