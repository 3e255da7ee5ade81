import { assign, enqueueActions, setup, type SnapshotFrom } from 'xstate'
import { backOffDelay } from '../../../folding/shared/back-off.ts'
import { mergePoints } from '../../../folding/account/series.ts'
import type { SeriesPoint, SeriesRef } from '../../../protocol/api/series.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { SeriesEvent, SeriesCacheCommand, SeriesSocketCommand } from './series.events.ts'

export type Series = {
  readonly readers: number
  /** In order. */
  readonly points: readonly SeriesPoint[]
  /** Whether the stored points are loaded: only then is it known since when to subscribe. */
  readonly isRestored: boolean
  /** Whether it is subscribed. Points that arrive otherwise belong to a user who signed out. */
  readonly isSubscribed: boolean
  readonly isAnswered: boolean
  /** Why the server refused the subscription. */
  readonly refusal: string | undefined
}

export type SeriesContext = {
  readonly series: ReadonlyMap<SeriesRef, Series>
  /** Attempts since the last connection. */
  readonly attempts: number
}

type ReceivedPoints = { readonly ref: SeriesRef; readonly points: readonly SeriesPoint[] }

/** Limit of series without readers that are kept. */
const MOST_UNREAD = 8

const initialSeries: Series = {
  readers: 1,
  points: [],
  isRestored: false,
  isSubscribed: false,
  isAnswered: false,
  refusal: undefined,
}

