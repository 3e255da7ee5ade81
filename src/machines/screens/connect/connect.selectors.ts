import { checkAddress } from '../../../folding/address/address-check.ts'
import type { ConnectSnapshot } from './connect.machine.ts'

export function selectConnectAddress(snapshot: ConnectSnapshot): string {
  return snapshot.context.address
}
/** Whether a link requested the connection; the dialog reports it. */
export function wasAskedByLink(snapshot: ConnectSnapshot): boolean {
  return snapshot.context.isForeign
}
export function selectConnectError(snapshot: ConnectSnapshot): string | undefined {
  return snapshot.hasTag('showsErrors') ? checkAddress(snapshot.context.address) : undefined
}
