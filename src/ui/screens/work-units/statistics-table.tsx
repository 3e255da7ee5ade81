import { plural, t } from '@lingui/core/macro'
import { formatNumber } from '../../../folding/text/format.ts'
import type { PointTotals, Spread, unitStatistics } from '../../../folding/unit/statistics.ts'
import { formatInterval } from '../../../folding/text/times.ts'
import styles from './statistics-table.module.css'

type Props = {
  readonly statistics: ReturnType<typeof unitStatistics>
  /** How many units match the filter, of how many in the history. */
  readonly count: number
  readonly total: number
}

type LineProps = {
  readonly title: string
  readonly hint: string
  readonly spread: Spread | undefined
  readonly show: (value: unknown) => string
}

function Line({ title, hint, spread, show }: LineProps) {
  return (
    <tr>
      <th scope="row">
        <abbr title={hint}>{title}</abbr>
      </th>
      <td>{show(spread?.average)}</td>
      <td>{show(spread?.min)}</td>
      <td>{show(spread?.max)}</td>
    </tr>
  )
}

/** How many units did not report a value, so that averages are without them; undefined when all did. */
function leftOutText(name: string, spread: Spread | undefined, count: number): string | undefined {
  const missing = count - (spread?.count ?? 0)
  if (missing === 0) return undefined
  return plural(missing, {
    one: `${name}: without # unit that did not report it.`,
    other: `${name}: without # units that did not report it.`,
  })
}

/** What the units brought, as estimated and as logged. */
function pointsText(
  { estimated, logged, estimatedOfLogged, loggedCount }: PointTotals,
  count: number,
): string | undefined {
  if (estimated === 0 && count > 0) return undefined
  const all = t`Estimated: ${formatNumber(estimated)} points.`
  if (loggedCount === 0) return all
  const units = plural(loggedCount, { one: '# unit', other: '# units' })
  return `${all} ${t`Credited: ${formatNumber(logged)} points for ${units}, estimated at ${formatNumber(estimatedOfLogged)}.`}`
}

/** TPF, PPD and points of the matching units, and how many they are. */
export function StatisticsTable({ statistics: { tpf, ppd, points }, count, total }: Props) {
  return (
    <div className={styles['statistics']}>
      {count === 0 ? (
        <div className={styles['none']} />
      ) : (
        <table className={styles['table']}>
          <caption className="visually-hidden">{t`Statistics of the matching work units`}</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{t`Average`}</th>
              <th scope="col">{t`Min`}</th>
              <th scope="col">{t`Max`}</th>
            </tr>
          </thead>
          <tbody>
            <Line
              title="TPF"
              hint={t`Time per frame: the time to complete 1% of a work unit`}
              spread={tpf}
              show={formatInterval}
            />
            <Line title="PPD" hint={t`Points per day`} spread={ppd} show={value => formatNumber(value)} />
          </tbody>
        </table>
      )}
      <div className="grow stack gap-1 quiet type-3">
        <p role="status">
          {count === total
            ? plural(total, { one: '# unit', other: '# units' })
            : t`${formatNumber(count)} of ${plural(total, { one: '# unit', other: '# units' })}`}
        </p>
        {[pointsText(points, count), leftOutText('TPF', tpf, count), leftOutText('PPD', ppd, count)].map(text =>
          text === undefined ? undefined : <p key={text}>{text}</p>,
        )}
      </div>
    </div>
  )
}
