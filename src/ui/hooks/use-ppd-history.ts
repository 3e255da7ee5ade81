import { useSelector } from './use-selector.ts'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import {
  clientPoints,
  clientTrend,
  ppdHistoryOf,
  prepareSpans,
  runningSpanOf,
  type ClientPoints,
  type ClientSpans,
  type PointSpan,
  type PpdHistory,
} from '../../folding/fleet/ppd-history.ts'
import { emptyHistory, type History } from '../../folding/unit/history.ts'
import { unitsOf } from '../../folding/client/client.ts'
import type { System } from '../../machines/app/system.ts'
import { selectView } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectClientKeyOf } from '../../machines/connection/fleet/fleet.selectors.ts'
import type { HistoryReader } from '../../machines/units/history/history.events.ts'
import type { HistoryRef } from '../../machines/units/history/history.machine.ts'
import { MOST_REQUESTED } from '../../machines/units/history/history.requests.ts'
import { isHistoryLoading } from '../../machines/units/history/history.selectors.ts'
import { useClock, useSystem } from './system-context.ts'
import { whileSeen } from './while-seen.ts'

/** Clients of a large fleet end units every second: after an update the next one follows this much later. Milliseconds. */
const INTERVAL = 5000
/** Units whose points are computed at once, in a few milliseconds. */
const PART = 4000
const MINUTE = 60_000

type PpdHistoryStore = {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => PpdHistory
  /** For readers that do not subscribe but read again: what is known, which is updated afterwards. */
  readonly readSoon: () => PpdHistory
  /** The units of which `read` has the points. */
  readonly readUnits: () => History['units']
}

function createPpdHistoryStore(history: HistoryRef): PpdHistoryStore {
  const listeners = new Set<() => void>()
  const unitsNow = () => history.getSnapshot().context.history.units
  let units: ReturnType<typeof unitsNow> | undefined
  let current = emptyHistory.units
  let spans: PpdHistory = new Map()
  let subscription: { unsubscribe: () => void } | undefined
  /** Runs while parts are computed, and until the next update is due. */
  let timer: ReturnType<typeof setTimeout> | undefined
  const proceed = (): void => {
    timer = undefined
    update()
  }
  const update = (): void => {
    const now = unitsNow()
    if (now === units || timer !== undefined) return
    units = now
    const rest = now.values()
    const computePart = (): void => {
      if (prepareSpans(rest, PART)) {
        timer = setTimeout(computePart)
        return
      }
      spans = ppdHistoryOf({ units: now }, spans)
      current = now
      // What follows an empty history is the stored one, which is shown at once.
      timer = now.size === 0 ? undefined : setTimeout(proceed, INTERVAL)
      listeners.forEach(listener => listener())
    }
    computePart()
  }
  return {
    subscribe: whileSeen(listener => {
      if (listeners.size === 0) {
        subscription = history.subscribe(update)
        update()
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) subscription?.unsubscribe()
      }
    }),
    read: () => spans,
    readSoon() {
      if (timer === undefined && unitsNow() !== units) timer = setTimeout(proceed)
      return spans
    },
    readUnits: () => current,
  }
}

const stores = new WeakMap<HistoryRef, PpdHistoryStore>()

function storeOf(history: HistoryRef): PpdHistoryStore {
  const cached = stores.get(history)
  if (cached !== undefined) return cached
  const created = createPpdHistoryStore(history)
  stores.set(history, created)
  return created
}

/**
 * Has clients asked for their units that ended while the component is shown: directly connected ones at once, those of the
 * account one after another. `machines`: ids of connections, the same list while they are the same.
 */
export function useHistoryOf(reader: HistoryReader, clients: readonly string[] | 'all'): void {
  const { history } = useSystem()
  useEffect(() => {
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader, machines: clients })
  }, [history, reader, clients])
  useEffect(() => () => history.send({ type: 'history.want', reader, machines: [] }), [history, reader])
}

/**
 * The points of units that ended, by the client's own id, from what is loaded of the history. Updated every five seconds
 * at most.
 */
export function usePpdHistory(): PpdHistory {
  const store = storeOf(useSystem().history)
  return useSyncExternalStore(store.subscribe, store.read)
}

/** The units that ended, of all clients, as far as they are loaded. Updated every five seconds at most. */
export function useEndedUnits(): History['units'] {
  const store = storeOf(useSystem().history)
  return useSyncExternalStore(store.subscribe, store.readUnits)
}

/** Whether the stored history is being loaded. */
export function useIsHistoryLoading(): boolean {
  return useSelector(useSystem().history, isHistoryLoading)
}

/** What is loaded of the history, for readers that do not subscribe but read again. */
export function knownHistory({ history }: System): PpdHistory {
  return storeOf(history).readSoon()
}

/** Usual PPD and points of a day of a client, by its own id, from what is loaded of the history. */
export function knownPoints(system: System, client: string | undefined, now: number): ClientPoints | undefined {
  const spans = client === undefined ? undefined : knownHistory(system).get(client)
  return spans === undefined ? undefined : clientPoints(spans, now)
}

/** Small charts show the last seven days: once in ten minutes is exact enough. */
const TREND_REFRESH = 10 * MINUTE

/** PPD of a client over the last seven days (`clientTrend`), by its own id; undefined until it has a history. */
export function useClientTrend(client: string | undefined): readonly number[] | undefined {
  const spans = usePpdHistory().get(client ?? '')
  const now = useClock(at => Math.floor(at / TREND_REFRESH)) * TREND_REFRESH
  return spans === undefined ? undefined : clientTrend(spans, now)
}

export type ShownClient = {
  /** Of the connection that is shown. */
  readonly id: string
  /** Its units that ended; undefined without a history. */
  readonly ended: ClientSpans | undefined
}

export type FleetPoints = {
  readonly spans: readonly PointSpan[]
  readonly clients: readonly ShownClient[]
  /** To which the spans of running units extend, epoch milliseconds: the present minute. */
  readonly until: number
}

/**
 * The points of clients over time: of units that ended, for which clients are asked, and of those that run now. `ids`: of
 * shown connections.
 */
export function useFleetPoints(ids: readonly string[]): FleetPoints {
  const { fleet } = useSystem()
  useHistoryOf('charts', ids.length > MOST_REQUESTED ? 'all' : ids)
  const history = usePpdHistory()
  const until = useClock(now => Math.floor(now / MINUTE)) * MINUTE
  return useMemo(() => {
    const snapshot = fleet.getSnapshot()
    const clients = ids.map(id => ({ id, ended: history.get(selectClientKeyOf(id)(snapshot) ?? id) }))
    const running = ids.flatMap(id => {
      const client = selectClientRef(id)(snapshot)?.getSnapshot()
      const view = client === undefined ? undefined : selectView(client)
      if (view?.isConnected !== true) return []
      return unitsOf(view.data).flatMap(unit => runningSpanOf(unit, until) ?? [])
    })
    return { spans: [...clients.flatMap(({ ended }) => ended?.spans ?? []), ...running], clients, until }
  }, [fleet, ids, history, until])
}
