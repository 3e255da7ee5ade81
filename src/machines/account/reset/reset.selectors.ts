import { t } from '@lingui/core/macro'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import type { ResetStep } from './reset.events.ts'
import type { ResetSnapshot } from './reset.machine.ts'

const steps: Record<ResetStep, string> = {
  deriving: t`Deriving keys from the passphrase…`,
  generating: t`Generating a new key pair. This can take a few seconds…`,
  asking: t`Contacting the account server…`,
}

/** Progress message while busy. */
export function selectResetStep(snapshot: ResetSnapshot): string | undefined {
  return snapshot.hasTag('busy') ? steps[snapshot.context.step] : undefined
}

/** Message about why the last attempt failed. */
export function selectResetFailure({ context: { fault } }: ResetSnapshot): string | undefined {
  switch (fault?.kind) {
    case undefined:
      return undefined
    case 'notLoaded':
      return loadFaultText(fault.fault)
    case 'unreachable':
      return t`API error: ${fault.message}. Check the connection and try again.`
    case 'unreadable':
      return t`The account server’s response cannot be read. Try again later.`
    case 'refused':
      return fault.status === 404
        ? t`This link was already used or has expired. Request another reset in the login dialog.`
        : fault.message
  }
}
