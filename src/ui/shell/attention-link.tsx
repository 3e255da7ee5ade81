import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { Link } from 'react-router-dom'
import { hasGraveIncident, selectAttentionCount } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './attention-link.module.css'
import { formatNumber } from '../../folding/text/format.ts'

const MOST_SHOWN = 99

/** Leads to what needs a person; with the number of open incidents. */
export function AttentionLink() {
  const { incidents } = useSystem()
  const count = useSelector(incidents, selectAttentionCount)
  const isGrave = useSelector(incidents, hasGraveIncident)
  const label =
    count === 0 ? t`Attention` : plural(count, { one: 'Attention: # incident', other: 'Attention: # incidents' })
  return (
    <Link to="/attention" title={label} className={styles['link']} data-grave={isGrave}>
      <Icon name="attention" />
      {count === 0 ? undefined : (
        <span aria-hidden="true" className={styles['count']}>
          {count > MOST_SHOWN ? `${formatNumber(MOST_SHOWN)}+` : formatNumber(count)}
        </span>
      )}
    </Link>
  )
}
