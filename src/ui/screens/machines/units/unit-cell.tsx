import { t } from '@lingui/core/macro'
import { Focusable } from 'react-aria-components/Focusable'
import type { UnitColumn, UnitContext } from '../../../../folding/unit/unit-column.ts'
import { isGroupFinishing } from '../../../../folding/machine/group.ts'
import { clampShare, formatPercent } from '../../../../folding/shared/format.ts'
import {
  progressKind,
  statusLook,
  unitProgress,
  unitStatus,
  type ProgressKind,
} from '../../../../folding/unit/unit-status.ts'
import { isWorking } from '../../../../folding/unit/unit-progress.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { isConnected } from '../../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { classNames } from '../../../parts/class-names.ts'
import { fillBar, LiveBar } from '../../../parts/display/progress-bar.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useFact } from '../client-context.ts'
import { useUnitAt } from './use-unit-moment.ts'
import { useUnitBinding } from './use-unit-writer.ts'
import styles from './unit-cell.module.css'

type Props = { readonly unit: string; readonly column: UnitColumn }

/** More about a cell, made out only while it is shown. */
const Detail = ({ unit, column }: Props) => useUnitAt(unit, (found, context) => column.detail?.(found, context))

const writeText = (element: HTMLElement, words = ''): void => {
  if (element.firstChild instanceof Text) element.firstChild.data = words
  else element.textContent = words
}

const writeName = (element: HTMLElement, words = ''): void => {
  element.ariaLabel = words
}

const TextCell = ({ unit, column }: Props) => {
  const isStale = useUnitAt(unit, (found, context) => column.isStale?.(found, context)) ?? false
  const isLate = useUnitAt(unit, (found, context) => column.isLate?.(found, context)) ?? false
  const hasDetail = useUnitAt(unit, (found, context) => column.detail?.(found, context) !== undefined) ?? false
  const text = useUnitBinding<HTMLElement, string>(unit, column.text, writeText)
  const name = useUnitBinding<HTMLElement, string>(unit, column.text, writeName)
  const className = classNames(
    styles['text'],
    column.align !== 'end' && styles['words'],
    isLate ? styles['late'] : isStale && styles['stale'],
  )
  if (!hasDetail) return <span ref={text} className={className} />
  return (
    <WithTooltip text={<Detail unit={unit} column={column} />}>
      <Focusable>
        <span ref={name} role="img" tabIndex={0} className={className}>
          {isLate ? <Icon name="warning" /> : undefined}
          <span ref={text} />
        </span>
      </Focusable>
    </WithTooltip>
  )
}

const statusOf = (unit: Unit, { data, now }: UnitContext): string => unitStatus(unit, isGroupFinishing(data, unit), now)

const StatusCell = ({ unit, column }: Props) => {
  const look = statusLook(useUnitAt(unit, statusOf) ?? '')
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

const barNames = { work: t`Work done`, transfer: t`Transferred`, wait: t`Of the wait is over` } as const

// In steps that can be told apart on the widest screen.
const shareOf = (unit: Unit, { now }: UnitContext): number | undefined => {
  const share = clampShare(unitProgress(unit, now))
  return share === undefined ? undefined : Math.round(share * 2000) / 2000
}

const kindOf = (unit: Unit, { now }: UnitContext): ProgressKind => progressKind(unit, now)

const isMovingNow = (unit: Unit, { now }: UnitContext, snapshot: ClientSnapshot): boolean =>
  isConnected(snapshot) && isWorking(unit, now)

const writeShare = (element: HTMLElement, share: number | undefined): void =>
  fillBar(element, share, formatPercent(share))
const writePercent = (element: HTMLElement, share: number | undefined): void => writeText(element, formatPercent(share))

const ProgressCell = ({ unit }: Props) => {
  const kind = useUnitAt(unit, kindOf) ?? 'work'
  const isMoving = useUnitAt(unit, isMovingNow) ?? false
  const { tone } = statusLook(useUnitAt(unit, statusOf) ?? '')
  const isKnown = useFact(isConnected)
  const bar = useUnitBinding<HTMLElement, number | undefined>(unit, shareOf, writeShare)
  const percent = useUnitBinding<HTMLElement, number | undefined>(unit, shareOf, writePercent)
  return (
    <span className={styles['progress']}>
      <LiveBar ref={bar} label={barNames[kind]} tone={isKnown ? tone : 'stale'} isMoving={isMoving} />
      <span ref={percent} className={styles['percent']} aria-hidden="true" />
    </span>
  )
}

/** One value of one unit. */
export const UnitCell = (props: Props) => {
  if (props.column.id === 'status') return <StatusCell {...props} />
  if (props.column.id === 'progress') return <ProgressCell {...props} />
  return <TextCell {...props} />
}
