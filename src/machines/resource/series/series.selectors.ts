import type { SeriesPoint, SeriesRef } from '../../../protocol/api/series.ts'
import type { SeriesSnapshot } from './series.machine.ts'

const none: readonly SeriesPoint[] = []

/** The known points of a series, in order. The same list while no points arrive. */
export function selectPoints(ref: SeriesRef | undefined) {
  return ({ context }: SeriesSnapshot): readonly SeriesPoint[] =>
    (ref === undefined ? undefined : context.series.get(ref)?.points) ?? none
}

/** Whether the first answer of the server is awaited. */
export function isSeriesLoading(ref: SeriesRef | undefined) {
  return (snapshot: SeriesSnapshot): boolean =>
    ref !== undefined && !isSeriesOffline(snapshot) && snapshot.context.series.get(ref)?.isAnswered !== true
}

/** Why the server refused the subscription. */
export function selectRefusal(ref: SeriesRef | undefined) {
  return ({ context }: SeriesSnapshot): string | undefined =>
    ref === undefined ? undefined : context.series.get(ref)?.refusal
}

/** Whether the last connection was lost or could not be made. */
export function isSeriesOffline(snapshot: SeriesSnapshot): boolean {
  return snapshot.matches('waiting') || (snapshot.context.attempts > 0 && !snapshot.matches({ connection: 'open' }))
}
