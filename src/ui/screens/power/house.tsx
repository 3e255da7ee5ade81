import { t } from '@lingui/core/macro'
import type { HouseEnergy, HouseTime } from '../../../folding/power/house.ts'
import type { Origin } from '../../../folding/power/power.ts'
import { formatKwh, formatWatts, withOrigin } from '../../../folding/power/power-text.ts'
import { formatWholePercent, UNKNOWN } from '../../../folding/text/format.ts'
import { formatRelative } from '../../../folding/text/times.ts'
import { useClock } from '../../hooks/system-context.ts'
import { Section } from '../section.tsx'
import { Figure } from './figure.tsx'
import styles from './power.module.css'

function shareText(share: number | undefined, origin: Origin | null | undefined): string {
  const text = share === undefined ? UNKNOWN : withOrigin(formatWholePercent(share), origin)
  return t`machines: ${text}`
}

function timeNotes({ knownShare, share }: HouseTime, origin: Origin | undefined): readonly string[] {
  const part = formatWholePercent(knownShare)
  return [shareText(share, origin), ...(knownShare > 0.99 ? [] : [t`known for ${part} of the time`])]
}

type Props = {
  readonly house: HouseEnergy
  /** Of the figures of the machines. */
  readonly origin: Origin | undefined
}

/** What the meters of the house say, and the share of the machines. */
export function House({ house: { watts, at, share, today, month }, origin }: Props) {
  const lastReading = useClock(now => (at === undefined ? undefined : t`Last heard ${formatRelative(at, now)}`))
  const figureOf = (label: string, time: HouseTime) => (
    <Figure
      label={label}
      value={formatKwh(time.used.seconds === 0 ? undefined : time.used.wattHours)}
      notes={time.used.seconds === 0 ? [] : timeNotes(time, origin)}
    />
  )
  const isTooMuch = [share, today.share, month.share].some(part => part !== undefined && part > 1)
  return (
    <Section title={t`House meter`} note={t`What the house draws, and the share of the machines in it.`}>
      <div className={styles['panel']}>
        <dl className={styles['figures']}>
          <Figure
            label={t`Watts now`}
            value={formatWatts(watts)}
            notes={watts === undefined && lastReading !== undefined ? [lastReading] : [shareText(share, origin)]}
          />
          {figureOf(t`Today`, today)}
          {figureOf(t`This month`, month)}
        </dl>
        {isTooMuch ? (
          <p className="prose quiet type-2 pretty">
            {t`The machines seem to draw more than the house: a guess is too high, some are elsewhere, or solar power provides the rest.`}
          </p>
        ) : undefined}
      </div>
    </Section>
  )
}
