import { Focusable } from 'react-aria-components/Focusable'
import type { UnitColumn, UnitContext } from '../../../../folding/unit-column.ts'
import { isGroupFinishing } from '../../../../folding/group.ts'
import { clampShare, formatPercent } from '../../../../folding/format.ts'
import { progressKind, statusLook, unitProgress, unitStatus, type ProgressKind } from '../../../../folding/unit-status.ts'
import { isWorking } from '../../../../folding/unit-work.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { isConnected } from '../../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { classNames } from '../../../parts/class-names.ts'
import { ProgressBar } from '../../../parts/display/progress-bar.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useFact } from '../client-context.ts'
import { useUnitMoment } from './use-unit-moment.ts'
import styles from './unit-cell.module.css'

type Props = { readonly unit: string; readonly column: UnitColumn }

/** More about a cell, made out only while it is shown. */
const Detail = ({ unit, column }: Props) =>
  useUnitMoment(unit, (found, context) => column.detail?.(found, context))

const STALE = '~'
const LATE = '!'

const markOf = (column: UnitColumn, unit: Unit, context: UnitContext): string => {
  if (column.isLate?.(unit, context) === true) return LATE
  return column.isStale?.(unit, context) === true ? STALE : ' '
}

const TextCell = ({ unit, column }: Props) => {
  // The text, behind a mark when it is of an earlier moment or bad news: one value, so that a cell has one reason to render.
  const marked = useUnitMoment(unit, (found, context) =>
    `${markOf(column, found, context)}${column.text(found, context)}`) ?? ''
  const hasDetail = useUnitMoment(unit, (found, context) => column.detail?.(found, context) !== undefined) ?? false
  const words = marked.slice(1)
  const isLate = marked.startsWith(LATE)
  const className = classNames(styles['text'], marked.startsWith(STALE) && styles['stale'], isLate && styles['late'])
  if (!hasDetail) return <span className={className}>{words}</span>
  return (
    <WithTooltip text={<Detail unit={unit} column={column} />}>
      <Focusable>
        <span role="img" aria-label={words} tabIndex={0} className={className}>
          {isLate ? <Icon name="warning" /> : undefined}
          {words}
        </span>
      </Focusable>
    </WithTooltip>
  )
}

const statusOf = (unit: Unit, { data, now }: UnitContext): string => unitStatus(unit, isGroupFinishing(data, unit), now)

const StatusCell = ({ unit, column }: Props) => {
  const look = statusLook(useUnitMoment(unit, statusOf) ?? '')
  const isKnown = useFact(isConnected)
  return (
    <WithTooltip text={<Detail unit={unit} column={column} />}>
      <Focusable>
        <span role="img" aria-label={look.word} tabIndex={0} className={styles['status']}>
          <StatusMark icon={look.icon} tone={isKnown ? look.tone : 'stale'} text={look.word} />
        </span>
      </Focusable>
    </WithTooltip>
  )
}

const barNames = { work: 'Work done', transfer: 'Transferred', wait: 'Of the wait is over' } as const

// In steps that can be told apart on the widest screen.
const shareOf = (unit: Unit, { now }: UnitContext): number | undefined => {
  const share = clampShare(unitProgress(unit, now))
  return share === undefined ? undefined : Math.round(share * 2000) / 2000
}

const kindOf = (unit: Unit, { now }: UnitContext): ProgressKind => progressKind(unit, now)

const isMovingNow = (unit: Unit, { now }: UnitContext, snapshot: ClientSnapshot): boolean =>
  isConnected(snapshot) && isWorking(unit, now)

const ProgressCell = ({ unit }: Props) => {
  const share = useUnitMoment(unit, shareOf)
  const kind = useUnitMoment(unit, kindOf) ?? 'work'
  const isMoving = useUnitMoment(unit, isMovingNow) ?? false
  const { tone } = statusLook(useUnitMoment(unit, statusOf) ?? '')
  const isKnown = useFact(isConnected)
  const words = formatPercent(share)
  return (
    <span className={styles['progress']}>
      <ProgressBar label={barNames[kind]} share={share} words={words} tone={isKnown ? tone : 'stale'} isMoving={isMoving} />
      <span className={styles['percent']} aria-hidden="true">
        {words}
      </span>
    </span>
  )
}

/** One value of one unit. */
export const UnitCell = (props: Props) => {
  if (props.column.id === 'status') return <StatusCell {...props} />
  if (props.column.id === 'progress') return <ProgressCell {...props} />
  return <TextCell {...props} />
}
