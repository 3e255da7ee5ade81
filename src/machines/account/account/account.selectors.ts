import { t } from '@lingui/core/macro'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { PassphraseRef } from '../passphrase/passphrase.machine.ts'
import type { SettingsRef } from '../settings/settings.machine.ts'
import type { OpenAccount } from './account.events.ts'
import type { AccountSnapshot } from './account.machine.ts'

export const isSignedIn = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('signedIn')
/** True while it is not yet known whether somebody is signed in, and nothing speaks against it. */
export const isAccountLoading = (snapshot: AccountSnapshot): boolean =>
  snapshot.hasTag('loading') && snapshot.context.trouble === undefined
/** Whether a session is kept here whose account cannot be had: it is tried again. */
export const isAccountUnreachable = (snapshot: AccountSnapshot): boolean => snapshot.context.trouble !== undefined

/** Why the account is not there though somebody is signed in, in words; undefined when it is, or may be in a moment. */
export const selectAccountTrouble = (snapshot: AccountSnapshot): string | undefined => {
  const { trouble } = snapshot.context
  if (trouble !== undefined) return troubleWords(trouble)
  return snapshot.hasTag('slow')
    ? t`The account server takes long to answer. Your account’s machines are shown as soon as it does.`
    : undefined
}

const troubleWords = (trouble: ApiFault): string => {
  switch (trouble.kind) {
    case 'unreachable':
      return t`The account server cannot be reached, so your account’s machines are not shown. It is tried again by itself.`
    case 'unreadable':
      return t`The account server’s answer cannot be read, so your account’s machines are not shown. A login page or a proxy of your network may stand in between. It is tried again by itself.`
    case 'refused':
      return t`The account server refuses to answer, so your account’s machines are not shown: ${trouble.message} It is tried again by itself.`
  }
}

export const isTokenBeingRenewed = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('renewing')
export const isAccountBeingDeleted = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('deleting')
export const selectAccount = (snapshot: AccountSnapshot): OpenAccount | undefined => snapshot.context.signedIn?.account
/** The id by which machines name the account that they are linked to. */
export const selectAccountId = (snapshot: AccountSnapshot): string | undefined => snapshot.context.signedIn?.keys.id
/** What machines are linked with. */
export const selectToken = (snapshot: AccountSnapshot): string => snapshot.context.signedIn?.secrets.token ?? ''
/** What can be changed of the account; there as long as somebody is signed in. */
export const selectSettings = (snapshot: AccountSnapshot): SettingsRef | undefined =>
  snapshot.children['settings'] as SettingsRef | undefined
/** Where the passphrase is asked for; there as long as somebody is signed in. */
export const selectPassphraseDialog = (snapshot: AccountSnapshot): PassphraseRef | undefined =>
  snapshot.children['passphrase'] as PassphraseRef | undefined
