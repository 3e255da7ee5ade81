import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { actionBlocker } from '../../../../folding/client/actions.ts'
import { causeTitle } from '../../../../folding/text/client-words.ts'
import { formatPercent } from '../../../../folding/text/format.ts'
import { projectKey } from '../../../../folding/shared/resource-keys.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { columnOf } from '../../../../folding/unit/column-sets.ts'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import { finishText, progressOf } from '../../../../folding/unit/unit-cells.ts'
import { projectOf, projectTitle } from '../../../../folding/unit/unit-progress.ts'
import { selectId, selectUnits, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { useClientAt, useClientSelector } from '../../../hooks/client-context.ts'
import { useIdle } from '../../../hooks/use-idle.ts'
import { useResource } from '../../../hooks/use-resource.ts'
import { ButtonLink } from '../../../parts/actions/button-link.tsx'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { MoleculePicture } from '../../molecule/molecule-picture.tsx'
import type { GroupUnitsProps } from '../../machines/panels/group-section.tsx'
import { keysOf, selectUnitOrder } from '../../machines/units/unit-access.ts'
import { isMovingNow, UnitBar, UnitCell } from '../../machines/units/unit-cell.tsx'
import { UnitMenu } from '../../machines/units/unit-menu.tsx'
import { UnitNotice } from '../../machines/units/unit-notice.tsx'
import { useUnitAt } from '../../machines/units/use-unit.ts'
import styles from './unit-card.module.css'

const ProcessorButtons = lazyComponent(
  () => import('../../../later.ts').then(m => m.ProcessorButtons),
  t`GPUs and CPUs`,
)

const status = columnOf('status')
const resources = columnOf('resources')
const eta = columnOf('eta')
const tpf = columnOf('tpf')
const ppd = columnOf('ppd')

type Props = { readonly unit: string }

/** The project, which leads to the page of the unit, and what computes it for which cause. */
function Title({ unit }: Props) {
  const id = useUnitAt(unit, found => found.id)
  const project = useUnitAt(unit, projectOf)
  const where = useUnitAt(unit, resources.text)
  const { value } = useResource(project === undefined ? undefined : projectKey(project))
  const cause = value?.cause
  const name = projectTitle(project)
  return (
    <div className="shrink">
      {id === undefined ? (
        <span className={styles['project']}>{name}</span>
      ) : (
        <Link to={`/unit/${pathPart(id)}`} className={styles['project']}>
          {name}
        </Link>
      )}
      <p className={styles['quiet']}>
        <bdi>{where}</bdi>
        {cause === undefined || cause === '' ? undefined : (
          <>
            {' · '}
            <bdi>{causeTitle(cause)}</bdi>
          </>
        )}
      </p>
    </div>
  )
}

function Fact({ unit, column }: Props & { readonly column: UnitColumn }) {
  return (
    <span className={styles['fact']}>
      <UnitCell unit={unit} column={column} /> <abbr title={column.hint}>{column.title}</abbr>
    </span>
  )
}

/** While it runs: its state and speed. */
function Facts({ unit }: Props) {
  const isRunning = useUnitAt(unit, isMovingNow) ?? false
  return (
    <div className="row between gap-1-4">
      {isRunning ? <UnitCell unit={unit} column={status} /> : undefined}
      <Fact unit={unit} column={tpf} />
      <Fact unit={unit} column={ppd} />
    </div>
  )
}

/** How long it takes until the unit is ready, when that is, and how far it is. */
function Progress({ unit }: Props) {
  const share = useUnitAt(unit, progressOf)
  const isRunning = useUnitAt(unit, isMovingNow) ?? false
  return (
    <div className={styles['progress']}>
      <span className={styles['left']}>
        {isRunning ? <Fact unit={unit} column={eta} /> : <UnitCell unit={unit} column={status} />}
      </span>
      <span className={styles['percent']}>{formatPercent(share)}</span>
      <span className={styles['quiet']}>{useUnitAt(unit, finishText)}</span>
      <UnitBar unit={unit} />
    </div>
  )
}

/** Comes after everything else: until then, and without an id, there is room for it. */
function Picture({ unit }: Props) {
  const client = useClientSelector(selectId)
  const id = useUnitAt(unit, found => found.id)
  const isIdle = useIdle()
  return (
    <div className={styles['picture']}>
      {id === undefined || !isIdle ? (
        <Icon name="molecule" />
      ) : (
        <MoleculePicture client={client} unit={id} className={styles['molecule']} />
      )}
    </div>
  )
}

/** Buttons for what computes the unit. Where there are other units, there is room for them from the start. */
function Processor({ unit }: Props) {
  const isIdle = useIdle()
  const hasOthers = useClientSelector(snapshot => selectUnits(snapshot).length > 1)
  return (
    <div className={styles['processor']} data-roomy={hasOthers}>
      {isIdle ? <ProcessorButtons unit={unit} /> : undefined}
    </div>
  )
}

const UnitCard = memo(({ unit }: Props) => (
  <li className={styles['card']}>
    <Picture unit={unit} />
    <div className={styles['body']}>
      <div className={styles['head']}>
        <Title unit={unit} />
        <UnitMenu unit={unit} />
      </div>
      <Progress unit={unit} />
      <Facts unit={unit} />
      <UnitNotice unit={unit} className={styles['notice']} />
      <Processor unit={unit} />
    </div>
  </li>
))
UnitCard.displayName = 'UnitCard'

/** Why there are no units, and where that is changed. */
function Idle({ text }: { readonly text: string }) {
  const id = useClientSelector(selectId)
  const can = useClientSelector(snapshot => actionBlocker('log', selectView(snapshot)) === undefined)
  return (
    <div className={styles['idle']}>
      <Icon name="units" />
      <p>{text}</p>
      {can ? (
        <div className={styles['ways']}>
          <ButtonLink icon="settings" to={`/${pathPart(id)}/settings`}>{t`Settings`}</ButtonLink>
          <ButtonLink icon="log" to={`/${pathPart(id)}/log`}>{t`Log`}</ButtonLink>
        </div>
      ) : undefined}
    </div>
  )
}

/** The units of one group beside each other. */
export function UnitCards({ group, label, idle }: GroupUnitsProps) {
  const units = keysOf(useClientAt(selectUnitOrder(group, undefined, undefined)))
  if (units.length === 0) return <Idle text={idle} />
  return (
    <ul aria-label={label} className={styles['cards']}>
      {units.map(unit => (
        <UnitCard key={unit} unit={unit} />
      ))}
    </ul>
  )
}
