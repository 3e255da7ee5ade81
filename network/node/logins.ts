import { compactText } from '../../src/protocol/keys.ts'
import type { AccountLogin, MachineLogin } from '../../src/protocol/relay-message.ts'
import { parseWireTime } from '../clients/time-text.ts'
import { idOfKey, readPublicKey, signatureFits } from '../keys.ts'

const MAX_SKEW_SECONDS = 15 * 60

/** The id of the key that signed a login, or undefined when it is stale or was signed by nobody (wire.md §11.3). */
export const signerOf = (
  { payload, pubkey, signature }: AccountLogin | MachineLogin,
  now: number,
): string | undefined => {
  const seconds = parseWireTime(payload.time)
  if (seconds === undefined || Math.abs(seconds - now / 1000) > MAX_SKEW_SECONDS) return undefined
  const key = readPublicKey(pubkey)
  if (key === undefined || !signatureFits(key, compactText(payload), signature)) return undefined
  return idOfKey(key)
}
