import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { Button } from 'react-aria-components/Button'
import { badgeLook, badgeWords, type BadgeKey } from '../../../../folding/machine/badges.ts'
import { selectBadges, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { Badge } from '../../../parts/display/badge.tsx'
import { useTouchTooltip, WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useClient, useMoment } from '../client-context.ts'
import styles from './machine-badges.module.css'

const CLIENT_DOWNLOAD = 'https://foldingathome.org/start-folding/'

/** Why the badge is there and what to do, made out only while it is shown. */
const Words = ({ badge }: { badge: BadgeKey }) =>
  useMoment((snapshot, now) => {
    const { account, latestVersion: latest } = snapshot.context.environment
    const { why, todo } = badgeWords(badge, selectView(snapshot), { account, latest, now })
    return `${why}\n${todo}`
  })

const MachineBadge = ({ badge }: { badge: BadgeKey }) => {
  const { onPress, ...openness } = useTouchTooltip()
  const { word, icon, tone } = badgeLook(badge)
  return (
    <WithTooltip {...openness} text={<Words badge={badge} />} delay={200}>
      <Button className={styles['badge'] ?? ''} onPress={onPress}>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </Button>
    </WithTooltip>
  )
}

/** What is worth a second look; why, on hover and focus. */
export const MachineBadges = () => {
  const badges = useSelector(useClient(), selectBadges)
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
