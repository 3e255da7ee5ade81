import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { clientPoints, pointsByDay, type DayPoints, shareText } from '../../../../folding/fleet/ppd-history.ts'
import { chosenLocales, formatCompact, formatPoints, UNKNOWN } from '../../../../folding/text/format.ts'
import { formatDate } from '../../../../folding/text/times.ts'
import { selectId } from '../../../../machines/connection/client/client.selectors.ts'
import { isHistoryComing } from '../../../../machines/units/history/history.selectors.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { useFleetPoints } from '../../../hooks/use-ppd-history.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { Section } from '../../section.tsx'
import { estimateText } from '../../machines/charts/estimate-text.ts'
import styles from './machine-points.module.css'

const DAYS = 7

const LONGEST_NAME = 5
const shortNames = new Intl.DateTimeFormat(chosenLocales(), { weekday: 'short' })
const narrowNames = new Intl.DateTimeFormat(chosenLocales(), { weekday: 'narrow' })

/** In languages that do not shorten them, as Persian, names do not fit below a bar. */
function weekdayNames(days: readonly DayPoints[]): Intl.DateTimeFormat {
  return days.every(({ from }) => shortNames.format(from).length <= LONGEST_NAME) ? shortNames : narrowNames
}

/** A number and its word, of which each may have its line: Korean has no space between them. */
function barLabel(points: number): string {
  return formatCompact(points)
    .replaceAll('\u00a0', ' ')
    .replace(/(?<=\d)(?=\p{L})/u, '\u200b')
}

const RADIUS = 45
const AROUND = 2 * Math.PI * RADIUS

/** Today's points as a share of those of a usual day: a ring that closes, and the share as text. */
function OfUsual({ share: part }: { readonly share: number }) {
  const share = shareText(part)
  return (
    <span className={styles['share']}>
      <svg viewBox="0 0 100 100" className={styles['ring']} aria-hidden="true" focusable="false">
        <circle cx="50" cy="50" r={RADIUS} />
        {part > 0 ? (
          <circle cx="50" cy="50" r={RADIUS} strokeDasharray={`${AROUND * Math.min(1, part)} ${AROUND}`} />
        ) : undefined}
      </svg>
      {t`${share} of usual`}
    </span>
  )
}

type WeekProps = { readonly days: readonly DayPoints[]; readonly usual: number | undefined }

/** The points of each day as a bar. */
function Week({ days, usual }: WeekProps) {
  const most = Math.max(1, usual ?? 0, ...days.map(({ points }) => points))
  const names = weekdayNames(days)
  return (
    <div dir="ltr" className={styles['week']}>
      {usual === undefined ? undefined : (
        <span className={styles['line']}>
          <span className={styles['usual']} style={{ insetBlockEnd: `${(usual / most) * 100}%` }} />
        </span>
      )}
      <ol className={styles['days']} aria-label={t`Last 7 days`}>
        {days.map(({ from, points }) => (
          <li key={from} className={styles['day']} title={`${formatDate(from)}: ${formatPoints(points)}`}>
            <bdi className={styles['value']}>{points > 0 ? barLabel(points) : undefined}</bdi>
            <span className={styles['bar']} style={{ blockSize: `${(points / most) * 100}%` }} />
            <span className={styles['name']}>{names.format(from)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Points of the client today and in the last seven days, estimated from its units. */
export function MachinePoints() {
  const id = useClientSelector(selectId)
  const { spans, clients, until } = useFleetPoints(useMemo(() => [id], [id]))
  const isComing = useSelector(useSystem().history, isHistoryComing)
  const days = useMemo(() => pointsByDay(spans, until, DAYS), [spans, until])
  const ended = clients[0]?.ended
  const usual = ended === undefined ? undefined : clientPoints(ended, until).usualPpd
  const isKnown = ended !== undefined || (spans.length > 0 && !isComing)
  const today = days.at(-1)?.points ?? 0
  return (
    <Section title={t`Points`} className="content-start">
      <dl className={styles['figures']}>
        <div>
          <dt>{t`Today`}</dt>
          <dd>
            {isKnown ? formatPoints(today) : UNKNOWN}
            {usual === undefined ? undefined : <OfUsual share={today / usual} />}
          </dd>
        </div>
        <div>
          <dt>{t`Last 7 days`}</dt>
          <dd>{isKnown ? formatPoints(days.reduce((sum, { points }) => sum + points, 0)) : UNKNOWN}</dd>
        </div>
      </dl>
      <Week days={days} usual={usual} />
      <p className="quiet type-2 pretty">{estimateText(usual !== undefined)}</p>
    </Section>
  )
}
