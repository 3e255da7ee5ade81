import { Trans } from '@lingui/react/macro'
import { formatPoints, UNKNOWN } from '../../../../folding/shared/format.ts'
import { clientResources } from '../../../../folding/machine/client.ts'
import { shortResources } from '../../../../folding/machine/resources.ts'
import {
  isConnected,
  isTooOldForActions,
  selectLostAt,
  selectName,
  selectTitle,
  selectVersion,
} from '../../../../machines/connection/client/client.selectors.ts'
import { RelativeTime } from '../../../parts/display/relative-time.tsx'
import { Value } from '../../../parts/display/value.tsx'
import { useFact } from '../client-context.ts'
import { FoldControls } from './fold-controls.tsx'
import { MachineBadges } from './machine-badges.tsx'
import styles from './machine-header.module.css'
import { MachineMenu } from './machine-menu.tsx'

const Since = () => {
  const lostAt = useFact(selectLostAt)
  if (lostAt === undefined) return null
  return (
    <span className={styles['since']}>
      <Trans>
        as of <RelativeTime at={lostAt} />
      </Trans>
    </span>
  )
}

const Facts = () => {
  const title = useFact(selectTitle)
  const name = useFact(selectName)
  const version = useFact(selectVersion)
  const resources = useFact(({ context }) => clientResources(context.record.data))
  const knows = useFact(({ context }) => context.record.data !== undefined)
  return (
    <p className={styles['facts']}>
      {knows ? (
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
  const ppd = useFact(({ context }) => context.report?.summary.ppd)
  const isKnown = useFact(isConnected)
  return (
    <span className={styles['ppd']}>
      <Value>{isKnown ? formatPoints(ppd) : UNKNOWN}</Value>
      <span className={styles['unit']}> PPD</span>
    </span>
  )
}

/** What the machine is called and what it is told to do. */
export const MachineHeader = ({ headingId }: { headingId: string }) => {
  const name = useFact(selectName)
  const isTooOld = useFact(isTooOldForActions)
  return (
    <header className={styles['header']}>
      <div className={styles['names']}>
        <div className={styles['line']}>
          <h2 id={headingId} className={styles['name']} title={name}>
            <bdi>{name}</bdi>
          </h2>
          <MachineBadges />
          <Since />
        </div>
        <Facts />
      </div>
      {isTooOld ? undefined : <FoldControls what={name} />}
      <Ppd />
      <MachineMenu />
    </header>
  )
}
