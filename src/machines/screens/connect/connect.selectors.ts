import { checkAddress } from '../../../folding/shared/address.ts'
import type { ConnectSnapshot } from './connect.machine.ts'

export const isConnectOpen = (snapshot: ConnectSnapshot): boolean => snapshot.hasTag('open')
export const selectConnectAddress = (snapshot: ConnectSnapshot): string => snapshot.context.address
/** True when a link asked for the connection, so that the dialog must say whose idea it was. */
export const wasAskedByLink = (snapshot: ConnectSnapshot): boolean => snapshot.context.isForeign
export const selectConnectError = (snapshot: ConnectSnapshot): string | undefined =>
  snapshot.hasTag('showsErrors') ? checkAddress(snapshot.context.address) : undefined
