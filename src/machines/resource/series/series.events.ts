import type { SeriesPoint, SeriesRef } from '../../../protocol/api/series.ts'

export type SeriesCommand =
  /** A reader starts reading the series; each `want` is followed by one `release`. */
  | { readonly type: 'series.want'; readonly ref: SeriesRef }
  | { readonly type: 'series.release'; readonly ref: SeriesRef }
  /** The computer woke up or the network came back: reconnect now. */
  | { readonly type: 'series.check' }
  /** The user signed out: delete the points. */
  | { readonly type: 'series.clearPersonal' }

export type SeriesFact =
  | { readonly type: 'seriesSocket.opened' }
  | { readonly type: 'seriesSocket.closed' }
  | { readonly type: 'series.received'; readonly ref: SeriesRef; readonly points: readonly SeriesPoint[] }
  | { readonly type: 'series.refused'; readonly ref: SeriesRef; readonly message: string }
  /** The points that this browser stored, if any. */
  | { readonly type: 'series.restored'; readonly ref: SeriesRef; readonly points: readonly SeriesPoint[] }

export type SeriesEvent = SeriesCommand | SeriesFact

export type SeriesSocketCommand =
  /** `since`: epoch milliseconds of the last known point. */
  | { readonly type: 'seriesSocket.subscribe'; readonly ref: SeriesRef; readonly since: number | undefined }
  | { readonly type: 'seriesSocket.unsubscribe'; readonly ref: SeriesRef }

export type SeriesCacheCommand =
  | { readonly type: 'seriesCache.load'; readonly ref: SeriesRef }
  | { readonly type: 'seriesCache.save'; readonly ref: SeriesRef; readonly points: readonly SeriesPoint[] }
