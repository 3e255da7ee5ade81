import { t } from '@lingui/core/macro'
import { formatNumber } from '../../../../folding/shared/format.ts'
import { daysOf } from '../../../../folding/account/series.ts'
import { formatDate } from '../../../../folding/shared/times.ts'
import type { SeriesPoint } from '../../../../protocol/series.ts'
import styles from './charts.module.css'

type Props = { readonly points: readonly SeriesPoint[]; readonly from: number; readonly name: string }

/** The chart's data as a table with one row per day. */
export const DaysTable = ({ points, from, name }: Props) => (
  <details className={styles['details']}>
    <summary>{t`Show as table`}</summary>
    <div className={styles['scroller']} role="region" aria-label={t`${name} as a table`} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{t`${name} by day in UTC, newest first`}</caption>
        <thead>
          <tr>
            {[t`Day`, 'PPD', t`Points`, t`Work units`].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {daysOf(points, from).map(({ at, ppd, score, wus }) => (
            <tr key={at}>
              <th scope="row">{formatDate(at, { timeZone: 'UTC' })}</th>
              <td>{ppd === undefined ? '–' : formatNumber(Math.round(ppd))}</td>
              <td>{formatNumber(score)}</td>
              <td>{formatNumber(wus)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)
