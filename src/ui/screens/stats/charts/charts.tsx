import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useSearchParams } from 'react-router-dom'
import { rangeStart, samplesOf, teamSeries } from '../../../../folding/account/series.ts'
import { selectDonorName, selectTeam } from '../../../../machines/account/donor/donor.selectors.ts'
import {
  isSeriesLoading,
  isSeriesOffline,
  selectRefusal,
} from '../../../../machines/resource/series/series.selectors.ts'
import type { Point, SeriesRef } from '../../../../protocol/series.ts'
import { Segments } from '../../../parts/actions/segments.tsx'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useSeries } from '../../../hooks/use-series.ts'
import { useUserSeries } from '../../../hooks/use-user-series.ts'
import { measures, ranges, readChoice, writeChoice, type ChartChoice, type Whose } from './chart-choice.ts'
import styles from './charts.module.css'
import { DaysTable } from './days-table.tsx'

const Plot = lazyComponent(() => import('./plot.tsx'), 'Plot', t`The chart`)

/** Why there is no line, or not the newest; empty when there is nothing to say. */
const useChartWords = (ref: SeriesRef | undefined, points: readonly Point[], isDrawn: boolean): string => {
  const { series } = useSystem()
  const refusal = useSelector(series, selectRefusal(ref))
  const isLoading = useSelector(series, isSeriesLoading(ref))
  const isOffline = useSelector(series, isSeriesOffline)
  if (isOffline)
    return points.length > 0
      ? t`The statistics server cannot be reached: the line ends where the connection did.`
      : t`The statistics server cannot be reached. It is tried again.`
  if (refusal !== undefined) return refusal
  if (isDrawn) return ''
  return isLoading ? t`Loading...` : t`There are not enough points for a line yet.`
}

type ChartProps = { readonly seriesRef: SeriesRef | undefined; readonly choice: ChartChoice }

const Chart = ({ seriesRef, choice: { measure, range, whose } }: ChartProps) => {
  const points = useSeries(seriesRef)
  const from = rangeStart(points, range)
  const samples = samplesOf(points, measure, from)
  const isDrawn = samples.filter(({ value }) => value !== undefined).length > 1
  const words = useChartWords(seriesRef, points, isDrawn)
  const unit = measures.find(({ id }) => id === measure)?.label ?? ''
  const name = `${unit} of ${whose === 'team' ? t`the team` : t`the donor`}`
  return (
    <>
      <div className={styles['plot']}>
        {isDrawn ? <Plot samples={samples} name={name} unit={unit} isFromZero={measure === 'ppd'} /> : undefined}
        {words === '' ? undefined : (
          <p role="status" className={isDrawn ? styles['remark'] : styles['nothing']}>
            {words}
          </p>
        )}
      </div>
      {points.length > 0 ? <DaysTable points={points} from={from} name={name} /> : undefined}
    </>
  )
}

const whoseOf = (name: string | undefined, team: number): readonly { readonly id: Whose; readonly label: string }[] => [
  ...(name === undefined ? [] : [{ id: 'user' as const, label: t`Donor` }]),
  ...(team === 0 ? [] : [{ id: 'team' as const, label: t`Team` }]),
]

/** Points, work units and PPD over time, of the donor and of the team. What is shown stands in the address. */
export const Charts = () => {
  const { donor } = useSystem()
  const [params, setParams] = useSearchParams()
  const team = useSelector(donor, selectTeam)
  const choices = whoseOf(useSelector(donor, selectDonorName), team)
  const user = useUserSeries()
  const asked = readChoice(params)
  const [first] = choices
  if (first === undefined) return null
  const choice = choices.some(({ id }) => id === asked.whose) ? asked : { ...asked, whose: first.id }
  const choose = (change: Partial<ChartChoice>): void =>
    setParams(writeChoice(params, { ...choice, ...change }), { replace: true })
  return (
    <section aria-labelledby="charts" className={styles['charts']}>
      <header className={styles['head']}>
        <h2 id="charts" className={styles['title']}>
          {t`Over time`}
        </h2>
        <div className={styles['choices']}>
          {choices.length > 1 ? (
            <Segments label={t`Whose`} segments={choices} value={choice.whose} onChange={whose => choose({ whose })} />
          ) : undefined}
          <Segments
            label={t`What`}
            segments={measures}
            value={choice.measure}
            onChange={measure => choose({ measure })}
          />
          <Segments label={t`How long`} segments={ranges} value={choice.range} onChange={range => choose({ range })} />
        </div>
      </header>
      <Chart seriesRef={choice.whose === 'team' ? teamSeries(team) : user} choice={choice} />
    </section>
  )
}
