import type { SignInErrors, SignInFailure, SignInSnapshot } from './sign-in.machine.ts'
import type { SignInMode, SignInStep } from './sign-in.events.ts'

export const isSignInOpen = (snapshot: SignInSnapshot): boolean => snapshot.hasTag('open')
export const isSignInBusy = (snapshot: SignInSnapshot): boolean => snapshot.hasTag('busy')
export const selectSignInMode = (snapshot: SignInSnapshot): SignInMode => snapshot.context.mode
export const selectSignInErrors = (snapshot: SignInSnapshot): SignInErrors => snapshot.context.errors

const steps: Record<SignInStep, string> = {
  deriving: 'Deriving keys from the passphrase…',
  asking: 'Asking the account server…',
  unlocking: 'Unlocking the account’s key…',
}
/** What is being done, in words, while it is. */
export const selectSignInStep = (snapshot: SignInSnapshot): string | undefined =>
  snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined

export type FailureWords = { readonly title: string; readonly text: string }

/** Why the last attempt failed, in words a person can act on. */
export const selectSignInFailure = (snapshot: SignInSnapshot): FailureWords | undefined =>
  snapshot.context.failure === undefined ? undefined : wordsOf(snapshot.context.failure)

const wordsOf = (failure: SignInFailure): FailureWords => {
  if (failure.kind === 'locked')
    return { title: 'Login failed', text: 'The account’s key could not be unlocked with this passphrase.' }
  if (failure.kind === 'unreachable')
    return { title: 'Login failed', text: `API error: ${failure.message}. Check the connection and try again.` }
  if (failure.kind === 'unreadable')
    return { title: 'Login failed', text: 'The account server sent an answer that cannot be read. Try again later.' }
  if (failure.status === 409)
    return { title: 'Account not active', text: 'Please verify your email address to activate your account.' }
  if (failure.status === 401 || failure.status === 404)
    return { title: 'Login failed', text: 'The e-mail address or the passphrase is wrong.' }
  return { title: 'Login failed', text: failure.message }
}
