import { t } from '@lingui/core/macro'
import type { Measure, Range } from '../../../../folding/account/series.ts'
import type { Segment } from '../../../parts/actions/segments.tsx'

export type ChartSubject = 'user' | 'team'
export type ChartChoice = { readonly subject: ChartSubject; readonly measure: Measure; readonly range: Range }

export const measures: readonly Segment<Measure>[] = [
  { id: 'ppd', label: 'PPD' },
  { id: 'score', label: t`Points` },
  { id: 'wus', label: t`Work units` },
]

export const ranges: readonly Segment<Range>[] = [
  { id: 'day', label: t`Day` },
  { id: 'week', label: t`Week` },
  { id: 'month', label: t`Month` },
  { id: 'year', label: t`Year` },
  { id: 'all', label: t({ message: 'All', context: 'time' }) },
]

function oneOf<Id extends string>(segments: readonly Segment<Id>[], value: string | null, fallback: Id): Id {
  return segments.find(({ id }) => id === value)?.id ?? fallback
}

/** The charts' settings from `?chart=team&measure=score&range=year`, with defaults for missing or invalid ones. */
export function readChoice(params: URLSearchParams): ChartChoice {
  return {
    subject: params.get('chart') === 'team' ? 'team' : 'user',
    measure: oneOf(measures, params.get('measure'), 'ppd'),
    range: oneOf(ranges, params.get('range'), 'month'),
  }
}

/** The same parameters with a choice; defaults are left out. */
export function writeChoice(params: URLSearchParams, { subject, measure, range }: ChartChoice): URLSearchParams {
  const next = new URLSearchParams(params)
  const set = (name: string, value: string, fallback: string): void => {
    if (value === fallback) next.delete(name)
    else next.set(name, value)
  }
  set('chart', subject, 'user')
  set('measure', measure, 'ppd')
  set('range', range, 'month')
  return next
}
