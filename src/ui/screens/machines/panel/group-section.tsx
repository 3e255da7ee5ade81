import { t } from '@lingui/core/macro'
import {
  failedText,
  groupResources,
  groupTitle,
  groupTrouble,
  whyGroupIsIdle,
} from '../../../../folding/machine/group.ts'
import { shortResources } from '../../../../folding/machine/resources.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  isConnected,
  isTooOldForActions,
  selectGroup,
  selectName,
} from '../../../../machines/connection/client/client.selectors.ts'
import { failureLogPath } from '../../log/log-path.ts'
import { Link } from '../../../parts/actions/link.tsx'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import tones from '../../../parts/display/tones.module.css'
import { useFact, useMoment } from '../client-context.ts'
import { UnitList } from '../units/unit-list.tsx'
import { FoldControls } from './fold-controls.tsx'
import styles from './group-section.module.css'

const NOTHING_TO_DO = t`No work units.`

const idleWords =
  (name: string) =>
  (snapshot: ClientSnapshot, now: number): string => {
    if (!isConnected(snapshot)) return NOTHING_TO_DO
    const reason = whyGroupIsIdle(selectGroup(name)(snapshot), snapshot.context.record.data?.info, now)
    return reason === undefined ? NOTHING_TO_DO : `${NOTHING_TO_DO} ${reason}`
  }

const Trouble = ({ name }: { name: string }) => {
  const trouble = useFact(snapshot => groupTrouble(selectGroup(name)(snapshot)))
  const failed = useFact(snapshot => failedText(selectGroup(name)(snapshot)))
  const machine = useFact(({ context }) => context.id)
  if (trouble === 'none') return null
  return (
    <p className={classNames(styles['trouble'], tones[trouble === 'error' ? 'failed' : 'warning'])}>
      <Icon name={trouble === 'error' ? 'fail' : 'warning'} />
      <span>
        {failed ?? t`More than one work unit failed in a row.`}{' '}
        <Link to={failureLogPath(machine)}>{t`See why in the log`}</Link>
      </span>
    </p>
  )
}

const GroupHeader = ({ name }: { name: string }) => {
  const machine = useFact(selectName)
  const isTooOld = useFact(isTooOldForActions)
  const resources = useFact(snapshot => groupResources(selectGroup(name)(snapshot), snapshot.context.record.data?.info))
  return (
    <header className={styles['header']}>
      <h3 className={styles['name']} title={groupTitle(name)}>
        <bdi>{groupTitle(name)}</bdi>
      </h3>
      <span className={styles['resources']} title={resources}>
        {shortResources(resources)}
      </span>
      {isTooOld ? undefined : <FoldControls group={name} what={`${groupTitle(name)} on ${machine}`} />}
    </header>
  )
}

type Props = { readonly name: string; readonly isHeaded: boolean }

/** One resource group: its heading where a machine has several, what is wrong, its units. */
export const GroupSection = ({ name, isHeaded }: Props) => {
  const machine = useFact(selectName)
  const idle = useMoment(idleWords(name))
  return (
    <div className={styles['group']}>
      {isHeaded ? <GroupHeader name={name} /> : undefined}
      <Trouble name={name} />
      <UnitList group={name} label={isHeaded ? `${machine}, ${groupTitle(name)}` : machine} idle={idle} />
    </div>
  )
}
