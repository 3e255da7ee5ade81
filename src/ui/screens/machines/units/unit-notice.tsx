import { t } from '@lingui/core/macro'
import { formatInterval } from '../../../../folding/shared/times.ts'
import { unitReason, type PauseReason } from '../../../../folding/unit/unit-status.ts'
import { deadlineRisk, deadlineWarning, waitEnd } from '../../../../folding/unit/unit-progress.ts'
import { selectId } from '../../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { logPath } from '../../log/log-path.ts'
import { Link } from '../../../parts/actions/link.tsx'
import { useClientSelector, useLogTime } from '../client-context.ts'
import styles from './unit-row.module.css'
import { useUnitAt } from './use-unit.ts'

/** The pause reason, as sent by clients, of a unit that the user paused. It needs no explanation. */
const PAUSED_BY_USER: PauseReason = 'Paused'

const retryText = (unit: Unit, now: number): string | undefined => {
  const until = waitEnd(unit, now)
  return until === undefined ? undefined : t`Retrying in ${formatInterval((until - now) / 1000)}.`
}

/** Texts of servers may lack the full stop. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Why a unit makes no progress, until when, and which deadline is at risk; undefined when there is nothing to report. */
export const unitNotice = (unit: Unit, now: number): string | undefined => {
  const reason =
    unit.pause_reason === PAUSED_BY_USER && waitEnd(unit, now) === undefined ? undefined : unitReason(unit, now)
  const parts = [reason, retryText(unit, now), deadlineWarning(deadlineRisk(unit, now))]
  return (
    parts
      .filter(part => part !== undefined)
      .map(asSentence)
      .join(' ') || undefined
  )
}

/** Leads to the line about it, where its time is known. */
const LogLink = ({ number }: { readonly number: number }) => {
  const machine = useClientSelector(selectId)
  const at = useLogTime(({ evidence }) => evidence.unit === number)
  return <Link to={logPath(machine, number, at)}>{t`Log`}</Link>
}

/** The second line of a unit's row: its notice with a link to the log. */
export const UnitNotice = ({ unit }: { unit: string }) => {
  const number = useUnitAt(unit, found => found.number)
  const notice = useUnitAt(unit, (found, { now }) => unitNotice(found, now))
  if (notice === undefined) return null
  return (
    <div role="cell" className={styles['notice']}>
      <p>
        {notice}
        {number === undefined ? undefined : <LogLink number={number} />}
      </p>
    </div>
  )
}
