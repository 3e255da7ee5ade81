import { checkAddress } from '../../../folding/shared/address.ts'
import type { ConnectSnapshot } from './connect.machine.ts'

export const selectConnectAddress = (snapshot: ConnectSnapshot): string => snapshot.context.address
/** Whether a link requested the connection; the dialog reports it. */
export const wasAskedByLink = (snapshot: ConnectSnapshot): boolean => snapshot.context.isForeign
export const selectConnectError = (snapshot: ConnectSnapshot): string | undefined =>
  snapshot.hasTag('showsErrors') ? checkAddress(snapshot.context.address) : undefined
