import { t } from '@lingui/core/macro'
import { formatNumber } from '../../../../folding/text/format.ts'
import { daysOf } from '../../../../folding/account/series.ts'
import { formatDate } from '../../../../folding/text/times.ts'
import type { SeriesPoint } from '../../../../protocol/api/series.ts'
import { ChartTable } from '../../../parts/charts/chart-table.tsx'

type Props = { readonly points: readonly SeriesPoint[]; readonly from: number; readonly name: string }

/** The chart's data as a table with one row per day. */
export function DaysTable({ points, from, name }: Props) {
  return (
    <ChartTable
      label={t`${name} as a table`}
      caption={t`${name} by day in UTC, newest first`}
      columns={[t`Day`, 'PPD', t`Points`, t`Work units`]}
      rows={daysOf(points, from).map(({ at, ppd, score, wus }) => ({
        key: at,
        cells: [
          formatDate(at, { timeZone: 'UTC' }),
          ppd === undefined ? '–' : formatNumber(Math.round(ppd)),
          formatNumber(score),
          formatNumber(wus),
        ],
      }))}
    />
  )
}