export const seriesMachine = setup({
  types: { context: {} as SeriesContext, events: {} as SeriesEvent },
  actors: {
    seriesSocket: actorPlaceholder<SeriesSocketCommand, undefined>('seriesSocket'),
    seriesCache: actorPlaceholder<SeriesCacheCommand, undefined>('seriesCache'),
  },
  delays: {
    connectTimeout: 20_000,
    reconnectDelay: ({ context }) => seriesWait(context),
    unsubscribeDelay: 5000,
  },
  guards: {
    hasReaders: ({ context }) => [...context.series.values()].some(({ readers }) => readers > 0),
    hasNoReaders: ({ context }) => [...context.series.values()].every(({ readers }) => readers === 0),
  },
  actions: {
    addReader: enqueueActions(({ context: { series }, enqueue }, ref: SeriesRef) => {
      const entry = series.get(ref)
      const wanted = entry === undefined ? initialSeries : { ...entry, readers: entry.readers + 1, refusal: undefined }
      enqueue.assign({ series: new Map(series).set(ref, wanted) })
      if (entry === undefined) enqueue.sendTo('cache', { type: 'seriesCache.load', ref } satisfies SeriesCacheCommand)
    }),
    removeReader: assign(({ context: { series } }, ref: SeriesRef) => {
      const entry = series.get(ref)
      if (entry === undefined || entry.readers === 0) return {}
      const others = new Map(series)
      others.delete(ref)
      return { series: withoutSurplus(others.set(ref, { ...entry, readers: entry.readers - 1 })) }
    }),
    assignStored: assign(({ context }, { ref, points }: ReceivedPoints) =>
      changed(context, ref, entry =>
        entry.isRestored ? {} : { isRestored: true, points: mergePoints(points, entry.points) },
      ),
    ),
    assignPoints: assign(({ context }, { ref, points }: ReceivedPoints) =>
      changed(context, ref, entry =>
        entry.isSubscribed ? { isAnswered: true, refusal: undefined, points: mergePoints(entry.points, points) } : {},
      ),
    ),
    store: enqueueActions(({ context, enqueue }, ref: SeriesRef) => {
      const entry = context.series.get(ref)
      if (entry?.isSubscribed === true)
        enqueue.sendTo('cache', { type: 'seriesCache.save', ref, points: entry.points } satisfies SeriesCacheCommand)
    }),
    clear: assign(({ context: { series } }) => ({
      series: new Map(
        [...series].flatMap(([ref, { readers }]) =>
          readers > 0 ? [[ref, { ...initialSeries, readers, isRestored: true }] as const] : [],
        ),
      ),
    })),
    /** Subscribes to series with readers and unsubscribes from the others. */
    updateSubscriptions: enqueueActions(({ context, enqueue }) => {
      const series = new Map(context.series)
      for (const [ref, entry] of context.series) {
        const isWanted = entry.readers > 0 && entry.isRestored
        if (isWanted === entry.isSubscribed) continue
        series.set(ref, { ...entry, isSubscribed: isWanted })
        const command: SeriesSocketCommand = isWanted
          ? { type: 'seriesSocket.subscribe', ref, since: entry.points.at(-1)?.at }
          : { type: 'seriesSocket.unsubscribe', ref }
        enqueue.sendTo('socket', command)
      }
      enqueue.assign({ series })
    }),
    unsubscribeAll: enqueueActions(({ context, enqueue }) => {
      for (const [ref, { isSubscribed }] of context.series)
        if (isSubscribed)
          enqueue.sendTo('socket', { type: 'seriesSocket.unsubscribe', ref } satisfies SeriesSocketCommand)
    }),
  },
}).createMachine({
  id: 'series',
  description: 'Points over time: stored ones, and those that the statistics socket sends while there are readers.',
  context: { series: new Map(), attempts: 0 },
  invoke: { src: 'seriesCache', id: 'cache' },
  initial: 'idle',
  on: {
    'series.want': { actions: { type: 'addReader', params: ({ event }) => event.ref } },
    'series.release': { actions: { type: 'removeReader', params: ({ event }) => event.ref } },
    'series.restored': { actions: { type: 'assignStored', params: ({ event }) => event } },
    'series.clearPersonal': { actions: 'clear' },
  },
  states: {
    idle: {
      description: 'No readers, no connection.',
      always: { guard: 'hasReaders', target: 'connection' },
    },
    connection: {
      invoke: { src: 'seriesSocket', id: 'socket', onError: 'waiting' },
      exit: assign(({ context: { series } }) => ({
        series: new Map([...series].map(([ref, entry]) => [ref, { ...entry, isSubscribed: false }])),
      })),
      initial: 'connecting',
      on: { 'seriesSocket.closed': 'waiting' },
      states: {
        connecting: { after: { connectTimeout: '#series.waiting' }, on: { 'seriesSocket.opened': 'open' } },
        open: {
          entry: [assign({ attempts: 0 }), 'updateSubscriptions'],
          initial: 'subscribed',
          on: {
            'series.want': {
              actions: [{ type: 'addReader', params: ({ event }) => event.ref }, 'updateSubscriptions'],
            },
            'series.release': {
              actions: [{ type: 'removeReader', params: ({ event }) => event.ref }, 'updateSubscriptions'],
            },
            'series.restored': {
              actions: [{ type: 'assignStored', params: ({ event }) => event }, 'updateSubscriptions'],
            },
            'series.received': {
              actions: [
                { type: 'assignPoints', params: ({ event }) => event },
                { type: 'store', params: ({ event }) => event.ref },
              ],
            },
            'series.refused': {
              actions: assign(({ context, event }) =>
                changed(context, event.ref, () => ({ isAnswered: true, refusal: event.message })),
              ),
            },
            'series.clearPersonal': { actions: ['unsubscribeAll', 'clear'] },
          },
          states: {
            subscribed: { always: { guard: 'hasNoReaders', target: 'unused' } },
            unused: {
              description: 'No readers. The connection stays open for a while in case one comes back.',
              always: { guard: 'hasReaders', target: 'subscribed' },
              after: { unsubscribeDelay: '#series.idle' },
            },
          },
        },
      },
    },
    waiting: {
      tags: 'offline',
      exit: assign({ attempts: ({ context }) => context.attempts + 1 }),
      always: { guard: 'hasNoReaders', target: 'idle' },
      after: { reconnectDelay: 'connection' },
      on: { 'series.check': 'connection' },
    },
  },
})

export type SeriesSnapshot = SnapshotFrom<typeof seriesMachine>

/** Milliseconds until the next attempt, without random jitter. */
export function seriesWait({ attempts }: SeriesContext): number {
  return backOffDelay(attempts + 1, { first: 1000, most: 60_000 })
}

function changed(
  { series }: SeriesContext,
  ref: SeriesRef,
  change: (entry: Series) => Partial<Series>,
): Partial<Pick<SeriesContext, 'series'>> {
  const entry = series.get(ref)
  return entry === undefined ? {} : { series: new Map(series).set(ref, { ...entry, ...change(entry) }) }
}

/** Without those that were released longest ago. */
function withoutSurplus(series: ReadonlyMap<SeriesRef, Series>): ReadonlyMap<SeriesRef, Series> {
  const unread = [...series].filter(([, { readers }]) => readers === 0)
  const surplus = new Set(unread.slice(0, Math.max(0, unread.length - MOST_UNREAD)).map(([ref]) => ref))
  return surplus.size === 0 ? series : new Map([...series].filter(([ref]) => !surplus.has(ref)))
}
