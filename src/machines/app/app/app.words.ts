import { faultText, type ApiFault } from '../../../protocol/api-fault.ts'
import type { AccountFailure } from '../../account/settings/settings.events.ts'
import type { Broadcast } from '../../connection/broadcast/broadcast.events.ts'
import type { Message } from '../../screens/dialogs/dialogs.events.ts'

const titles: Record<AccountFailure, string> = {
  refresh: 'Refreshing the account failed',
  save: 'Save Failed',
  deletion: 'Deleting the account failed',
  token: 'Generating a token failed',
  team: 'Saving the team failed',
  'team deletion': 'Deleting the team failed',
}

/** The message for a call that failed (docs/product.md §8). */
export const failureMessage = (failure: AccountFailure, fault: ApiFault): Message => ({
  level: 'error',
  title: titles[failure],
  text: failure === 'save' ? `Failed to save account settings: ${faultText(fault)}` : faultText(fault),
})

export const registeredMessage = (email: string): Message => ({
  level: 'info',
  title: 'Account registered',
  text: `A verification e-mail was sent to ${email}. You must follow the link in it to activate your account before you can login.`,
})

export const resetRequestedMessage = (email: string): Message => ({
  level: 'info',
  title: 'Account reset requested',
  text: `An e-mail was sent to ${email}. You must follow the link in it to choose a new passphrase.`,
})

export const autoLinkMessage: Message = {
  level: 'info',
  title: 'Auto-linking client',
  text: 'The local machine has been automatically linked to your account.  Its configuration will remain synchronized with the account.',
}

export const sessionEndMessage: Message = {
  level: 'info',
  title: 'Logged out',
  text: 'Your session has ended. Log in again to see your machines.',
}

export const deletedMessage: Message = {
  level: 'info',
  title: 'Account deleted',
  text: 'Your account was deleted, and you are logged out.',
}

/** Nothing is said of a state that was not broadcast: it is sent to each machine instead. */
export const untoldMessage = ({ cmd }: Broadcast, isClockWrong: boolean): Message | undefined =>
  cmd === 'state' || !isClockWrong
    ? undefined
    : {
        level: 'warn',
        title: 'Machines were not told',
        text: 'This computer’s clock is far wrong, so your machines were not told of the change. They take it over when they next connect. Set the clock right.',
      }

/** A mistake in the page. Whoever had started the part goes on without it, or has started it again. */
export const partFailedMessage = (part: string, error: unknown): Message => ({
  level: 'error',
  title: 'Part of this page failed',
  text: `“${part}” stopped because of an error: ${error instanceof Error ? error.message : String(error)}. The rest of the page goes on. Reload it if something is missing.`,
})
