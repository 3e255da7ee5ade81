import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router-dom'
import { formatPoints, UNKNOWN } from '../../../../folding/text/format.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { unitCountsText } from '../../../../folding/client/unit-counts.ts'
import { clientResources } from '../../../../folding/client/client.ts'
import { shortResources } from '../../../../folding/client/resources.ts'
import {
  hasData,
  isTooOldForActions,
  selectAddress,
  selectData,
  selectId,
  selectAsOf,
  selectName,
  selectPpd,
  selectTitle,
  selectVersion,
} from '../../../../machines/connection/client/client.selectors.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import { RelativeTime } from '../../../parts/display/relative-time.tsx'
import { Value } from '../../../parts/display/value.tsx'
import { SelectBox } from '../selection/select-box.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { FoldControls } from '../client/fold-controls.tsx'
import { ClientBadges } from '../client/client-badges.tsx'
import styles from './client-header.module.css'
import { ClientMenu } from '../client/client-menu.tsx'
import { ClientTags } from '../client/client-tags.tsx'

/** Of the data of a client that is not connected. */
export function Age() {
  const asOf = useClientSelector(selectAsOf)
  if (asOf === undefined) return null
  return (
    <span className="quiet type-2">
      <Trans>
        as of <RelativeTime at={asOf} />
      </Trans>
    </span>
  )
}

/** Its resources, version and, unless that is an id and there is no room, its identity. */
export function Facts({ hasId = false }: { readonly hasId?: boolean }) {
  const title = useClientSelector(selectTitle)
  const name = useClientSelector(selectName)
  const version = useClientSelector(selectVersion)
  const address = useClientSelector(selectAddress)
  const resources = useClientSelector(snapshot => clientResources(selectData(snapshot)))
  const isKnown = useClientSelector(hasData)
  return (
    <p className={styles['facts']}>
      {isKnown ? (
        <bdi className={styles['resources']} title={resources}>
          {shortResources(resources)}
        </bdi>
      ) : undefined}
      {version === undefined ? undefined : <span>v{version}</span>}
      {title === name || (address === undefined && !hasId) ? undefined : (
        <bdi className={styles['identity']} title={title}>
          {title}
        </bdi>
      )}
    </p>
  )
}

/** Its points per day. */
export function Ppd() {
  const ppd = useClientSelector(selectPpd)
  const isOnline = useClientSelector(snapshot => snapshot.hasTag('connected'))
  return (
    <span className={styles['ppd']}>
      <Value>{isOnline ? formatPoints(ppd) : UNKNOWN}</Value>
      <span className={styles['unit']}> PPD</span>
    </span>
  )
}

/** What the units of a collapsed panel do: '2 running, 1 paused'. */
function UnitCounts() {
  const text = useClientSelector(({ context: { report } }) =>
    report?.isConnected === true ? unitCountsText(report.summary) : undefined,
  )
  return text === undefined ? null : <span className="quiet type-2">{text}</span>
}

type Props = {
  readonly headingId: string
  readonly isCollapsed: boolean
  /** Collapses or expands the panel; undefined where it cannot be. */
  readonly onToggle: (() => void) | undefined
}

/** The client's name, badges, resources, controls and menu; one line while its panel is collapsed. */
export function ClientHeader({ headingId, isCollapsed, onToggle }: Props) {
  const name = useClientSelector(selectName)
  const id = useClientSelector(selectId)
  const isTooOld = useClientSelector(isTooOldForActions)
  return (
    <header className={styles['header']}>
      <div className={styles['names']}>
        <div className={styles['line']}>
          {onToggle === undefined ? undefined : (
            <button
              type="button"
              aria-expanded={!isCollapsed}
              aria-label={t`Work units of ${name}`}
              className={styles['toggle']}
              onClick={onToggle}
            >
              <Icon name={isCollapsed ? 'chevron-right' : 'chevron-down'} />
            </button>
          )}
          <SelectBox id={id} name={name} />
          <h2 id={headingId} className={styles['name']} title={name}>
            <Link to={`/${pathPart(id)}`}>
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <ClientBadges />
          <Age />
          {isCollapsed ? <UnitCounts /> : <ClientTags />}
        </div>
        {isCollapsed ? undefined : <Facts />}
      </div>
      {isTooOld ? undefined : <FoldControls name={name} />}
      <Ppd />
      <ClientMenu />
    </header>
  )
}
