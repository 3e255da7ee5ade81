import { t } from '@lingui/core/macro'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import { apiFaultText } from '../../../folding/text/fault-text.ts'
import type { PassphraseStep } from './passphrase.events.ts'
import type { PassphraseSnapshot } from './passphrase.machine.ts'

const steps: Record<PassphraseStep, string> = {
  checking: t`Checking your passphrase…`,
  saving: t`Saving the new passphrase…`,
}

/** Progress message while busy. */
export function selectPassphraseStep(snapshot: PassphraseSnapshot): string | undefined {
  return snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined
}

/** Message about why the last attempt failed. */
export function selectPassphraseFailure({ context: { failure } }: PassphraseSnapshot): string | undefined {
  switch (failure?.kind) {
    case undefined:
      return undefined
    case 'wrong':
      return t`The passphrase is wrong.`
    case 'locked':
      return t`The account’s key could not be unlocked with this passphrase.`
    case 'unsure':
      return t`The account server did not respond, so it is unclear whether your passphrase was changed. Keep both and try again with the current one. If it is rejected, the new one is active.`
    case 'notLoaded':
      return loadFaultText(failure.fault)
    case 'unreachable':
      return t`API error: ${failure.message}. Check the connection and try again.`
    case 'unreadable':
    case 'refused':
      return apiFaultText(failure)
  }
}
