/* What idling by a time means for a client. */
import { t } from '@lingui/core/macro'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { shortGpuName } from '../client/resources.ts'
import { formatList } from '../text/format.ts'
import { formatInterval, formatLocalShort } from '../text/times.ts'
import type { History } from '../unit/history.ts'
import type { BulkEffect } from './bulk-action.ts'
import {
  CPUS,
  lastFetch,
  lateUnits,
  MOST_OF_A_CLIENT,
  usualLengths,
  type IdleTime,
  type UsualLength,
} from './idle-time.ts'

/** `until`: undefined takes the time back. */
export function idleEffect(
  { until, pauses }: { readonly until: number | undefined; readonly pauses: boolean },
  data: ClientData,
  machine: string,
  before: IdleTime | undefined,
  history: Pick<History, 'units'>,
  now: number,
): BulkEffect {
  if (until !== undefined && until <= now) return { kind: 'impossible', because: t`This time is over.` }
  if (until === undefined && before === undefined) return { kind: 'same', kept: [] }
  const usual = usualLengths(history.units.values(), machine, data.info)
  const lengths = Object.fromEntries(usual.slice(0, MOST_OF_A_CLIENT).map(({ hardware, long }) => [hardware, long]))
  const time = until === undefined ? undefined : { until, pauses, lengths, asked: {} }
  return {
    kind: 'change',
    changes: [],
    work: { kind: 'note' },
    before: { kind: 'idle', time: before },
    resumed: [],
    kept: [],
    costs: time === undefined ? [] : idleTexts(data, time, usual, now),
    idle: { machine, time },
  }
}

function idleTexts(data: ClientData, time: IdleTime, usual: readonly UsualLength[], now: number): readonly string[] {
  const late = lateUnits(data, time.until, now)
  const fetch = lastFetch(data, time, now)
  return [
    fetch <= now ? t`takes no new work from now on` : t`takes no new work from about ${formatLocalShort(fetch)}`,
    ...late.map(({ unit, ends }) => {
      const name = `WU${String(unit.number ?? '')}`
      return time.pauses
        ? t`${name} will not be done (about ${formatLocalShort(ends)}), and is paused`
        : t`${name} will be done too late, about ${formatLocalShort(ends)}`
    }),
    usual.length === 0
      ? t`how long its units take is not known: those of now decide`
      : t`its units usually take ${formatList(usual.map(usualText))}`,
  ]
}

function usualText({ hardware, middle, long, count }: UsualLength): string {
  const name = hardware === CPUS ? t`CPUs` : shortGpuName(hardware)
  return t`${formatInterval(middle)} on ${name} (nine of ten less than ${formatInterval(long)}; the last ${count})`
}
