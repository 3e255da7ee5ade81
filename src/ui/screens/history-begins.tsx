import { Trans } from '@lingui/react/macro'
import { formatBothClocks, formatDate, formatIso } from '../../folding/text/times.ts'

/** Since when what is counted from the history is known. `at`: epoch milliseconds. */
export function HistoryBegins({ at }: { readonly at: number }) {
  const date = (
    <time dateTime={formatIso(at)} title={formatBothClocks(at)}>
      {formatDate(at)}
    </time>
  )
  return <Trans>The history begins on {date}. What was folded before is not counted.</Trans>
}
