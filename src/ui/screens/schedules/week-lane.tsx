import { t } from '@lingui/core/macro'
import { choiceText, longDayName, ruleText, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { Span } from '../../../folding/schedule/spans.ts'
import { bandsWithin, type Band, type RulePart, type Week } from '../../../folding/schedule/week.ts'
import { formatList } from '../../../folding/text/format.ts'
import { formatClock } from '../../../folding/text/times.ts'
import { Icon, type IconName } from '../../parts/icons/icon.tsx'
import styles from './week-picture.module.css'

export type Day = Span & { readonly date: string }

/** Share of the week at which something is, and how long it is. */
function placeOf({ begin, end }: Span, week: Span) {
  return {
    insetInlineStart: `${((begin - week.begin) / (week.end - week.begin)) * 100}%`,
    inlineSize: `${((end - begin) / (week.end - week.begin)) * 100}%`,
  }
}

export function weekdayOf(date: string): number {
  return ((new Date(date).getUTCDay() + 6) % 7) + 1
}

const stateIcons: Readonly<Record<string, IconName>> = { fold: 'run', pause: 'pause', finish: 'finish' }

function timesOf({ begin, end }: Span, timeZone: string): string {
  return `${formatClock(begin, { timeZone })}–${formatClock(end, { timeZone })}`
}

function Grips({ begins, ends }: Pick<Band, 'begins' | 'ends'>) {
  return (
    <>
      {begins ? <span data-grip="begin" className={styles['grip']} /> : undefined}
      {ends ? <span data-grip="end" className={styles['grip']} /> : undefined}
    </>
  )
}

export type LaneProps = {
  readonly name: string
  readonly schedules: readonly Schedule[]
  readonly week: Week
  readonly days: readonly Day[]
  readonly span: Span
  readonly timeZone: string
  /** What is said of times for which nothing is decided. */
  readonly undecided: string
  readonly isDraft: (schedule: string) => boolean
  /** Undefined where nothing may be changed. */
  readonly onOpen: ((schedule: string) => void) | undefined
}

/** What is decided, as one bar. Bands of rules are buttons; all of a rule are one stop of the Tab key. */
function Decided({ week: { bands }, schedules, span, undecided, isDraft, onOpen }: LaneProps) {
  const seen = new Map<string, number>()
  return bands.map(band => {
    const { schedule, rule, state } = band
    const name = state === undefined ? undecided : stateNames[state]
    const why = choiceText(band, schedules)
    const key = `${schedule ?? ''} ${rule ?? ''}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    const common = {
      title: why === undefined ? name : `${name}: ${why}`,
      className: styles['band'],
      style: placeOf(band, span),
      'data-state': state ?? 'none',
      'data-draft': schedule !== undefined && rule !== undefined && isDraft(schedule),
    }
    const content = (
      <>
        {state === undefined ? undefined : <Icon name={stateIcons[state] ?? 'minus'} />}
        <span className={styles['bandText']}>{name}</span>
      </>
    )
    return schedule === undefined || rule === undefined || onOpen === undefined ? (
      <span key={`${key} ${nth}`} {...common} aria-hidden="true">
        {content}
      </span>
    ) : (
      <button
        key={`${key} ${nth}`}
        {...common}
        type="button"
        aria-label={common.title}
        tabIndex={nth === 0 ? 0 : -1}
        data-schedule={schedule}
        data-rule={rule}
        onClick={() => onOpen(schedule)}
      >
        {content}
        <Grips {...band} />
      </button>
    )
  })
}

/** Texts of a thin strip above or below the bar. */
function possibleText({ rule }: RulePart): string {
  const [condition, state] = [ruleText(rule), stateNames[rule.state]]
  return t`If ${condition}: ${state}`
}
export const BEATEN = t`An earlier rule wins`
function beatenText({ rule }: RulePart): string {
  return `${BEATEN}: ${ruleText(rule)}, ${stateNames[rule.state]}`
}

type StripProps = {
  readonly kind: 'possible' | 'beaten'
  readonly parts: readonly RulePart[]
  readonly span: Span
  readonly textOf: (part: RulePart) => string
}

function Strip({ kind, parts, span, textOf }: StripProps) {
  return (
    <div className={styles['strip']} data-kind={kind}>
      {parts.map((part, nth) => (
        <span
          key={nth}
          role="img"
          aria-label={textOf(part)}
          title={textOf(part)}
          className={styles['part']}
          data-state={part.rule.state}
          style={placeOf(part, span)}
        >
          <span>{textOf(part)}</span>
        </span>
      ))}
    </div>
  )
}

/** The parts of each rule. */
function byRule(parts: readonly RulePart[]): readonly (readonly RulePart[])[] {
  return [...new Set(parts.map(({ rule }) => rule))].map(rule => parts.filter(part => part.rule === rule))
}

/** The days of a row, each with what is decided on it in words. */
function Days({ name, week, days, span, timeZone, undecided }: LaneProps) {
  return days.map(day => {
    const texts = bandsWithin(week.bands, day).map(
      band => `${band.state === undefined ? undecided : stateNames[band.state]} ${timesOf(band, timeZone)}`,
    )
    return (
      <span
        key={day.date}
        role="img"
        aria-label={`${name}, ${longDayName(weekdayOf(day.date))}: ${formatList(texts)}`}
        className={styles['day']}
        style={placeOf(day, span)}
      />
    )
  })
}

/** The week of one row: what inputs may change, what is decided, and what an earlier rule beats. */
export function WeekLane(props: LaneProps) {
  const { week, span } = props
  return (
    <>
      {byRule(week.possible).map((parts, nth) => (
        <Strip key={nth} kind="possible" parts={parts} span={span} textOf={possibleText} />
      ))}
      <div className={styles['bar']}>
        <Days {...props} />
        <Decided {...props} />
      </div>
      {week.beaten.length === 0 ? undefined : (
        <Strip kind="beaten" parts={week.beaten} span={span} textOf={beatenText} />
      )}
    </>
  )
}
