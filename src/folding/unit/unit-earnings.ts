/*
 * What a unit earns, as far as that follows from what its client reports: points per day times the time of its core, as for
 * the history (`folding/fleet/ppd-history`). Clients report no credit.
 */
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { spanOf } from '../fleet/ppd-history.ts'
import { lacksPasskey } from '../client/client.ts'
import { positive } from '../shared/read.ts'
import { DAY } from '../text/times.ts'
import { hasEnded, isUnsent } from './unit-meaning.ts'
import { assignmentOf, deadlineRisk, isPpdGuess, ppdOf, runTime, timeLeft } from './unit-progress.ts'

/** Points without bonus; undefined while unknown. */
export function baseCredit(unit: Unit): number | undefined {
  const credit = positive(assignmentOf(unit)?.credit)
  return credit === 0 ? undefined : credit
}

/**
 * Points if it ends as expected, 0 after its deadline; without a passkey those without bonus. Undefined while nothing is
 * known. `data`: of its client. `now`: on the client's clock.
 */
export function expectedPoints(unit: Unit, data: ClientData | undefined, now: number): number | undefined {
  if (hasEnded(unit)) return unit.result === 'credited' ? spanOf(unit)?.points : 0
  const risk = deadlineRisk(unit, now)
  if (risk === 'deadline' || risk === 'passed') return 0
  if (lacksPasskey(data)) return baseCredit(unit)
  const [ppd, ran] = [ppdOf(unit), runTime(unit, now)]
  const left = isUnsent(unit) ? 0 : timeLeft(unit, now)
  return ppd === undefined || ran === undefined || left === undefined || isPpdGuess(unit, now)
    ? undefined
    : (ppd * (ran + left)) / DAY
}
