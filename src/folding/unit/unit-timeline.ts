import type { Unit } from '../../protocol/client/client-data.ts'
import type { Credit } from '../../protocol/api/api.ts'
import { formatNumber, formatPercent } from '../text/format.ts'
import { parseTime } from '../text/times.ts'
import { creditOfAssignment } from './credits.ts'
import { endOf } from './history.ts'
import { hasEnded } from './unit-meaning.ts'
import { assignedAt, deadlineAt, timeoutAt } from './unit-progress.ts'
import { isSetBack, type UnitRecord } from './unit-record.ts'

/** `status`: a key of `statusAppearance`. */
export type UnitEvent = {
  readonly at: number
  readonly what: { readonly status: string } | 'assigned' | 'lost' | 'unseen' | 'logged' | 'timeout' | 'deadline'
  readonly detail?: string | undefined
}

/** What was seen to happen to it: its states, and where work was lost. */
function seenEvents({ moments }: Pick<UnitRecord, 'moments'>): readonly UnitEvent[] {
  return moments.flatMap((moment, index): readonly UnitEvent[] => {
    const before = moments[index - 1]
    const isLost = before?.progress !== undefined && isSetBack(before, moment)
    const detail = moment.progress === undefined ? undefined : formatPercent(moment.progress)
    return [
      ...(moment.isAfterGap === true && before !== undefined ? [{ at: before.at, what: 'unseen' } as const] : []),
      ...(isLost ? [{ at: moment.at, what: 'lost', detail } as const] : []),
      ...(moment.status === before?.status ? [] : [{ at: moment.at, what: { status: moment.status }, detail }]),
    ]
  })
}

/** From the assignment to the credit, newest first, with the limits that are ahead. `status`: what the unit is now. */
export function unitTimeline(
  unit: Unit,
  status: string,
  record: Pick<UnitRecord, 'moments'> | undefined,
  credits: readonly Credit[],
): readonly UnitEvent[] {
  const assigned = assignedAt(unit)
  const ended = endOf(unit)
  const logged = creditOfAssignment(credits, assigned)
  const at = (time: number | undefined, what: UnitEvent['what'], detail?: string): readonly UnitEvent[] =>
    time === undefined ? [] : [{ at: time, what, detail }]
  const events = [
    ...at(assigned, 'assigned'),
    ...seenEvents(record ?? { moments: [] }).filter(event => ended === undefined || event.at < ended),
    ...at(ended, { status }),
    ...at(parseTime(logged?.credit_time), 'logged', formatNumber(logged?.credit)),
    ...(hasEnded(unit) ? [] : [...at(timeoutAt(unit), 'timeout'), ...at(deadlineAt(unit), 'deadline')]),
  ]
  return events.sort((a, b) => a.at - b.at).reverse()
}
