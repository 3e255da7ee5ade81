import { t } from '@lingui/core/macro'
import { INVALID_ADDRESS } from '../../../folding/shared/address.ts'
import type { DirectClientsSnapshot } from './direct-clients.machine.ts'

export const isImportShown = (snapshot: DirectClientsSnapshot): boolean => snapshot.hasTag('importing')
export const selectTypedAddress = (snapshot: DirectClientsSnapshot): string => snapshot.context.address
export const selectTypedName = (snapshot: DirectClientsSnapshot): string => snapshot.context.name
/** Why the address was not added; undefined when it was, or was not submitted yet. */
export const selectAddError = (snapshot: DirectClientsSnapshot): string | undefined =>
  snapshot.matches({ open: { list: 'invalid' } })
    ? INVALID_ADDRESS
    : snapshot.matches({ open: { list: 'known' } })
      ? t`The list has a client at this address.`
      : undefined
