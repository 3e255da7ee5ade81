import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Sample } from '../../../../folding/account/series.ts'
import { ppdSeries, stepOf, type PointSpan, type PpdRange, shareText } from '../../../../folding/fleet/ppd-history.ts'
import { formatPoints, UNKNOWN } from '../../../../folding/text/format.ts'
import { formatDate, formatLocalShort } from '../../../../folding/text/times.ts'
import { Segments, type Segment } from '../../../parts/actions/segments.tsx'
import { ChartTable } from '../../../parts/charts/chart-table.tsx'
import { Plot } from '../../../parts/charts/plot.tsx'
import { useIsHistoryLoading } from '../../../hooks/use-ppd-history.ts'
import { rangeOf, withRange } from './chart-params.ts'
import { estimateText } from './estimate-text.ts'
import styles from './ppd-chart.module.css'

const ranges: readonly Segment<PpdRange>[] = [
  { id: 'day', label: t`24 h` },
  { id: 'week', label: t`Week` },
  { id: 'month', label: t`Month` },
  { id: 'quarter', label: t`3 months` },
  { id: 'all', label: t({ message: 'All', context: 'time' }) },
]

const HOUR = 3_600_000

/** The time of a row: the hour in local time, or the day in UTC. `at`: an instant within it. */
function rowTime(at: number, step: number): string {
  return step > HOUR ? formatDate(at, { timeZone: 'UTC' }) : formatLocalShort(Math.floor(at / step) * step)
}

type TableProps = { readonly samples: readonly Sample[]; readonly step: number; readonly name: string }

/** The chart's data as a table, newest first. */
function PpdTable({ samples, step, name }: TableProps) {
  return (
    <ChartTable
      label={t`${name} as a table`}
      caption={step > HOUR ? t`${name} by day in UTC, newest first` : t`${name} by hour, newest first`}
      columns={[step > HOUR ? t`Day` : t`Hour`, 'PPD']}
      rows={[...samples]
        .reverse()
        .map(({ at, value }) => ({ key: at, cells: [rowTime(at, step), formatPoints(Math.round(value ?? 0))] }))}
    />
  )
}

type FigureProps = { readonly label: string; readonly value: string; readonly note?: string | undefined }

function Figure({ label, value, note }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {note === undefined ? undefined : <span className="quiet type-3 regular"> {note}</span>}
      </dd>
    </div>
  )
}

export type UsualFigure = {
  /** See `usualPpd`. */
  readonly ppd: number
  /** The present PPD of the same clients, as a share of it. */
  readonly share: number
  /** The number of clients whose usual PPD is known, out of all; undefined when it is known of all. */
  readonly known?: string | undefined
}

type Props = {
  /** What the chart shows, at the start of its name: 'PPD of all clients'. */
  readonly name: string
  readonly spans: readonly PointSpan[]
  /** The end of the chart, epoch milliseconds. */
  readonly until: number
  /** PPD at the moment. */
  readonly ppd: number
  /** The usual PPD, drawn as a line unless it is that of some clients only. */
  readonly usual: UsualFigure | undefined
  readonly pointsDay: number
}

/** Points per day over time, with the present and usual ones, a choice of the range, and the same data as a table. */
export function PpdChart({ name, spans, until, ppd, usual, pointsDay }: Props) {
  const [params, setParams] = useSearchParams()
  const range = rangeOf(params)
  const samples = useMemo(() => ppdSeries(spans, range, until), [spans, range, until])
  const isLoading = useIsHistoryLoading()
  const share = shareText(usual?.share ?? 0)
  const known = usual?.known
  const isDrawn = samples.length > 1
  const isComplete = usual !== undefined && known === undefined
  const note = isComplete && ppd > 0 ? t`${share} of usual` : undefined
  return (
    <div className="stack gap-3">
      <div className="flex wrap align-end between gap-3-5">
        <dl className={styles['figures']}>
          <Figure
            label={t`Usual PPD`}
            value={usual === undefined ? UNKNOWN : formatPoints(usual.ppd)}
            note={
              usual === undefined && !isLoading
                ? t`not enough history`
                : known === undefined
                  ? undefined
                  : t`of ${known} machines, now ${share}`
            }
          />
          <Figure label={t`Points, 24 h`} value={formatPoints(pointsDay)} />
        </dl>
        <Segments
          label={t`Time range`}
          segments={ranges}
          value={range}
          onChange={next => setParams(now => withRange(now, next), { replace: true, preventScrollReset: true })}
        />
      </div>
      <div className={styles['plot']}>
        {isDrawn ? (
          <Plot
            samples={samples}
            name={name}
            unit="PPD"
            isFromZero
            reference={isComplete ? usual.ppd : undefined}
            atRest={{ value: formatPoints(ppd), unit: t`PPD now`, note }}
          />
        ) : (
          <p role="status" className={styles['empty']}>
            {isLoading ? t`Loading...` : t`No work units with points are known for this time.`}
          </p>
        )}
      </div>
      <p className="prose quiet type-2">{estimateText(isComplete && isDrawn)}</p>
      {samples.length > 0 ? <PpdTable samples={samples} step={stepOf(range)} name={name} /> : undefined}
    </div>
  )
}
