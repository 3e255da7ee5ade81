import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { Link } from 'react-router-dom'
import { tagSearch } from '../../../../folding/fleet/tags.ts'
import { selectClientKey } from '../../../../machines/connection/client/client.selectors.ts'
import { selectTagsOf } from '../../../../machines/fleet/tags/tags.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import styles from './client-tags.module.css'

/** The person's tags of the client; each leads to all clients that have it. */
export function ClientTags() {
  const { tags } = useSystem()
  const client = useClientSelector(selectClientKey)
  const clientTags = useSelector(tags, selectTagsOf(client))
  if (clientTags.length === 0) return null
  return (
    <ul className={styles['tags']} aria-label={t`Tags`}>
      {clientTags.map(tag => (
        <li key={tag}>
          <Link to={`/machines${tagSearch(tag)}`} className={styles['tag']} title={t`Show machines with this tag`}>
            <bdi>{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
