import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { mergePoints, rangeStart, samplesOf, teamSeries } from '../../../../folding/account/series.ts'
import { standingsKey } from '../../../../folding/shared/resource-keys.ts'
import { selectDonorName, selectTeam } from '../../../../machines/account/donor/donor.selectors.ts'
import {
  isSeriesLoading,
  isSeriesOffline,
  selectRefusal,
} from '../../../../machines/resource/series/series.selectors.ts'
import type { SeriesPoint, SeriesRef } from '../../../../protocol/api/series.ts'
import { Segments } from '../../../parts/actions/segments.tsx'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { usePageServer } from '../../../hooks/server-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useResource } from '../../../hooks/use-resource.ts'
import { WhenLoaded } from '../../when-loaded.tsx'
import { useSeries } from '../../../hooks/use-series.ts'
import { useUserSeries } from '../../../hooks/use-user-series.ts'
import { measures, ranges, readChoice, writeChoice, type ChartChoice, type ChartSubject } from './chart-choice.ts'
import styles from './charts.module.css'
import { DaysTable } from './days-table.tsx'

const Plot = lazyComponent(() => import('../../../parts/charts/plot.tsx').then(m => m.Plot), t`The chart`)

/** Why there is no chart, or not one up to now; empty when the chart is complete. */
function useChartMessage(ref: SeriesRef | undefined, points: readonly SeriesPoint[], isDrawn: boolean): string {
  const { series } = useSystem()
  const refusal = useSelector(series, selectRefusal(ref))
  const isLoading = useSelector(series, isSeriesLoading(ref))
  const isOffline = useSelector(series, isSeriesOffline)
  if (isOffline)
    return points.length > 0
      ? t`The statistics server is unreachable. The chart ends where the connection was lost.`
      : t`The statistics server is unreachable. Retrying.`
  if (refusal !== undefined) return refusal
  if (isDrawn) return ''
  return isLoading ? t`Loading...` : t`Not enough data for a chart yet.`
}

/** With what the server of this page keeps, if there is one: also where the statistics server has nothing, or is away. */
function useAllPoints(ref: SeriesRef | undefined, subject: ChartSubject): readonly SeriesPoint[] {
  const { donor } = useSystem()
  const name = useSelector(donor, selectDonorName)
  const team = useSelector(donor, selectTeam)
  const hasServer = usePageServer() !== undefined
  const named = subject === 'team' ? String(team) : name
  const { value: storedPoints } = useResource(
    hasServer && named !== undefined ? standingsKey(KINDS[subject], named) : undefined,
  )
  const points = useSeries(ref)
  return useMemo(
    () => (storedPoints === undefined ? points : mergePoints(storedPoints, points)),
    [storedPoints, points],
  )
}

const KINDS = { user: 'donor', team: 'team' } as const

type ChartProps = { readonly seriesRef: SeriesRef | undefined; readonly choice: ChartChoice }

function Chart({ seriesRef, choice: { measure, range, subject } }: ChartProps) {
  const points = useAllPoints(seriesRef, subject)
  const from = rangeStart(points, range)
  const samples = samplesOf(points, measure, from)
  const isDrawn = samples.filter(({ value }) => value !== undefined).length > 1
  const message = useChartMessage(seriesRef, points, isDrawn)
  const unit = measures.find(({ id }) => id === measure)?.label ?? ''
  const name = subject === 'team' ? t`${unit} of the team` : t`${unit} of the donor`
  return (
    <>
      <div className={styles['plot']}>
        {isDrawn ? <Plot samples={samples} name={name} unit={unit} isFromZero={measure === 'ppd'} /> : undefined}
        {message === '' ? undefined : (
          <p role="status" className={isDrawn ? styles['note'] : styles['empty']}>
            {message}
          </p>
        )}
      </div>
      {points.length > 0 ? <DaysTable points={points} from={from} name={name} /> : undefined}
    </>
  )
}

function subjectsOf(
  name: string | undefined,
  team: number,
): readonly { readonly id: ChartSubject; readonly label: string }[] {
  return [
    ...(name === undefined ? [] : [{ id: 'user' as const, label: t`Donor` }]),
    ...(team === 0 ? [] : [{ id: 'team' as const, label: t`Team` }]),
  ]
}

/** Points, work units and PPD over time, of the donor or the team. The choice is in the search parameters. */
export function Charts() {
  const { donor } = useSystem()
  const [params, setParams] = useSearchParams()
  const team = useSelector(donor, selectTeam)
  const choices = subjectsOf(useSelector(donor, selectDonorName), team)
  const user = useUserSeries()
  const requested = readChoice(params)
  const [first] = choices
  if (first === undefined) return null
  const choice = choices.some(({ id }) => id === requested.subject) ? requested : { ...requested, subject: first.id }
  const choose = (change: Partial<ChartChoice>): void =>
    setParams(writeChoice(params, { ...choice, ...change }), { replace: true })
  return (
    <section aria-labelledby="charts" className={styles['charts']}>
      <header className="row between gap-3-5">
        <h2 id="charts" className="type-6 strong tracking">
          {t`Over time`}
        </h2>
        <div className={styles['choices']}>
          {choices.length > 1 ? (
            <Segments
              label={t`Donor or team`}
              segments={choices}
              value={choice.subject}
              onChange={subject => choose({ subject })}
            />
          ) : undefined}
          <Segments
            label={t`Measure`}
            segments={measures}
            value={choice.measure}
            onChange={measure => choose({ measure })}
          />
          <Segments
            label={t`Time range`}
            segments={ranges}
            value={choice.range}
            onChange={range => choose({ range })}
          />
        </div>
      </header>
      <WhenLoaded part="series" what={t`The chart`}>
        <Chart seriesRef={choice.subject === 'team' ? teamSeries(team) : user} choice={choice} />
      </WhenLoaded>
    </section>
  )
}
