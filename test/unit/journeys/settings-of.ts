import { selectAccount, selectSettings } from '../../../src/machines/account/account/account.selectors.ts'
import type { AccountDraftRef, SettingsRef } from '../../../src/machines/account/settings/settings.machine.ts'
import { selectAccountDraft } from '../../../src/machines/account/settings/settings.selectors.ts'
import type { PublicAccount } from '../../../src/machines/account/account/account.events.ts'
import type { Credentials } from '../../new-account.ts'
import type { HeadlessApp } from '../../headless-app.ts'
import { dialogOf } from './dialog-of.ts'

/** Logs in and gives what the account settings are made of. */
export async function openSettings(app: HeadlessApp, credentials: Credentials) {
  await dialogOf(app).logIn(credentials)
  const { account } = app.system()
  await app.until(account, snapshot => snapshot.hasTag('signedIn'))
  const settings: SettingsRef | undefined = selectSettings(account.getSnapshot())
  const draft: AccountDraftRef | undefined =
    settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
  if (settings === undefined || draft === undefined) throw new Error('An account that is signed in has settings.')
  return {
    account,
    settings,
    draft,
    /** Waits until the server's own answer reports it. */
    untilAccount: (holds: (account: PublicAccount) => boolean) =>
      app.until(account, snapshot => {
        const known = selectAccount(snapshot)
        return known !== undefined && holds(known)
      }),
  }
}
