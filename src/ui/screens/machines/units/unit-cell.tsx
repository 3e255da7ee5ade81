import { Focusable } from 'react-aria-components/Focusable'
import type { UnitColumn } from '../../../../folding/unit-column.ts'
import { isGroupFinishing } from '../../../../folding/group.ts'
import { clampShare, formatPercent } from '../../../../folding/format.ts'
import { progressKind, statusLook, unitProgress, unitStatus } from '../../../../folding/unit-status.ts'
import { isWorking } from '../../../../folding/unit-work.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { isConnected } from '../../../../machines/connection/client/client.selectors.ts'
import { classNames } from '../../../parts/class-names.ts'
import { ProgressBar } from '../../../parts/display/progress-bar.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useFact, useMoment } from '../client-context.ts'
import { contextOf, selectUnit } from './unit-access.ts'
import styles from './unit-cell.module.css'

type Props = { readonly unit: string; readonly column: UnitColumn }

/** More about a cell, made out only while it is shown. */
const Detail = ({ unit, column }: Props) =>
  useMoment((snapshot, now) => {
    const found = selectUnit(unit)(snapshot)
    return found === undefined ? undefined : column.detail?.(found, contextOf(snapshot, now))
  })

const STALE = '~'

/** The text, behind a mark when it is of an earlier moment: one value, so that a cell has one reason to render. */
const textOf =
  ({ unit, column }: Props) =>
  (snapshot: ClientSnapshot, now: number): string => {
    const found = selectUnit(unit)(snapshot)
    if (found === undefined) return ''
    const context = contextOf(snapshot, now)
    return `${column.isStale?.(found, context) === true ? STALE : ' '}${column.text(found, context)}`
  }

const TextCell = (props: Props) => {
  const marked = useMoment(textOf(props))
  const hasDetail = useMoment((snapshot, now) => {
    const found = selectUnit(props.unit)(snapshot)
    return found !== undefined && props.column.detail?.(found, contextOf(snapshot, now)) !== undefined
  })
  const words = marked.slice(1)
  const className = classNames(styles['text'], marked.startsWith(STALE) && styles['stale'])
  if (!hasDetail) return <span className={className}>{words}</span>
  return (
    <WithTooltip text={<Detail {...props} />}>
      <Focusable>
        <span role="img" aria-label={words} tabIndex={0} className={className}>
          {words}
        </span>
      </Focusable>
    </WithTooltip>
  )
}

const statusKeyOf =
  (unit: string) =>
  (snapshot: ClientSnapshot, now: number): string => {
    const found = selectUnit(unit)(snapshot)
    return found === undefined ? '' : unitStatus(found, isGroupFinishing(snapshot.context.record.data, found), now)
  }

const StatusCell = (props: Props) => {
  const look = statusLook(useMoment(statusKeyOf(props.unit)))
  const isKnown = useFact(isConnected)
  return (
    <WithTooltip text={<Detail {...props} />}>
      <Focusable>
        <span role="img" aria-label={look.word} tabIndex={0} className={styles['status']}>
          <StatusMark icon={look.icon} tone={isKnown ? look.tone : 'stale'} text={look.word} />
        </span>
      </Focusable>
    </WithTooltip>
  )
}

const barNames = { work: 'Work done', transfer: 'Transferred', wait: 'Of the wait is over' } as const

const ProgressCell = ({ unit }: Props) => {
  const find = selectUnit(unit)
  // In steps that can be told apart on the widest screen.
  const share = useMoment((snapshot, now) => {
    const found = find(snapshot)
    const known = found === undefined ? undefined : clampShare(unitProgress(found, now))
    return known === undefined ? undefined : Math.round(known * 2000) / 2000
  })
  const kind = useMoment((snapshot, now) => {
    const found = find(snapshot)
    return found === undefined ? 'work' : progressKind(found, now)
  })
  const isMoving = useMoment((snapshot, now) => {
    const found = find(snapshot)
    return isConnected(snapshot) && found !== undefined && isWorking(found, now)
  })
  const tone = statusLook(useMoment(statusKeyOf(unit))).tone
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
