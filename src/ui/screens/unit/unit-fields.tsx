import { t } from '@lingui/core/macro'
import { DETAIL_COLUMNS, columnsOf } from '../../../folding/unit/column-sets.ts'
import { clampShare, formatPercent, UNKNOWN } from '../../../folding/shared/format.ts'
import { isGroupFinishing } from '../../../folding/machine/group.ts'
import type { UnitColumn, UnitContext } from '../../../folding/unit/unit-column.ts'
import { progressKind, statusLook, unitProgress, unitStatus } from '../../../folding/unit/unit-status.ts'
import { formatBothClocks, formatUtc } from '../../../folding/shared/times.ts'
import { assignedAt, deadlineAt, isWorking } from '../../../folding/unit/unit-progress.ts'
import type { Unit } from '../../../protocol/client-data.ts'
import { classNames } from '../../parts/class-names.ts'
import { ProgressBar } from '../../parts/display/progress-bar.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useUnitValue } from './unit-source.ts'
import styles from './unit-fields.module.css'

const statusOf = (unit: Unit, { data, now }: UnitContext): string => unitStatus(unit, isGroupFinishing(data, unit), now)

const Status = () => {
  const { icon, tone, word } = statusLook(useUnitValue(statusOf) ?? '')
  return <StatusMark icon={icon} tone={tone} text={word} />
}

const STEPS = 2000
const shareOf = (unit: Unit, { now }: UnitContext): number | undefined => {
  const share = clampShare(unitProgress(unit, now))
  return share === undefined ? undefined : Math.round(share * STEPS) / STEPS
}

const barNames = { work: t`Work done`, transfer: t`Transferred`, wait: t`Of the wait is over` } as const

const Progress = () => {
  const share = useUnitValue(shareOf)
  const kind = useUnitValue((unit, { now }) => progressKind(unit, now)) ?? 'work'
  const isMoving = useUnitValue((unit, { now }) => isWorking(unit, now)) ?? false
  const { tone } = statusLook(useUnitValue(statusOf) ?? '')
  const words = formatPercent(share)
  return (
    <span className={styles['progress']}>
      <ProgressBar label={barNames[kind]} share={share} valueText={words} tone={tone} isMoving={isMoving} />
      <span aria-hidden="true">{words}</span>
    </span>
  )
}

/** What more there is to say of a value. What threatens the unit stands above all fields. */
const detailOf = ({ id, detail }: UnitColumn, unit: Unit, context: UnitContext): string | undefined => {
  if (id === 'eta') return undefined
  if (id === 'assign-time') return formatUtc(assignedAt(unit))
  return id === 'deadline' ? formatBothClocks(deadlineAt(unit)) : detail?.(unit, context)
}

const Text = ({ column }: { column: UnitColumn }) => {
  const words = useUnitValue(column.text) ?? UNKNOWN
  const detail = useUnitValue((unit, context) => detailOf(column, unit, context))
  const isStale = useUnitValue((unit, context) => column.isStale?.(unit, context) === true) ?? false
  const isLate = useUnitValue((unit, context) => column.isLate?.(unit, context) === true) ?? false
  return (
    <span className={classNames(isStale && styles['stale'], isLate && styles['late'])}>
      <span className={styles['words']}>
        {isLate ? <Icon name="warning" /> : undefined}
        {words}
      </span>
      {detail === undefined || detail === words || words === UNKNOWN ? undefined : (
        <span className={styles['detail']}>{detail}</span>
      )}
    </span>
  )
}

const Value = ({ column }: { column: UnitColumn }) => {
  if (column.id === 'status-text') return <Status />
  if (column.id === 'progress') return <Progress />
  return <Text column={column} />
}

const columns = columnsOf(DETAIL_COLUMNS)

/** Everything that is known of the unit, as it is now. */
export const UnitFields = () => (
  <dl className={styles['fields']}>
    {columns.map(column => (
      <div key={column.id} className={styles['field']} data-column={column.id}>
        <dt title={column.hint}>{column.title}</dt>
        <dd>
          <Value column={column} />
        </dd>
      </div>
    ))}
  </dl>
)
