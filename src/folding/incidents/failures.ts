/*
 * What is said of groups whose units fail: by the incidents, and by the badges of a machine, which are loaded earlier.
 */
import { plural, t } from '@lingui/core/macro'
import type { Group } from '../../protocol/client-data.ts'
import { failedUnits, failuresInARow, groupTitle } from '../client/group.ts'
import type { Evidence } from './incident.ts'

/** How many units of a group failed or were lost in a row. `dumped`: how many of the lost ones are known to have been dumped. */
export function failingEvidence(group: string, config: Group, dumped?: number): Evidence & { readonly count: number } {
  const count = failuresInARow(config, dumped)
  return { group, count, ...(count > failedUnits(config) ? { reason: 'lost' } : {}) }
}

export function failingText({ evidence }: { readonly evidence: Evidence }): string {
  const group = groupTitle(evidence.group ?? '')
  const { count = 0 } = evidence
  return evidence.reason === 'lost'
    ? t`${plural(count, { one: '# work unit of group', other: '# work units of group' })} “${group}” got lost: its core crashed without results. The client stops the group after the fifth.`
    : t`${plural(count, { one: '# work unit of group', other: '# work units of group' })} “${group}” failed since the last credited one.`
}

export const FAILING_ADVICE = t`Check the log for the cause. Common ones are an overclocked or hot GPU and an old driver.`

export const STOPPED_ADVICE = t`Press Fold if you dumped them yourself: that resets the count. Otherwise find the cause in the log and fix it first, such as a hot or overclocked GPU, or its driver.`
