import { t } from '@lingui/core/macro'
import type { StateIconName, StateTone } from '../shared/appearance.ts'
import { formatList, formatNumber } from '../text/format.ts'

/** How many units are in one state. */
export type StateCount = {
  readonly tone: StateTone
  readonly icon: StateIconName
  readonly count: number
  /** '2 running'. */
  readonly label: string
}

/** The displayed states in their order. `text`: '2 running', of a formatted count. */
export const UNIT_STATES: readonly (Pick<StateCount, 'tone' | 'icon'> & {
  readonly text: (count: string) => string
})[] = [
  { tone: 'running', icon: 'run', text: count => t`${count} running` },
  { tone: 'finishing', icon: 'finish', text: count => t`${count} finishing` },
  { tone: 'transfer', icon: 'download', text: count => t`${count} transferring` },
  { tone: 'waiting', icon: 'wait', text: count => t`${count} waiting` },
  { tone: 'paused', icon: 'pause', text: count => t`${count} paused` },
  { tone: 'failed', icon: 'fail', text: count => t`${count} failed` },
]

/** Units by displayed state, without states that none is in. */
export function unitCounts(units: { readonly [T in StateTone]: number }): readonly StateCount[] {
  return UNIT_STATES.flatMap(({ tone, icon, text }) => {
    const count = units[tone]
    return count === 0 ? [] : [{ tone, icon, count, label: text(formatNumber(count)) }]
  })
}

/** '2 running, 1 paused'; 'No work units.' for none. */
export function unitCountsText(units: { readonly [T in StateTone]: number }): string {
  return formatList(unitCounts(units).map(({ label }) => label)) || t`No work units.`
}
