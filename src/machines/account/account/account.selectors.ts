import { t } from '@lingui/core/macro'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { PassphraseRef } from '../passphrase/passphrase.machine.ts'
import type { SettingsRef } from '../settings/settings.machine.ts'
import type { PublicAccount } from './account.events.ts'
import type { AccountSnapshot } from './account.machine.ts'

export const isSignedIn = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('signedIn')
/** True while the session is being restored and no attempt has failed. */
export const isAccountLoading = (snapshot: AccountSnapshot): boolean =>
  snapshot.hasTag('loading') && snapshot.context.restoreFault === undefined
/** Whether a session is stored but its account cannot be fetched. It is retried. */
export const isAccountUnreachable = (snapshot: AccountSnapshot): boolean => snapshot.context.restoreFault !== undefined

/** Message about an account that cannot be loaded; undefined when it is loaded or still loading normally. */
export const selectAccountProblem = (snapshot: AccountSnapshot): string | undefined => {
  const { restoreFault } = snapshot.context
  if (restoreFault !== undefined) return restoreFaultText(restoreFault)
  return snapshot.hasTag('slow')
    ? t`The account server is slow to respond. Your machines appear as soon as it answers.`
    : undefined
}

const restoreFaultText = (fault: ApiFault): string => {
  switch (fault.kind) {
    case 'unreachable':
      return t`The account server cannot be reached, so your machines are not shown. Retrying automatically.`
    case 'unreadable':
      return t`The account server’s response cannot be read, so your machines are not shown. A login page or proxy of your network may be interfering. Retrying automatically.`
    case 'refused':
      return t`The account server refused the request, so your machines are not shown: ${fault.message} Retrying automatically.`
  }
}

export const isTokenBeingRenewed = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('renewing')
export const isAccountBeingDeleted = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('deleting')
export const selectAccount = (snapshot: AccountSnapshot): PublicAccount | undefined =>
  snapshot.context.signedIn?.account
/** The id that linked clients report for the account. */
export const selectAccountId = (snapshot: AccountSnapshot): string | undefined => snapshot.context.signedIn?.keys.id
/** The token that links clients to the account. */
export const selectToken = (snapshot: AccountSnapshot): string => snapshot.context.signedIn?.secrets.token ?? ''
/** The account settings; undefined when signed out. */
export const selectSettings = (snapshot: AccountSnapshot): SettingsRef | undefined =>
  snapshot.children['settings'] as SettingsRef | undefined
/** The passphrase dialog; undefined when signed out. */
export const selectPassphraseDialog = (snapshot: AccountSnapshot): PassphraseRef | undefined =>
  snapshot.children['passphrase'] as PassphraseRef | undefined
