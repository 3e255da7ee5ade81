import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { Button } from 'react-aria-components/Button'
import { badgeAppearance, badgeText, type BadgeKey } from '../../../../folding/machine/badges.ts'
import {
  isDirect,
  selectBadges,
  selectEnvironment,
  selectView,
} from '../../../../machines/connection/client/client.selectors.ts'
import { Badge } from '../../../parts/display/badge.tsx'
import { useTouchTooltip, WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useClient, useClientAt, useClientSelector } from '../client-context.ts'
import { useIsRelayPending } from '../fleet/use-not-connected.ts'
import styles from './machine-badges.module.css'

const CLIENT_DOWNLOAD = 'https://foldingathome.org/start-folding/'

/** The tooltip of a badge: its reason and what to do. Computed only while it is open. */
const Explanation = ({ badge }: { badge: BadgeKey }) =>
  useClientAt((snapshot, now) => {
    const { account, latestVersion: latest } = selectEnvironment(snapshot)
    const { reason, remedy } = badgeText(badge, selectView(snapshot), { account, latest, now })
    return `${reason}\n${remedy}`
  })

const MachineBadge = ({ badge }: { badge: BadgeKey }) => {
  const { onPress, ...openness } = useTouchTooltip()
  const { label, icon, tone } = badgeAppearance(badge)
  return (
    <WithTooltip {...openness} text={<Explanation badge={badge} />} delay={200}>
      <Button className={styles['badge'] ?? ''} onPress={onPress}>
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      </Button>
    </WithTooltip>
  )
}

/** A machine of the account is loading, not disconnected, until its relay has answered. */
const whilePending = (badges: readonly BadgeKey[]): readonly BadgeKey[] =>
  badges.map(badge => (badge === 'disconnected' ? 'loading' : badge))

/** The machine's badges (docs/product.md §4), explained on hover and focus. */
export const MachineBadges = () => {
  const known = useSelector(useClient(), selectBadges)
  const isRelayed = useClientSelector(snapshot => !isDirect(snapshot))
  const badges = useIsRelayPending() && isRelayed ? whilePending(known) : known
  if (badges.length === 0) return null
  return (
    <span className={styles['badges']}>
      {badges.map(badge => (
        <MachineBadge key={badge} badge={badge} />
      ))}
      {badges.includes('outdated') ? (
        <a className={styles['download']} href={CLIENT_DOWNLOAD} target="_blank" rel="noopener noreferrer">
          {t`Download`}
        </a>
      ) : undefined}
    </span>
  )
}
