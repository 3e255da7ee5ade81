import { t } from '@lingui/core/macro'
import { preview, type Conditions, type Segment } from '../../../folding/schedule/decide.ts'
import { longDayName, shortDayName, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { daysFrom } from '../../../folding/schedule/spans.ts'
import { formatClock } from '../../../folding/shared/times.ts'
import { useClock } from '../../hooks/system-context.ts'
import styles from './schedules.module.css'
import { formatList, localDigits } from '../../../folding/shared/format.ts'

const HOUR_MS = 3_600_000
const DAYS = 7

type Part = Segment & { readonly share: number }
type Day = { readonly date: string; readonly parts: readonly Part[] }

/** What is decided on each of the next days, if inputs stay as they are. */
const daysOf = (
  schedules: readonly Schedule[],
  conditions: Conditions,
  now: number,
  timeZone: string,
): readonly Day[] => {
  const days = daysFrom(now, timeZone, DAYS)
  const segments = preview(schedules, conditions, days[0]?.begin ?? now, days.at(-1)?.end ?? now)
  return days.map(({ date, begin, end }) => ({
    date,
    parts: segments
      .filter(segment => segment.begin < end && segment.end > begin)
      .map(segment => {
        const [from, until] = [Math.max(begin, segment.begin), Math.min(end, segment.end)]
        return { ...segment, begin: from, end: until, share: (until - from) / (end - begin) }
      }),
  }))
}

const weekdayOf = (date: string): number => ((new Date(date).getUTCDay() + 6) % 7) + 1
const timesOf = ({ begin, end }: Segment, timeZone: string): string =>
  `${formatClock(begin, { timeZone })}–${formatClock(end, { timeZone })}`

type Props = {
  readonly schedules: readonly Schedule[]
  readonly conditions: Conditions
  readonly timeZone: string
  /** What is said of times for which these schedules decide nothing. */
  readonly undecided: string
}

/** The next seven days as bars, one a day, in the time zone of the schedule. */
export const WeekPreview = ({ schedules, conditions, timeZone, undecided }: Props) => {
  const nameOf = ({ state }: Segment): string => (state === undefined ? undecided : stateNames[state])
  const now = useClock(at => Math.floor(at / HOUR_MS) * HOUR_MS)
  const days = daysOf(schedules, conditions, now, timeZone)
  return (
    <figure className={styles['preview']}>
      <figcaption className={styles['quiet']}>{t`The next seven days, in the time zone ${timeZone}`}</figcaption>
      <ol dir="ltr" className={styles['days']}>
        {days.map(({ date, parts }) => (
          <li key={date} className={styles['day']}>
            <span className={styles['dayName']} title={date}>
              {shortDayName(weekdayOf(date))}
            </span>
            <span
              role="img"
              className={styles['bar']}
              aria-label={`${longDayName(weekdayOf(date))}: ${formatList(parts.map(part => `${nameOf(part)} ${timesOf(part, timeZone)}`))}`}
            >
              {parts.map(part => (
                <span
                  key={part.begin}
                  className={styles['part']}
                  data-state={part.state ?? 'none'}
                  title={`${nameOf(part)} ${timesOf(part, timeZone)}`}
                  style={{ inlineSize: `${part.share * 100}%` }}
                >
                  {part.share > 0.12 ? nameOf(part) : undefined}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
      <div dir="ltr" className={styles['hours']} aria-hidden="true">
        {['00', '06', '12', '18', '24'].map(hour => (
          <span key={hour}>{localDigits(hour)}</span>
        ))}
      </div>
    </figure>
  )
}
