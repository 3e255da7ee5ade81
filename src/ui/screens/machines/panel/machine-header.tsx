import { Trans } from '@lingui/react/macro'
import { formatPoints, UNKNOWN } from '../../../../folding/shared/format.ts'
import { clientResources } from '../../../../folding/machine/client.ts'
import { shortResources } from '../../../../folding/machine/resources.ts'
import {
  hasData,
  isConnected,
  isTooOldForActions,
  selectData,
  selectId,
  selectLostAt,
  selectName,
  selectPpd,
  selectTitle,
  selectVersion,
} from '../../../../machines/connection/client/client.selectors.ts'
import { RelativeTime } from '../../../parts/display/relative-time.tsx'
import { Value } from '../../../parts/display/value.tsx'
import { SelectBox } from '../bulk/select-box.tsx'
import { useClientSelector } from '../client-context.ts'
import { FoldControls } from './fold-controls.tsx'
import { MachineBadges } from './machine-badges.tsx'
import styles from './machine-header.module.css'
import { MachineMenu } from './machine-menu.tsx'

const LostAge = () => {
  const lostAt = useClientSelector(selectLostAt)
  if (lostAt === undefined) return null
  return (
    <span className={styles['age']}>
      <Trans>
        as of <RelativeTime at={lostAt} />
      </Trans>
    </span>
  )
}

const Facts = () => {
  const title = useClientSelector(selectTitle)
  const name = useClientSelector(selectName)
  const version = useClientSelector(selectVersion)
  const resources = useClientSelector(snapshot => clientResources(selectData(snapshot)))
  const isKnown = useClientSelector(hasData)
  return (
    <p className={styles['facts']}>
      {isKnown ? (
        <span className={styles['resources']} title={resources}>
          {shortResources(resources)}
        </span>
      ) : undefined}
      {version === undefined ? undefined : <span>v{version}</span>}
      {title === name ? undefined : (
        <span className={styles['identity']} title={title}>
          {title}
        </span>
      )}
    </p>
  )
}

const Ppd = () => {
  const ppd = useClientSelector(selectPpd)
  const isOnline = useClientSelector(isConnected)
  return (
    <span className={styles['ppd']}>
      <Value>{isOnline ? formatPoints(ppd) : UNKNOWN}</Value>
      <span className={styles['unit']}> PPD</span>
    </span>
  )
}

/** The machine's name, badges, resources, controls and menu. */
export const MachineHeader = ({ headingId }: { headingId: string }) => {
  const name = useClientSelector(selectName)
  const id = useClientSelector(selectId)
  const isTooOld = useClientSelector(isTooOldForActions)
  return (
    <header className={styles['header']}>
      <div className={styles['names']}>
        <div className={styles['line']}>
          <SelectBox id={id} name={name} />
          <h2 id={headingId} className={styles['name']} title={name}>
            <bdi>{name}</bdi>
          </h2>
          <MachineBadges />
          <LostAge />
        </div>
        <Facts />
      </div>
      {isTooOld ? undefined : <FoldControls name={name} />}
      <Ppd />
      <MachineMenu />
    </header>
  )
}
