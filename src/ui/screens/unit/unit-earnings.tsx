import { t } from '@lingui/core/macro'
import { formatDifference, formatPoints, formatPercent } from '../../../folding/text/format.ts'
import { formatBothClocks, formatLocalShort } from '../../../folding/text/times.ts'
import { baseCredit, expectedPoints } from '../../../folding/unit/unit-earnings.ts'
import { endOf } from '../../../folding/unit/history.ts'
import { clientTime, hasEnded, isWorking } from '../../../folding/unit/unit-meaning.ts'
import { readyAt } from '../../../folding/unit/unit-progress.ts'
import { isMoving, progressOf, statusOf } from '../../../folding/unit/unit-cells.ts'
import { statusAppearance } from '../../../folding/unit/unit-status.ts'
import { ProgressBar } from '../../parts/display/progress-bar.tsx'
import { useUnitValue } from './unit-source.ts'
import styles from './unit-earnings.module.css'

const MINUTE = 60_000
/** Shares are whole percents. */
const LEAST_BONUS = 0.005

function Figure({
  label,
  value,
  note,
  hint,
}: {
  readonly label: string
  readonly value: string
  readonly note?: string | undefined
  readonly hint?: string | undefined
}) {
  return (
    <div title={hint}>
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong>
        {note === undefined ? undefined : <span className={styles['note']}>{note}</span>}
      </dd>
    </div>
  )
}

/** Undefined for a unit without a bonus. */
function ofBaseCredit(points: number | undefined, base: number | undefined): string | undefined {
  if (points === undefined || base === undefined || Math.abs(points / base - 1) < LEAST_BONUS) return undefined
  const ratio = formatDifference(points / base)
  return t`${ratio} compared with base credit`
}

/** How far the unit is, when it ends, and what it earns then. */
export function UnitEarnings() {
  const share = useUnitValue(progressOf)
  const isRunning = useUnitValue(isMoving) ?? false
  const { tone } = statusAppearance(useUnitValue(statusOf) ?? '')
  const isOver = useUnitValue(hasEnded) ?? false
  const points = useUnitValue((unit, { data, now }) => {
    const value = expectedPoints(unit, data, clientTime(data, now))
    return value === undefined ? undefined : Math.round(value / 10) * 10
  })
  const base = useUnitValue(baseCredit)
  const end = useUnitValue((unit, { data, now }) => {
    const at = clientTime(data, now)
    if (hasEnded(unit)) return endOf(unit)
    const ready = isWorking(unit, at) ? readyAt(unit, now) : undefined
    return ready === undefined ? undefined : Math.round(ready / MINUTE) * MINUTE
  })
  return (
    <div className="grid gap-4">
      <div className={styles['progress']}>
        <ProgressBar share={share} tone={tone} isMoving={isRunning} />
        <strong>{formatPercent(share)}</strong>
      </div>
      <dl className={styles['figures']}>
        <Figure
          label={isOver ? t`Ended` : t`Expected end`}
          value={formatLocalShort(end)}
          hint={end === undefined ? undefined : formatBothClocks(end)}
        />
        <Figure
          label={isOver ? t`Points` : t`Points if it ends then`}
          value={formatPoints(points)}
          hint={t`Points per day times the time of the core: machines report no credit.`}
          note={ofBaseCredit(points, base)}
        />
        <Figure label={t`Base Credit`} value={formatPoints(base)} hint={t`Points without bonus`} />
      </dl>
    </div>
  )
}
