/*
 * What is said of groups whose units fail: by the incidents, and by the badges of a machine, which are loaded earlier.
 */
import { plural, t } from '@lingui/core/macro'
import type { Group } from '../../protocol/client/client-data.ts'
import { failuresInARow, failureKind, groupTitle, REFUSED } from '../client/group.ts'
import { formatList } from '../text/format.ts'
import { statusAppearance } from '../unit/unit-status.ts'
import type { Evidence } from './incident.ts'

/** How many units of a group failed or were lost in a row. `dumped`: how many of the lost ones are known to have been dumped. */
export function failingEvidence(group: string, config: Group, dumped?: number): Evidence & { readonly count: number } {
  const kind = failureKind(config, dumped)
  return { group, count: failuresInARow(config, dumped), ...(kind === 'failed' ? {} : { reason: kind }) }
}

export const FOLD_AGAIN = t`Press Fold: that resets the count. Nothing is wrong with its hardware.`

/** How the units ended that a group counts as failed, by its history; undefined where that is not known. */
export function endsText({ reason, stored = '', count = 0 }: Evidence): string | undefined {
  if (reason === 'expired') return t`Expired work units: ${count}. The machine was off for long, or too slow for them.`
  if (reason !== 'ends') return undefined
  const kinds = stored.split('\n').map(line => {
    const [word = '', times = ''] = line.split(' ')
    return `${statusAppearance(word.toUpperCase()).label} (${times})`
  })
  return `${formatList(kinds)}.`
}

export function failingText({ evidence }: { readonly evidence: Evidence }): string {
  const group = evidence.title ?? groupTitle(evidence.group ?? '')
  const { count = 0 } = evidence
  const ended = endsText(evidence)
  if (ended !== undefined) return t`Group “${group}”: ${ended}`
  if (evidence.reason === 'refused') return t`Group “${group}”: ${REFUSED}`
  return evidence.reason === 'lost'
    ? t`${plural(count, { one: '# work unit of group', other: '# work units of group' })} “${group}” got lost: its core crashed without results. The client stops the group after the fifth.`
    : t`${plural(count, { one: '# work unit of group', other: '# work units of group' })} “${group}” failed since the last credited one.`
}

export function failingAdvice({ reason }: Evidence): string {
  return reason === 'expired'
    ? FOLD_AGAIN
    : reason === 'refused'
      ? t`Check the machine’s log.`
      : t`Check the log for the cause. Common ones are an overclocked or hot GPU and an old driver.`
}
