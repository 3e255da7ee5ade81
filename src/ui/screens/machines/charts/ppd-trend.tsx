import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { linePath } from '../../../../folding/account/series.ts'
import { formatPoints, UNKNOWN } from '../../../../folding/text/format.ts'
import { useClientTrend } from '../../../hooks/use-ppd-history.ts'
import styles from './ppd-trend.module.css'

const WIDTH = 96
const HEIGHT = 20

type LineProps = { readonly trend: readonly number[] }

/** Renders again only when the values change, every ten minutes at most. */
const TrendLine = memo(({ trend }: LineProps) => (
  <svg
    viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
    width={WIDTH}
    height={HEIGHT}
    aria-hidden="true"
    focusable="false"
    className={styles['trend']}
  >
    <path
      d={linePath(
        trend.map((value, at) => ({ at, value })),
        WIDTH,
        HEIGHT,
      )}
    />
  </svg>
))
TrendLine.displayName = 'TrendLine'

/** PPD of a client over the last seven days as a small line, for a cell of a table. `machine`: its own id. */
export function PpdTrend({ client }: { readonly client: string | undefined }) {
  const trend = useClientTrend(client)
  if (trend === undefined) return <span className="quiet">{UNKNOWN}</span>
  const latest = formatPoints(Math.round(trend.at(-1) ?? 0))
  const highest = formatPoints(Math.round(Math.max(...trend)))
  return (
    <>
      <TrendLine trend={trend} />
      <span className="visually-hidden">{t`${latest} PPD lately, at most ${highest} within 7 days`}</span>
    </>
  )
}
