import { t } from '@lingui/core/macro'
import { INVALID_ADDRESS } from '../../../folding/address/address-check.ts'
import type { DirectClientsSnapshot } from './direct-clients.machine.ts'
/** Why the address was not added; undefined when it was, or was not submitted yet. */
export function selectAddError(snapshot: DirectClientsSnapshot): string | undefined {
  return snapshot.matches({ open: { list: 'invalid' } })
    ? INVALID_ADDRESS
    : snapshot.matches({ open: { list: 'known' } })
      ? t`The list has a client at this address.`
      : undefined
}
