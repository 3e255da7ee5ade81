import { t } from '@lingui/core/macro'
import { apiFaultText } from '../../folding/text/fault-text.ts'
import type { ApiFault } from '../../protocol/api/api-fault.ts'
import type { AccountFailure } from '../account/settings/settings.events.ts'
import type { BroadcastContent } from '../connection/broadcast/broadcast.events.ts'
import type { Message } from '../shared/dialogs/dialogs.events.ts'

const titles: Record<AccountFailure, string> = {
  refresh: t`Refreshing the account failed`,
  save: t`Save Failed`,
  deletion: t`Deleting the account failed`,
  token: t`Generating a token failed`,
  team: t`Saving the team failed`,
  'team deletion': t`Deleting the team failed`,
}

/** The message for a call that failed (docs/product.md §8). */
export function failureMessage(failure: AccountFailure, fault: ApiFault): Message {
  return {
    level: 'error',
    title: titles[failure],
    text: failure === 'save' ? t`Failed to save account settings: ${apiFaultText(fault)}` : apiFaultText(fault),
  }
}

export function registeredMessage(email: string): Message {
  return {
    level: 'info',
    title: t`Account registered`,
    text: t`A verification email was sent to ${email}. You must follow the link in it to activate your account before you can log in.`,
  }
}

export function resetRequestedMessage(email: string): Message {
  return {
    level: 'info',
    title: t`Account reset requested`,
    text: t`An email was sent to ${email}. You must follow the link in it to choose a new passphrase.`,
  }
}

/** `client`: the id of its connection. */
export function autoLinkMessage(client: string): Message {
  const first = { to: 'bulk', event: { type: 'bulk.open', action: { kind: 'unlink' }, ids: [client] } }
  return {
    level: 'info',
    title: t`Auto-linking client`,
    text: t`The local machine has been automatically linked to your account.  Its configuration will remain synchronized with the account.`,
    button: {
      id: 'unlink',
      name: t`Unlink`,
      sends: [{ to: 'app', event: { type: 'app.want', part: 'bulk', first } }],
    },
  }
}

export const sessionEndMessage: Message = {
  level: 'info',
  title: t`Logged out`,
  text: t`Your session has ended. Log in again to see your machines.`,
}

export const deletedMessage: Message = {
  level: 'info',
  title: t`Account deleted`,
  text: t`Your account was deleted, and you are logged out.`,
}

export function clientRefusedMessage(address: string): Message {
  return {
    level: 'warn',
    title: t`The client was not added`,
    text: t`The list of direct clients is full, so ${address} was not added. Remove another one first.`,
  }
}

export function changeNotKeptMessage(reason: string | undefined): Message {
  return {
    level: 'warn',
    title: t`The change was not kept`,
    text:
      reason === undefined
        ? t`The server did not answer. What it has is shown now; make your change again.`
        : t`The server refused the change: ${reason}. What it has is shown now.`,
  }
}

/** Undefined for a state that was not broadcast: it is sent to each client instead. */
export function broadcastFailedMessage({ cmd }: BroadcastContent, isClockWrong: boolean): Message | undefined {
  return cmd === 'state' || !isClockWrong
    ? undefined
    : {
        level: 'warn',
        title: t`Machines were not notified`,
        text: t`This computer’s clock is wrong, so the change was not sent to your machines. They pick it up when they next connect. Please correct the clock.`,
      }
}

/** An error in the page's own code. The parent has restarted the part or continues without it. */
export function partFailedMessage(part: string, error: unknown): Message {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    level: 'error',
    title: t`Part of this page failed`,
    text: t`“${part}” stopped because of an error: ${reason}. The rest of the page still works. Reload it if something is missing.`,
  }
}
