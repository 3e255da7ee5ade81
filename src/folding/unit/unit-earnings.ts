/*
 * What a unit earns, as far as that follows from what its client reports: points per day times the time of its core, as for
 * the history (`folding/fleet/ppd-history`). Clients report no credit.
 */
import type { Unit } from '../../protocol/client-data.ts'
import { spanOf } from '../fleet/ppd-history.ts'
import { positive } from '../shared/read.ts'
import { DAY } from '../shared/times.ts'
import { hasEnded, isUnsent } from './unit-meaning.ts'
import { assignmentOf, deadlineRisk, etaSeconds, isGuess, ppdOf, runTime } from './unit-progress.ts'

/** Points without bonus; undefined while unknown. */
export function baseCredit(unit: Unit): number | undefined {
  const credit = positive(assignmentOf(unit)?.credit)
  return credit === 0 ? undefined : credit
}

/** Points if it ends as expected, 0 after its deadline. Undefined while nothing is known. `now`: on the client's clock. */
export function expectedPoints(unit: Unit, now: number): number | undefined {
  if (hasEnded(unit)) return unit.result === 'credited' ? spanOf(unit)?.points : 0
  const risk = deadlineRisk(unit, now)
  if (risk === 'deadline' || risk === 'passed') return 0
  const [ppd, ran] = [ppdOf(unit), runTime(unit, now)]
  const left = isUnsent(unit) ? 0 : etaSeconds(unit)
  return ppd === undefined || ran === undefined || left === undefined || isGuess(unit)
    ? undefined
    : (ppd * (ran + left)) / DAY
}
