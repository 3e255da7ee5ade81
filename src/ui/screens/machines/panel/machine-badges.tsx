import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { Button } from 'react-aria-components/Button'
import { badgeLook, badgeWords, type BadgeKey } from '../../../../folding/machine/badges.ts'
import { isDirect, selectBadges, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { Badge } from '../../../parts/display/badge.tsx'
import { useTouchTooltip, WithTooltip } from '../../../parts/overlays/tooltip.tsx'
import { useClient, useFact, useMoment } from '../client-context.ts'
import { useAwaitsRelay } from '../fleet/use-absent.ts'
import styles from './machine-badges.module.css'

const CLIENT_DOWNLOAD = 'https://foldingathome.org/start-folding/'

/** Why the badge is there and what to do, made out only while it is shown. */
const Words = ({ badge }: { badge: BadgeKey }) =>
  useMoment((snapshot, now) => {
    const { account, latestVersion: latest } = snapshot.context.surroundings
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

/** A machine of the account is not out of reach before its relay has been heard. */
const whileAwaited = (badges: readonly BadgeKey[]): readonly BadgeKey[] =>
  badges.map(badge => (badge === 'disconnected' ? 'loading' : badge))

/** What is worth a second look; why, on hover and focus. */
export const MachineBadges = () => {
  const known = useSelector(useClient(), selectBadges)
  const isRelayed = useFact(snapshot => !isDirect(snapshot))
  const badges = useAwaitsRelay() && isRelayed ? whileAwaited(known) : known
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
