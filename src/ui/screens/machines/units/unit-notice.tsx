import { t } from '@lingui/core/macro'
import { formatInterval } from '../../../../folding/shared/times.ts'
import { unitReason } from '../../../../folding/unit/unit-status.ts'
import { deadlineRisk, deadlineWords, waitEnd } from '../../../../folding/unit/unit-progress.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { logPath } from '../../log/log-path.ts'
import { Link } from '../../../parts/actions/link.tsx'
import { useClient } from '../client-context.ts'
import styles from './unit-row.module.css'
import { useUnitAt } from './use-unit-moment.ts'

/** Somebody paused it: there is nothing to explain. */
const ASKED_FOR = t`Paused`

const waitWords = (unit: Unit, now: number): string | undefined => {
  const until = waitEnd(unit, now)
  return until === undefined ? undefined : t`Next try in ${formatInterval((until - now) / 1000)}.`
}

/** Servers end their sentences as they like. */
const asSentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`)

/** Why a unit stands still, until when, and what threatens it; undefined while all is as it should be. */
export const unitNotice = (unit: Unit, now: number): string | undefined => {
  const reason = unit.pause_reason === ASKED_FOR && waitEnd(unit, now) === undefined ? undefined : unitReason(unit, now)
  const parts = [reason, waitWords(unit, now), deadlineWords(deadlineRisk(unit, now))]
  return (
    parts
      .filter(part => part !== undefined)
      .map(asSentence)
      .join(' ') || undefined
  )
}

/** Why nothing is happening, in plain words, with the way to the log. */
export const UnitNotice = ({ unit }: { unit: string }) => {
  const { id } = useClient().getSnapshot().context
  const number = useUnitAt(unit, found => found.number)
  const why = useUnitAt(unit, (found, { now }) => unitNotice(found, now))
  if (why === undefined) return null
  return (
    <div role="cell" className={styles['why']}>
      <p>
        {why}
        {number === undefined ? undefined : <Link to={logPath(id, number)}>{t`Log`}</Link>}
      </p>
    </div>
  )
}
