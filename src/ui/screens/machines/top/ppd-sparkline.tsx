import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { formatPoints } from '../../../../folding/text/format.ts'
import { linePath, samplesOf } from '../../../../folding/account/series.ts'
import { useSeries } from '../../../hooks/use-series.ts'
import { useUserSeries } from '../../../hooks/use-user-series.ts'
import styles from './ppd-sparkline.module.css'

const DAYS = 14
const WIDTH = 132
const HEIGHT = 34

/** The donor's points per day over the last two weeks, from the statistics server. */
export function PpdSparkline() {
  const points = useSeries(useUserSeries())
  const { path, newest } = useMemo(() => {
    const samples = samplesOf(points, 'ppd', (points.at(-1)?.at ?? 0) - DAYS * 86_400_000)
    return {
      path: linePath(samples, WIDTH, HEIGHT),
      newest: samples.findLast(({ value }) => value !== undefined)?.value,
    }
  }, [points])
  if (path === '' || newest === undefined) return null
  const ppd = formatPoints(Math.round(newest))
  return (
    <Link to="/stats" className={styles['sparkline']}>
      <svg
        viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
        width={WIDTH}
        height={HEIGHT}
        aria-hidden="true"
        focusable="false"
      >
        <path d={path} />
      </svg>
      <span className="grid">
        <span className="quiet type-2">{t`Credited, 24 h`}</span> <span className={styles['value']}>{ppd}</span>
        <span className="visually-hidden"> {t`points. Show statistics`}</span>
      </span>
    </Link>
  )
}
