import type { SettingsRef } from '../settings/settings.machine.ts'
import type { OpenAccount } from './account.events.ts'
import type { AccountSnapshot } from './account.machine.ts'

export const isSignedIn = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('signedIn')
/** True while it is not yet known whether somebody is signed in. */
export const isAccountLoading = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('loading')
export const isAccountUnreachable = (snapshot: AccountSnapshot): boolean => snapshot.matches('unreachable')
export const isTokenBeingRenewed = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('renewing')
export const isAccountBeingDeleted = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('deleting')
export const selectAccount = (snapshot: AccountSnapshot): OpenAccount | undefined => snapshot.context.signedIn?.account
/** What machines are linked with. */
export const selectToken = (snapshot: AccountSnapshot): string => snapshot.context.signedIn?.secrets.token ?? ''
/** What can be changed of the account; there as long as somebody is signed in. */
export const selectSettings = (snapshot: AccountSnapshot): SettingsRef | undefined =>
  snapshot.children['settings'] as SettingsRef | undefined
