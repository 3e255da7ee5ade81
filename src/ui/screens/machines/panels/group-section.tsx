import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import {
  groupResources,
  groupTitle,
  groupTitleOf,
  groupProblem,
  groupProblemText,
  groupIdleReason,
} from '../../../../folding/client/group.ts'
import { groupHoldupText } from '../../../../folding/client/group-holdup.ts'
import { shortResources } from '../../../../folding/client/resources.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  isTooOldForActions,
  selectData,
  selectGroup,
  selectId,
  selectInfo,
  selectName,
} from '../../../../machines/connection/client/client.selectors.ts'
import type { Condition } from '../../../../folding/incidents/incident.ts'
import { failureLogPath } from '../../log/log-path.ts'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import tones from '../../../parts/display/tones.module.css'
import { useClientSelector, useClientAt, useLogTime } from '../../../hooks/client-context.ts'
import { useIdle } from '../../../hooks/use-idle.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { FoldControls } from '../client/fold-controls.tsx'
import styles from './group-section.module.css'

const ProcessorLines = lazyComponent(() => import('../../../later.ts').then(m => m.ProcessorLines), t`GPUs and CPUs`)

const NO_UNITS = t`No work units.`

function idleText(name: string) {
  return (snapshot: ClientSnapshot, now: number): string => {
    if (!snapshot.hasTag('connected')) return NO_UNITS
    const reason = groupIdleReason(selectGroup(name)(snapshot), selectInfo(snapshot), now)
    return reason === undefined ? NO_UNITS : `${NO_UNITS} ${reason}`
  }
}

function failuresOf(name: string) {
  return ({ kind, evidence }: Condition): boolean =>
    (kind === 'stopped' || kind === 'failing') && evidence.group === name
}

function Failures({ name }: { name: string }) {
  const trouble = useClientSelector(snapshot => groupProblem(selectGroup(name)(snapshot)))
  const text = useClientSelector(snapshot => groupProblemText(selectGroup(name)(snapshot)))
  const client = useClientSelector(selectId)
  const at = useLogTime(failuresOf(name))
  if (trouble === 'none') return null
  return (
    <p className={classNames(styles['trouble'], tones[trouble === 'error' ? 'failed' : 'warning'])}>
      <Icon name={trouble === 'error' ? 'fail' : 'warning'} />
      <span>
        {text} <Link to={failureLogPath(client, at)}>{t`See why in the log`}</Link>
      </span>
    </p>
  )
}

function holdupOf(name: string) {
  return (snapshot: ClientSnapshot, now: number): string | undefined =>
    snapshot.hasTag('connected') ? groupHoldupText(name, selectData(snapshot), now) : undefined
}

/** Why it gets no new work although it has units. */
function Holdup({ name }: { name: string }) {
  const text = useClientAt(holdupOf(name))
  if (text === undefined) return null
  return (
    <p className={classNames(styles['trouble'], tones['warning'])}>
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  )
}

function GroupHeader({ name }: { name: string }) {
  const machine = useClientSelector(selectName)
  const title = useClientSelector(snapshot => groupTitleOf(selectInfo(snapshot), name))
  const isTooOld = useClientSelector(isTooOldForActions)
  const resources = useClientSelector(snapshot => groupResources(selectGroup(name)(snapshot), selectInfo(snapshot)))
  return (
    <header className={styles['header']}>
      <h3 className={styles['name']} title={groupTitle(name)}>
        <bdi>{title}</bdi>
      </h3>
      <bdi className={styles['resources']} title={resources}>
        {shortResources(resources)}
      </bdi>
      {isTooOld ? undefined : <FoldControls group={name} name={t`${title} on ${machine}`} />}
    </header>
  )
}

export type GroupUnitsProps = {
  readonly group: string
  readonly label: string
  /** What is said without units. */
  readonly idle: string
}
export type GroupUnits = (props: GroupUnitsProps) => ReactNode

type Props = {
  readonly name: string
  readonly hasHeader: boolean
  /** How its units are shown. */
  readonly Units: GroupUnits
  /** Whether each of its units has buttons for what computes it. */
  readonly hasButtons: boolean
}

/** One resource group: its header if the client has several, its failures and its units. */
export function GroupSection({ name, hasHeader, Units, hasButtons }: Props) {
  const client = useClientSelector(selectName)
  const title = useClientSelector(snapshot => groupTitleOf(selectInfo(snapshot), name))
  const idle = useClientAt(idleText(name))
  const isIdle = useIdle()
  return (
    <div>
      {hasHeader ? <GroupHeader name={name} /> : undefined}
      <Failures name={name} />
      <Holdup name={name} />
      {isIdle ? <ProcessorLines group={name} isWithoutUnits={hasButtons} /> : undefined}
      <Units group={name} label={hasHeader ? `${client}, ${title}` : client} idle={idle} />
    </div>
  )
}
