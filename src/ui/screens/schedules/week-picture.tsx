import { t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import { conditionsAhead } from '../../../folding/schedule/conditions.ts'
import { ruleText, shortDayName, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { daysFrom } from '../../../folding/schedule/spans.ts'
import { troublesOf, weekOf, type Week } from '../../../folding/schedule/week.ts'
import { isRightToLeft } from '../../../folding/text/direction.ts'
import { localDigits } from '../../../folding/text/format.ts'
import { formatInterval } from '../../../folding/text/times.ts'
import { useClock } from '../../hooks/system-context.ts'
import { Icon } from '../../parts/icons/icon.tsx'
import { useDrag, type Dragged } from './use-drag.ts'
import { BEATEN, WeekLane, weekdayOf, type Day, type LaneProps } from './week-lane.tsx'
import styles from './week-picture.module.css'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAYS = 7

export type WeekRow = {
  readonly key: string
  readonly name: string
  readonly title: ReactNode
  readonly schedules: readonly Schedule[]
}

type Props = Pick<LaneProps, 'timeZone' | 'undecided' | 'isDraft' | 'onOpen'> & {
  readonly rows: readonly WeekRow[]
  /** What is known ahead of rules that depend on more than the time. */
  readonly answer: Pick<SchedulesAnswer, 'conditions' | 'prices'>
  /** Whether the bands of a schedule may be dragged. */
  readonly mayDrag: (schedule: string) => boolean
  readonly onDrop: (to: Dragged) => void
}

function NowLine({ span: { begin, end } }: Pick<LaneProps, 'span'>) {
  const now = useClock(at => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  return <span className={styles['now']} style={{ insetInlineStart: `${((now - begin) / (end - begin)) * 100}%` }} />
}

function Troubles({ week }: { readonly week: Week }) {
  const { gaps, overlaps } = troublesOf(week)
  const isEmpty = week.bands.every(({ schedule }) => schedule === undefined)
  const [open, beaten] = [formatInterval(gaps / 1000), formatInterval(overlaps / 1000)]
  return (
    <>
      {gaps === 0 || isEmpty ? undefined : (
        <span className={styles['trouble']}>
          <Icon name="info" />
          {t`Undecided: ${open}`}
        </span>
      )}
      {overlaps === 0 ? undefined : (
        <span className={styles['trouble']}>
          <Icon name="info" />
          {t`Overlapping: ${beaten}`}
        </span>
      )}
    </>
  )
}

type RowProps = Omit<Props, 'rows'> & {
  readonly row: WeekRow
  readonly days: readonly Day[]
  readonly moving: Dragged | undefined
  readonly onMove: (to: Dragged | undefined) => void
}

function Row({ row, answer, days, moving, mayDrag, onMove, onDrop, ...common }: RowProps) {
  const span = { begin: days[0]?.begin ?? 0, end: days.at(-1)?.end ?? 0 }
  const schedules = row.schedules.map(schedule => withRule(schedule, moving))
  const week = weekOf(schedules, span.begin, span.end, conditionsAhead(schedules, answer, span.begin))
  const drag = useDrag({
    schedules: row.schedules.filter(({ id }) => mayDrag(id)),
    ms: span.end - span.begin,
    onMove,
    onDrop,
  })
  return (
    <li className={styles['row']}>
      <div className={styles['title']}>
        {row.title}
        <Troubles week={week} />
      </div>
      <div dir="ltr" role="group" aria-label={row.name} className={styles['lane']} {...drag}>
        <WeekLane {...common} name={row.name} schedules={schedules} week={week} days={days} span={span} />
        <NowLine span={span} />
      </div>
    </li>
  )
}

function withRule(schedule: Schedule, dragged: Dragged | undefined): Schedule {
  return dragged === undefined || dragged.schedule.id !== schedule.id
    ? schedule
    : { ...schedule, rules: schedule.rules.with(dragged.at, dragged.rule) }
}

function Legend({ undecided }: Pick<Props, 'undecided'>) {
  return (
    <ul className={styles['legend']}>
      {(['fold', 'pause', 'finish'] as const).map(state => (
        <li key={state}>
          <span className={styles['sample']} data-state={state} />
          {stateNames[state]}
        </li>
      ))}
      <li>
        <span className={styles['sample']} data-state="none" />
        {undecided}
      </li>
      <li>
        <span className={styles['sample']} data-kind="possible" />
        {t`Depends on an input`}
      </li>
      <li>
        <span className={styles['sample']} data-kind="beaten" />
        {BEATEN}
      </li>
    </ul>
  )
}

/** Time goes from left to right in every language: what is now is at the left end, which may be out of sight. */
function showStart(box: HTMLElement | null): void {
  if (box !== null && isRightToLeft()) box.scrollLeft = -box.scrollWidth
}

/** The next seven days in a time zone, a row for each machine or schedule, as bands that can be dragged. */
export function WeekPicture({ rows, ...common }: Props) {
  const { timeZone, undecided, onOpen } = common
  const hour = useClock(at => Math.floor(at / HOUR_MS) * HOUR_MS)
  const [moving, setMoving] = useState<Dragged>()
  const days = daysFrom(hour, timeZone, DAYS)
  const label = t`The next seven days, in the time zone ${timeZone}`
  const whole = (days.at(-1)?.end ?? 0) - (days[0]?.begin ?? 0)
  return (
    <div className="stack gap-2 space-top-2">
      <div ref={showStart} role="region" aria-label={label} tabIndex={0} className={styles['box']}>
        <div className={styles['axis']} aria-hidden="true">
          <span className={styles['zone']}>{timeZone}</span>
          <div dir="ltr" className={styles['days']}>
            {days.map(({ date, begin, end }) => (
              <span key={date} style={{ inlineSize: `${((end - begin) / whole) * 100}%` }}>
                {shortDayName(weekdayOf(date))} {localDigits(String(Number(date.slice(-2))))}
              </span>
            ))}
          </div>
        </div>
        <ul className={styles['rows']}>
          {rows.map(row => (
            <Row key={row.key} {...common} row={row} days={days} moving={moving} onMove={setMoving} />
          ))}
        </ul>
      </div>
      {moving === undefined ? undefined : (
        <p className={styles['moving']}>
          {stateNames[moving.rule.state]}: {ruleText(moving.rule)}
        </p>
      )}
      <Legend undecided={undecided} />
      {onOpen === undefined ? undefined : (
        <p className="quiet type-3 pretty">
          {t`Drag a band to move it, or its end to make it longer. On the keyboard, arrow keys move it, Shift and arrow keys move its end, and Enter opens its form.`}
        </p>
      )}
    </div>
  )
}
