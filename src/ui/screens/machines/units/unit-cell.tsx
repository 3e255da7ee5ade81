import { Link } from 'react-router-dom'
import type { UnitColumn, UnitContext } from '../../../../folding/unit/unit-column.ts'
import { formatPercent, UNKNOWN } from '../../../../folding/text/format.ts'
import { statusAppearance } from '../../../../folding/unit/unit-status.ts'
import { deadlineRisk } from '../../../../folding/unit/unit-progress.ts'
import { etaText, gpuText, isMoving, progressOf, statusOf, tpfText } from '../../../../folding/unit/unit-cells.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { classNames } from '../../../parts/class-names.ts'
import { ProgressBar } from '../../../parts/display/progress-bar.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { useTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { useUnitTable } from './unit-table.ts'
import { useUnitAt } from './use-unit.ts'
import styles from './unit-cell.module.css'

type Props = { readonly unit: string; readonly column: UnitColumn }

/** A cell's tooltip; its text is computed only while it is open. */
function Detail({ unit, column }: Props) {
  return useUnitAt(unit, (found, context) => column.detail?.(found, context))
}

function TextCell({ unit, column }: Props) {
  const isStale = useUnitAt(unit, (found, context) => column.isStale?.(found, context)) ?? false
  const isLate = useUnitAt(unit, (found, context) => column.isLate?.(found, context)) ?? false
  const hasDetail = useUnitAt(unit, (found, context) => column.detail?.(found, context) !== undefined) ?? false
  const text = useUnitAt(unit, column.text)
  const className = classNames(
    styles['text'],
    column.align !== 'end' && 'cut',
    text === UNKNOWN && 'quiet',
    isLate ? styles['late'] : isStale && styles['stale'],
  )
  const { triggerProps, popup } = useTooltip({ text: <Detail unit={unit} column={column} /> })
  if (!hasDetail) return <bdi className={className}>{text}</bdi>
  return (
    <>
      <span role="img" aria-label={text} tabIndex={0} className={className} {...triggerProps}>
        {isLate ? <Icon name="warning" /> : undefined}
        <bdi>{text}</bdi>
      </span>
      {popup}
    </>
  )
}

/** The look of a unit's state; quiet while its client is away. */
function useLook(unit: string) {
  const look = statusAppearance(useUnitAt(unit, statusOf) ?? '')
  const isOnline = useClientSelector(snapshot => snapshot.hasTag('connected'))
  return isOnline ? look : { ...look, tone: 'stale' as const }
}

/** The state of a unit. */
export function UnitStatus({ unit }: { readonly unit: string }) {
  const { icon, tone, label, lang } = useLook(unit)
  return <StatusMark icon={icon} tone={tone} text={label} lang={lang} />
}

function StatusCell({ unit, column }: Props) {
  const { label } = useLook(unit)
  const { triggerProps, popup } = useTooltip({ text: <Detail unit={unit} column={column} /> })
  return (
    <>
      <span role="img" aria-label={label} tabIndex={0} className={styles['status']} {...triggerProps}>
        <UnitStatus unit={unit} />
      </span>
      {popup}
    </>
  )
}

/** Whether the core of a unit of a connected client runs. */
export function isMovingNow(unit: Unit, context: UnitContext, snapshot: ClientSnapshot): boolean {
  return snapshot.hasTag('connected') && isMoving(unit, context)
}

function isLate(unit: Unit, { now }: UnitContext): boolean {
  return deadlineRisk(unit, now) !== 'none'
}

/** Without a value nothing is shown, but the others stay where they are. */
function Eta({ unit }: { unit: string }) {
  const late = useUnitAt(unit, isLate) ?? false
  return (
    <span className={classNames(styles['estimate'], late && styles['late'])}>
      {late ? <Icon name="warning" /> : undefined}
      {useUnitAt(unit, etaText)}
    </span>
  )
}

function Tpf({ unit }: { unit: string }) {
  return <span className={styles['estimate']}>{useUnitAt(unit, tpfText)}</span>
}

/** Beside the bar, as far as there is room: what people look for, unless it has a column of its own. */
function Estimates({ unit }: { unit: string }) {
  const { columns } = useUnitTable()
  const has = (...ids: readonly string[]): boolean => columns.some(({ id }) => ids.includes(id))
  const gpu = useUnitAt(unit, gpuText)
  return (
    <span className={styles['estimates']}>
      {has('eta') ? undefined : <Eta unit={unit} />}
      {has('tpf') ? undefined : <Tpf unit={unit} />}
      {gpu === undefined || has('gpus-text', 'resources') ? undefined : <bdi className={styles['gpu']}>{gpu}</bdi>}
    </span>
  )
}

export function UnitBar({ unit }: { readonly unit: string }) {
  const isRunning = useUnitAt(unit, isMovingNow) ?? false
  const { tone } = useLook(unit)
  return <ProgressBar share={useUnitAt(unit, progressOf)} tone={tone} isMoving={isRunning} />
}

function ProgressCell({ unit, isAlone = false }: { readonly unit: string; readonly isAlone?: boolean }) {
  const share = useUnitAt(unit, progressOf)
  return (
    <span className={styles['progress']}>
      <UnitBar unit={unit} />
      <span className="nowrap text-end">{formatPercent(share)}</span>
      {isAlone ? undefined : <Estimates unit={unit} />}
    </span>
  )
}

/** The bar and its percentage, without estimates. */
export function ProgressOnly({ unit }: { unit: string }) {
  return <ProgressCell unit={unit} isAlone />
}

/** The project of a unit leads to the unit's page. */
function ProjectCell({ unit, column }: Props) {
  const id = useUnitAt(unit, found => found.id)
  if (id === undefined) return <TextCell unit={unit} column={column} />
  return (
    <Link to={`/unit/${pathPart(id)}`} data-row-link="" className={styles['link']}>
      <TextCell unit={unit} column={column} />
    </Link>
  )
}

/** One value of one unit. */
export function UnitCell(props: Props) {
  if (props.column.id === 'project') return <ProjectCell {...props} />
  if (props.column.id === 'status') return <StatusCell {...props} />
  if (props.column.id === 'progress') return <ProgressCell unit={props.unit} />
  return <TextCell {...props} />
}
