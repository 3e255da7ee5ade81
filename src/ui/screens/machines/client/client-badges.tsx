import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { badgeAppearance, badgeText, type BadgeKey } from '../../../../folding/client/badges.ts'
import { selectBadges, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { Pressable } from '../../../parts/actions/button.tsx'
import { Badge } from '../../../parts/display/badge.tsx'
import { useClient, useClientAt } from '../../../hooks/client-context.ts'
import { useIsAwaited } from '../../../hooks/use-relay-pending.ts'
import styles from './client-badges.module.css'

const CLIENT_DOWNLOAD = 'https://foldingathome.org/start-folding/'

/** The tooltip of a badge: its reason and what to do. Computed only while it is open. */
function Explanation({ badge }: { badge: BadgeKey }) {
  return useClientAt((snapshot, now) => {
    const { account, latestVersion: latest } = snapshot.context.environment
    const { reason, remedy } = badgeText(badge, selectView(snapshot), { account, latest, now })
    return `${reason}\n${remedy}`
  })
}

function ClientBadge({ badge }: { badge: BadgeKey }) {
  const { label, icon, tone } = badgeAppearance(badge)
  return (
    <Pressable
      className={styles['badge']}
      tooltip={{ text: <Explanation badge={badge} />, delay: 200, staysOnPress: true }}
    >
      <Badge tone={tone} icon={icon}>
        {label}
      </Badge>
    </Pressable>
  )
}

/** A client of the account is loading, not disconnected, until its relay has answered. */
function whilePending(badges: readonly BadgeKey[]): readonly BadgeKey[] {
  return badges.map(badge => (badge === 'disconnected' || badge === 'left-over' ? 'loading' : badge))
}

/** The client's badges (docs/product.md §4), explained on hover and focus. */
export function ClientBadges() {
  const allBadges = useSelector(useClient(), selectBadges)
  const badges = useIsAwaited() ? whilePending(allBadges) : allBadges
  if (badges.length === 0) return null
  return (
    <span className="inline-flex wrap align-center gap-1">
      {badges.map(badge => (
        <ClientBadge key={badge} badge={badge} />
      ))}
      {badges.includes('outdated') ? (
        <a className={styles['download']} href={CLIENT_DOWNLOAD} target="_blank" rel="noopener noreferrer">
          {t`Download`}
        </a>
      ) : undefined}
    </span>
  )
}
