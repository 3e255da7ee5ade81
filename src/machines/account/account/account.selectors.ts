import { t } from '@lingui/core/macro'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { PassphraseRef } from '../passphrase/passphrase.machine.ts'
import type { SettingsRef } from '../settings/settings.machine.ts'
import type { PublicAccount } from './account.events.ts'
import type { AccountSnapshot } from './account.machine.ts'

/** True while the session is being restored and no attempt has failed. */
export function isAccountLoading(snapshot: AccountSnapshot): boolean {
  return snapshot.hasTag('loading') && snapshot.context.restoreFault === undefined
}
/** Whether a session is stored but its account cannot be fetched. It is retried. */
export function isAccountUnreachable(snapshot: AccountSnapshot): boolean {
  return snapshot.context.restoreFault !== undefined
}

/** Message about an account that cannot be loaded; undefined when it is loaded or still loading normally. */
export function selectAccountProblem(snapshot: AccountSnapshot): string | undefined {
  const { restoreFault } = snapshot.context
  if (restoreFault !== undefined) return restoreFaultText(restoreFault)
  return snapshot.hasTag('slow')
    ? t`The account server is slow to respond. Your machines appear as soon as it answers.`
    : undefined
}

function restoreFaultText(fault: ApiFault): string {
  switch (fault.kind) {
    case 'unreachable':
      return t`The account server cannot be reached, so your machines are not shown. Retrying automatically.`
    case 'unreadable':
      return t`The account server’s response cannot be read, so your machines are not shown. A login page or proxy of your network may be interfering. Retrying automatically.`
    case 'refused':
      return t`The account server refused the request, so your machines are not shown: ${fault.message} Retrying automatically.`
  }
}
export function selectAccount(snapshot: AccountSnapshot): PublicAccount | undefined {
  return snapshot.context.signedIn?.account
}
/** The id that linked clients report for the account. */
export function selectAccountId(snapshot: AccountSnapshot): string | undefined {
  return snapshot.context.signedIn?.keys.id
}
/** The token that links clients to the account. */
export function selectToken(snapshot: AccountSnapshot): string {
  return snapshot.context.signedIn?.secrets.token ?? ''
}
/** The account settings; undefined when signed out. */
export function selectSettings(snapshot: AccountSnapshot): SettingsRef | undefined {
  return snapshot.children['settings'] as SettingsRef | undefined
}
/** The passphrase dialog; undefined when signed out. */
export function selectPassphraseDialog(snapshot: AccountSnapshot): PassphraseRef | undefined {
  return snapshot.children['passphrase'] as PassphraseRef | undefined
}
