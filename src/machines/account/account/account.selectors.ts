import type { Account } from '../../../protocol/api.ts'
import type { AccountSnapshot } from './account.machine.ts'

export const isSignedIn = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('signedIn')
/** True while it is not yet known whether somebody is signed in. */
export const isAccountLoading = (snapshot: AccountSnapshot): boolean => snapshot.hasTag('loading')
export const isAccountUnreachable = (snapshot: AccountSnapshot): boolean => snapshot.matches('unreachable')
export const selectAccount = (snapshot: AccountSnapshot): Account | undefined => snapshot.context.signedIn?.account
/** The account's id, which linked machines carry. */
export const selectAccountId = (snapshot: AccountSnapshot): string | undefined => snapshot.context.signedIn?.keys.id
