import { t } from '@lingui/core/macro'
import type { Measure, Range } from '../../../../folding/account/series.ts'
import type { Segment } from '../../../parts/actions/segments.tsx'

export type ChartSubject = 'user' | 'team'
export type ChartChoice = { readonly subject: ChartSubject; readonly measure: Measure; readonly range: Range }

export const measures: readonly Segment<Measure>[] = [
  { id: 'ppd', label: 'PPD' },
  { id: 'score', label: t`Points` },
  { id: 'wus', label: t`WUs` },
]

export const ranges: readonly Segment<Range>[] = [
  { id: 'day', label: t`Day` },
  { id: 'week', label: t`Week` },
  { id: 'month', label: t`Month` },
  { id: 'year', label: t`Year` },
  { id: 'all', label: t`All` },
]

const oneOf = <Id extends string>(segments: readonly Segment<Id>[], value: string | null, fallback: Id): Id =>
  segments.find(({ id }) => id === value)?.id ?? fallback

/** What an address says is shown: `?chart=team&measure=score&range=year`. Whatever it lacks is the usual. */
export const readChoice = (params: URLSearchParams): ChartChoice => ({
  subject: params.get('chart') === 'team' ? 'team' : 'user',
  measure: oneOf(measures, params.get('measure'), 'ppd'),
  range: oneOf(ranges, params.get('range'), 'month'),
})

/** The same address with a choice; the usual is not written. */
export const writeChoice = (params: URLSearchParams, { subject, measure, range }: ChartChoice): URLSearchParams => {
  const next = new URLSearchParams(params)
  const set = (name: string, value: string, usual: string): void => {
    if (value === usual) next.delete(name)
    else next.set(name, value)
  }
  set('chart', subject, 'user')
  set('measure', measure, 'ppd')
  set('range', range, 'month')
  return next
}
