import { t } from '@lingui/core/macro'
import type { ServerAlertsSnapshot } from './server-alerts.machine.ts'

type Outcome = { readonly isGood: boolean; readonly text: string }

/** How the last test of a channel went, in words. */
export function testOutcome({ context: { result } }: ServerAlertsSnapshot, channel: string): Outcome | undefined {
  if (result?.kind !== 'tested' || result.channel !== channel) return undefined
  const { outcome, reason } = result.answer
  if (outcome === 'sent') return { isGood: true, text: t`The test was sent. Check whether it arrived.` }
  const why = reason ?? ''
  return {
    isGood: false,
    text:
      outcome === 'unknown'
        ? t`The test may have arrived: ${why}.`
        : outcome === 'refused'
          ? t`The test was refused: ${why}.`
          : t`The test could not be sent: ${why}.`,
  }
}

/** Why the last task could not be done; undefined when it could. */
export function selectTaskFault({ context: { result } }: ServerAlertsSnapshot): string | undefined {
  if (result?.kind === 'refused') return result.reason
  if (result?.kind === 'notAllowed') return t`This browser was not allowed to show notifications of this page.`
  return result?.kind === 'unreachable' ? t`The server did not answer. Try again.` : undefined
}
