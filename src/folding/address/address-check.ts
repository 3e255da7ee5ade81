import { t } from '@lingui/core/macro'
import { parseAddress } from './address.ts'

export const INVALID_ADDRESS = t`Enter a host name or IP address, optionally with :port`

/** The error to show for an address as typed; undefined when it is valid. */
export function checkAddress(typed: string): string | undefined {
  return parseAddress(typed) === undefined ? INVALID_ADDRESS : undefined
}
