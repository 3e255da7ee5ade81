import { t } from '@lingui/core/macro'
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
import { AsOf } from '../../../parts/display/as-of.tsx'
import { Value } from '../../../parts/display/value.tsx'
import { SelectBox } from '../selection/select-box.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { FoldControls } from './fold-controls.tsx'
import { ClientBadges } from './client-badges.tsx'
import styles from './client-head.module.css'
import { ClientMenu } from './client-menu.tsx'
import { ClientTags } from './client-tags.tsx'

/** Of the data of a client that is not connected. */
function Age() {
  const asOf = useClientSelector(selectAsOf)
  return asOf === undefined ? null : <AsOf at={asOf} />
}

/** Its resources, version and, unless that is an id and there is no room, its identity. */
function Facts({ hasId }: { readonly hasId: boolean }) {
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
function Ppd() {
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
  /** On the client's own page, in its panel, or as the one line of a panel that is collapsed. */
  readonly density: 'page' | 'panel' | 'line'
  readonly Heading?: 'h1' | 'h2'
  readonly headingId?: string | undefined
  /** Collapses or expands the panel; undefined where it cannot be. */
  readonly onToggle?: (() => void) | undefined
}

/** The client's name, badges, resources, points per day, controls and menu. */
export function ClientHead({ density, Heading = 'h2', headingId, onToggle }: Props) {
  const name = useClientSelector(selectName)
  const id = useClientSelector(selectId)
  const isTooOld = useClientSelector(isTooOldForActions)
  const isPage = density === 'page'
  return (
    <header className={styles[isPage ? 'page' : 'panel']}>
      <div className={styles['names']}>
        <div className={styles['line']}>
          {onToggle === undefined ? undefined : (
            <button
              type="button"
              aria-expanded={density !== 'line'}
              aria-label={t`Work units of ${name}`}
              className={styles['toggle']}
              onClick={onToggle}
            >
              <Icon name={density === 'line' ? 'chevron-right' : 'chevron-down'} />
            </button>
          )}
          {isPage ? undefined : <SelectBox id={id} name={name} />}
          <Heading id={headingId} tabIndex={isPage ? -1 : undefined} className={styles['name']} title={name}>
            {isPage ? (
              <bdi>{name}</bdi>
            ) : (
              <Link to={`/${pathPart(id)}`}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </Heading>
          <ClientBadges />
          <Age />
          {density === 'line' ? <UnitCounts /> : <ClientTags />}
        </div>
        {density === 'line' ? undefined : <Facts hasId={isPage} />}
      </div>
      <Ppd />
      {isTooOld ? undefined : (
        <div className={styles[isPage ? 'actions' : 'controls']}>
          <FoldControls name={name} hasWords={isPage} />
        </div>
      )}
      <ClientMenu />
    </header>
  )
}
