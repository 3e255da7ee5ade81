import { plural, t } from '@lingui/core/macro'
import { projectTitle } from '../../../../folding/unit/unit-progress.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { riskAppearance } from '../../../../folding/fleet/client-facts.ts'
import {
  finishDetails,
  finishesInHour,
  finishHours,
  unitsAtRisk,
  type Finish,
  type FinishHour,
} from '../../../../folding/fleet/finishes.ts'
import { chosenLocales, formatNumber, formatPercent } from '../../../../folding/text/format.ts'
import { formatBothClocks, formatClock, formatRelative } from '../../../../folding/text/times.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { Segments } from '../../../parts/actions/segments.tsx'
import { classNames } from '../../../parts/class-names.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import styles from './finishes.module.css'
import { useFinishes, type FleetFinishes } from './use-finishes.ts'

const ROW_HEIGHT = 44
const OVERSCAN = 8

/** The start of the present hour in local time, which is not a whole hour of UTC everywhere. */
function startOfHour(now: number): number {
  return new Date(now).setMinutes(0, 0, 0)
}

const hourFormat = new Intl.DateTimeFormat(chosenLocales(), { hour: 'numeric' })

type HourProps = {
  readonly hour: FinishHour
  /** The largest count of an hour. */
  readonly most: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}

/** An hour of the time line as a bar, which selects the units that finish in it. */
function Hour({ hour: { at, count, atRisk }, most, isChosen, onChoose }: HourProps) {
  const clock = formatClock(at)
  const units = plural(count, { one: '# work unit', other: '# work units' })
  const late = formatNumber(atRisk)
  return (
    <li className="grid gap-1 text-center">
      <button
        type="button"
        className={styles['bar']}
        aria-pressed={isChosen}
        aria-label={atRisk === 0 ? t`${clock}: ${units}` : t`${clock}: ${units}, ${late} at risk`}
        onClick={onChoose}
      >
        <span className="tabular type-2">{count === 0 ? '' : formatNumber(count)}</span>
        <span
          className={classNames(styles['fill'], atRisk > 0 && styles['late'])}
          style={{ blockSize: `${(count / Math.max(1, most)) * 100}%` }}
        />
      </button>
      <span className="figures quiet type-1" aria-hidden="true">
        {hourFormat.format(at)}
      </span>
    </li>
  )
}

type RowProps = { readonly finish: Finish; readonly now: number }

function Row({ finish, now }: RowProps) {
  const { client, machine, at, risk } = finish
  const { id, project, resources, progress } = finishDetails(finish)
  const look = riskAppearance(risk)
  const name = projectTitle(project)
  return (
    <>
      <time className={styles['time']} dateTime={new Date(at).toISOString()} title={formatBothClocks(at)}>
        <strong>{formatClock(at)}</strong> <span>{formatRelative(at, now)}</span>
      </time>
      <span className={styles['what']}>
        {id === undefined ? (
          <span>{name}</span>
        ) : (
          <Link to={`/unit/${pathPart(id)}`} className={styles['link']}>
            {name}
          </Link>
        )}
        <bdi className={styles['resources']}>{resources ?? ''}</bdi>
      </span>
      <Link to={`/${pathPart(client)}`} className={classNames(styles['machine'], styles['link'])}>
        <bdi>{machine}</bdi>
      </Link>
      <span className={styles['progress']}>{formatPercent(progress)}</span>
      <span className={styles['risk']}>
        {look === undefined ? undefined : <StatusMark icon={look.icon} tone={look.tone} text={look.label} />}
      </span>
    </>
  )
}

/** Units by the time of their finish; only those in view are rendered. */
function FinishList({ finishes, now }: FleetFinishes) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: finishes.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: index => finishes[index]?.key ?? index,
  })
  return (
    <div ref={box} className={styles['box']} role="region" aria-label={t`Next finishes by time`} tabIndex={0}>
      <ul className="relative" style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().flatMap(({ index, key, start }) => {
          const finish = finishes[index]
          return finish === undefined ? (
            []
          ) : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={finishes.length}
              aria-posinset={index + 1}
              className={styles['row']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row finish={finish} now={now} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type Shown = 'all' | 'risk'

/** When the running work units of the shown clients finish: by hour as bars, and one by one. */
export function Finishes({ ids }: { readonly ids: readonly string[] }) {
  const { finishes, now } = useFinishes(ids)
  const [hour, setHour] = useState<number>()
  const [shown, setShown] = useState<Shown>('all')
  const first = startOfHour(now)
  const hours = useMemo(() => finishHours(finishes, first), [finishes, first])
  const late = useMemo(() => unitsAtRisk(finishes), [finishes])
  const most = Math.max(...hours.map(({ count }) => count))
  const within = hours.reduce((sum, { count }) => sum + count, 0)
  // An hour that has passed is no longer in the time line.
  const chosen = hours.find(({ at }) => at === hour)?.at
  const listed = useMemo(() => {
    const found = shown === 'risk' ? late : finishes
    return chosen === undefined ? found : found.filter(finish => finishesInHour(finish, chosen))
  }, [finishes, late, shown, chosen])
  const running = formatNumber(finishes.length)
  const soon = formatNumber(within)
  const count = formatNumber(late.length)
  return (
    <div className="stack gap-3">
      <div className={styles['head']}>
        <p role="status">
          {t`${soon} of ${running} running work units finish within 24 hours.`}{' '}
          {chosen === undefined ? '' : t`Showing those from ${formatClock(chosen)} on, for an hour.`}
        </p>
        <Segments
          label={t`Work units to list`}
          segments={[
            { id: 'all', label: t({ message: 'All', context: 'work units' }) },
            { id: 'risk', label: t`At risk (${count})` },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      <div dir="ltr" className={styles['line']}>
        <ol className={styles['hours']} aria-label={t`Finishing work units by hour`}>
          {hours.map(each => (
            <Hour
              key={each.at}
              hour={each}
              most={most}
              isChosen={each.at === chosen}
              onChoose={() => setHour(each.at === chosen ? undefined : each.at)}
            />
          ))}
        </ol>
      </div>
      {listed.length > 0 ? (
        <FinishList finishes={listed} now={now} />
      ) : (
        <p className={styles['empty']}>
          {finishes.length === 0 ? t`No work unit is running.` : t`No work unit finishes then.`}
        </p>
      )}
    </div>
  )
}
