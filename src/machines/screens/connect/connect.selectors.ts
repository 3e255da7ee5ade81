import { checkAddress } from '../../../folding/address/address-check.ts'
import type { ConnectSnapshot } from './connect.machine.ts'
export function selectConnectError(snapshot: ConnectSnapshot): string | undefined {
  return snapshot.hasTag('showsErrors') ? checkAddress(snapshot.context.address) : undefined
}
