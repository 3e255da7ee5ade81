import { t } from '@lingui/core/macro'
import styles from './chart-table.module.css'

type Props = {
  /** Of the region that scrolls. */
  readonly label: string
  readonly caption?: string
  /** Titles of the columns; the first is the heading of the rows. */
  readonly columns: readonly string[]
  /** Texts of the cells of each row. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly string[] }[]
}

/** The data of a chart as a table, for readers who do not see the chart or want its numbers. */
export function ChartTable({ label, caption, columns, rows }: Props) {
  return (
    <details className={styles['details']}>
      <summary>{t`Show as table`}</summary>
      <div className={styles['scroller']} role="region" aria-label={label} tabIndex={0}>
        <table className={styles['table']}>
          {caption === undefined ? undefined : <caption className="visually-hidden">{caption}</caption>}
          <thead>
            <tr>
              {columns.map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [heading, ...values] }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{heading}</bdi>
                </th>
                {values.map((value, index) => (
                  <td key={index}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
