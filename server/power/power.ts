/*
 * What machines draw, use and cost: recorded by the server that coordinates. A meter wins over figures that were entered, and
 * these over guesses; time of which nothing is known has no record. Times are epoch milliseconds.
 */
import { METER_VALID, type Draw } from '../../src/folding/power/draw.ts'
import {
  NO_RATES,
  NOTHING_USED,
  plus,
  SLOT,
  withSample,
  type Sample,
  type Segment,
  type Used,
} from '../../src/folding/power/energy.ts'
import type { PowerSettings } from '../../src/folding/power/power.ts'
import { NO_LISTS, pricesIn, pricesInOrder, type PriceInterval, type PriceList } from '../../src/folding/power/price.ts'
import type { MonthUse } from '../../src/folding/schedule/conditions.ts'
import { isTargetOf, type Schedule } from '../../src/folding/schedule/schedule.ts'
import { monthOf } from '../../src/folding/schedule/spans.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import type { PowerNews } from '../machines/schedules/schedules.events.ts'
import type { ListedClient } from '../news.ts'
import { createKeeper } from '../store/keeper.ts'
import { MOST_LISTS, type PowerStore, type StoredSegment } from '../store/power-store.ts'
import { drawNow, foldingWatts, isGuessed, profileOf } from './client-power.ts'
import { afterReading, NO_METER, type Metered, type MeterState } from './meter.ts'
import type { Reading } from './meter-payloads.ts'

/** The key under which the energy of the house is recorded. */
export const HOUSE = ''

export type PowerDeps = {
  readonly store: PowerStore
  /** What was entered of machines and prices. */
  readonly readSettings: () => Promise<PowerSettings>
  readonly meters: readonly MeterSettings[]
  readonly machines: () => readonly ListedClient[]
  readonly sampleSeconds: number
  readonly keepSamplesDays: number
  readonly now: () => number
  /** Prices or settings changed, or a sample was taken. */
  readonly onChange: () => void
  /** The watts of a meter, as an input of schedules; at most once in some seconds. */
  readonly onWatts: (name: string, watts: number) => void
  readonly onError: (error: unknown) => void
}

export type MeterStatus = {
  readonly name: string
  readonly machine: string | undefined
  readonly watts: number | undefined
  readonly at: number | undefined
}

/** What a client draws now, and all that it has used. */
export type ClientPower = Draw & { readonly total: Used }

export type Power = {
  readonly settings: () => PowerSettings
  readonly lists: () => Readonly<Record<string, PriceList>>
  readonly meters: () => readonly MeterStatus[]
  /** By the client's key; `HOUSE` for the meters of the house. */
  readonly of: (client: string | undefined) => ClientPower | undefined
  /** Reads the settings again. */
  readonly reload: () => Promise<void>
  /** Resolves when stored. `full`: there are too many lists. */
  readonly receivePrices: (input: string, intervals: readonly PriceInterval[]) => Promise<'received' | 'full'>
  readonly receiveReading: (meter: string, reading: Reading) => void
  /** What schedules depend on. */
  readonly news: (schedules: readonly Schedule[]) => PowerNews
  /** Loads what the months of these schedules have used. */
  readonly follow: (schedules: readonly Schedule[]) => Promise<void>
  readonly stop: () => Promise<void>
}

const HOUR_MS = 3_600_000
const INPUT_MS = 5000
const DAY_MS = 24 * HOUR_MS
/** What waits for a database that takes no writes. */
const MOST_WAITING = 200_000

type Ledger = { readonly since: number; readonly used: Map<string, Used> }

export const createPower = async (deps: PowerDeps): Promise<Power> => {
  const { store, now, onError } = deps
  let power = await deps.readSettings()
  let lists = await store.prices()
  const begun = now()
  const totals = new Map(await store.usedSince(0))
  /** The segment that grows, by clients. */
  const open = new Map<string, Segment>()
  for (const { machine: client, ...segment } of await store.energy({ from: begun - SLOT }, MOST_WAITING))
    open.set(client, segment)
  const waiting = new Map<string, StoredSegment>()
  const ledgers = new Map<string, Ledger>()
  const meters = new Map(deps.meters.map(({ name }): [string, MeterState] => [name, NO_METER]))
  const metered = new Map<string, Metered[]>()
  const toldAt = new Map<string, number>()
  const draws = new Map<string, Draw>()
  /** Points per day of clients when they last folded. */
  const speeds = new Map<string, number>()
  const keeper = createKeeper({ onError, most: 2 })
  let sampledAt = begun
  let compactedAt = 0

  const ratesIn = (from: number, until: number) => {
    const { tariffs } = power
    if (tariffs === undefined) return NO_RATES
    const context = { timeZone: tariffs.timeZone, lists }
    return {
      price: pricesIn(tariffs.price, context, from, until),
      co2: pricesIn(tariffs.co2, context, from, until),
    }
  }

  /** What clients have used in the month that an instant is in, unless that is over. */
  const ledgerAt = (timeZone: string, at: number): Map<string, Used> | undefined => {
    const ledger = ledgers.get(timeZone)
    const { begin } = monthOf(at, timeZone)
    if (ledger === undefined || ledger.since > begin) return undefined
    if (ledger.since === begin) return ledger.used
    const used = new Map<string, Used>()
    ledgers.set(timeZone, { since: begin, used })
    return used
  }

  const record = (client: string, sample: Sample): void => {
    const last = open.get(client)
    const from = Math.max(sample.from, last?.until ?? sample.from)
    if (from >= sample.until) return
    for (const part of withSample([], { ...sample, from }, ratesIn(from, sample.until))) {
      const before = open.get(client)
      const isSame = before !== undefined && Math.floor(before.from / SLOT) === Math.floor(part.from / SLOT)
      const segment = isSame ? { ...plus(before, part), from: before.from, until: part.until } : part
      open.set(client, segment)
      waiting.set(`${client} ${segment.from}`, { ...segment, machine: client })
      totals.set(client, plus(totals.get(client) ?? NOTHING_USED, part))
      for (const timeZone of ledgers.keys()) {
        const used = ledgerAt(timeZone, part.from)
        used?.set(client, plus(used.get(client) ?? NOTHING_USED, part))
      }
    }
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(oldest)
    }
  }

  const write = async (): Promise<void> => {
    const written = [...waiting]
    await store.addEnergy(written.map(([, segment]) => segment))
    for (const [key, segment] of written) if (waiting.get(key) === segment) waiting.delete(key)
    const at = now()
    if (at - compactedAt < HOUR_MS) return
    compactedAt = at
    const before = at - deps.keepSamplesDays * DAY_MS
    while (await store.compactEnergy(before, power.tariffs?.timeZone ?? 'UTC'));
  }

  const metersOf = ({ address, givenName }: Pick<ListedClient, 'address' | 'givenName'>): readonly MeterSettings[] =>
    deps.meters.filter(({ machine: named }) => named !== undefined && (named === address || named === givenName))

  /** What the meters of a client counted since the last sample; undefined when they said nothing. */
  const takeMetered = (own: readonly MeterSettings[]): Metered | undefined => {
    const parts = own.flatMap(({ name }) => metered.get(name) ?? [])
    for (const { name } of own) metered.delete(name)
    if (parts.length === 0) return undefined
    return {
      from: Math.min(...parts.map(({ from }) => from)),
      until: Math.max(...parts.map(({ until }) => until)),
      wattHours: parts.reduce((sum, part) => sum + part.wattHours, 0),
    }
  }

  const recordMetered = (client: string, { from, until, wattHours }: Metered, ppd: number): void => {
    const begin = Math.max(from, open.get(client)?.until ?? from)
    if (begin < until)
      record(client, { from: begin, until, watts: (wattHours * HOUR_MS) / (until - begin), ppd, origin: 'measured' })
  }

  /** The watts that meters say now, together; undefined while one of them is silent. */
  const wattsOf = (own: readonly MeterSettings[], at: number): number | undefined => {
    const readings = own.map(({ name }) => meters.get(name)?.power)
    const isKnown = own.length > 0 && readings.every(reading => reading !== undefined && at - reading.at <= METER_VALID)
    return isKnown ? readings.reduce((sum, reading) => sum + (reading?.watts ?? 0), 0) : undefined
  }

  const sampleClient = (client: ListedClient, at: number): void => {
    const { id, summary } = client
    if (id === undefined) return
    if (summary.ppd > 0) speeds.set(id, summary.ppd)
    const own = metersOf(client)
    const watts = wattsOf(own, at)
    const draw: Draw =
      watts === undefined ? drawNow(client, power, at) : { watts: Math.max(0, watts), origin: 'measured' }
    draws.set(id, draw)
    const part = takeMetered(own)
    // What a counter has counted is told when it is heard again.
    const isCounted = own.some(({ name }) => meters.get(name)?.counter !== undefined)
    if (part !== undefined) recordMetered(id, part, summary.ppd)
    else if (!isCounted && draw.watts !== undefined && draw.origin !== 'measured' && at - sampledAt <= METER_VALID)
      record(id, { from: sampledAt, until: at, watts: draw.watts, ppd: summary.ppd, origin: draw.origin ?? 'entered' })
  }

  const sample = (): void => {
    const at = now()
    for (const client of deps.machines()) sampleClient(client, at)
    const house = deps.meters.filter(({ machine: named }) => named === undefined)
    const part = takeMetered(house)
    if (part !== undefined) recordMetered(HOUSE, part, 0)
    const watts = wattsOf(house, at)
    if (house.length > 0) draws.set(HOUSE, { watts, origin: watts === undefined ? undefined : 'measured' })
    sampledAt = at
    void keeper.keep('energy', write)
    deps.onChange()
  }
  const timer = setInterval(sample, deps.sampleSeconds * 1000)

  const ledgerOf = async (timeZone: string): Promise<void> => {
    const { begin } = monthOf(now(), timeZone)
    if (ledgers.get(timeZone)?.since === begin) return
    ledgers.set(timeZone, { since: begin, used: new Map(await store.usedSince(begin)) })
  }
  const isBudget = ({ rules }: Schedule): boolean => rules.some(({ kind }) => kind === 'budget')

  const monthUse = (schedule: Schedule, clients: readonly ListedClient[], at: number): MonthUse | undefined => {
    const month = monthOf(at, schedule.timeZone)
    const used = ledgerAt(schedule.timeZone, at)
    if (used === undefined) return undefined
    const own = clients.filter(client => schedule.targets.some(target => isTargetOf(target, client)))
    const parts = own.map(({ id }) => (id === undefined ? NOTHING_USED : (used.get(id) ?? NOTHING_USED)))
    const { tariffs } = power
    const isPriced = tariffs !== undefined && ratesIn(at, at + 1).price[0]?.price !== undefined
    const isMoney = schedule.rules.some(rule => rule.kind === 'budget' && rule.unit === 'money')
    return {
      since: month.begin,
      kWh: parts.reduce((sum, { wattHours }) => sum + wattHours / 1000, 0),
      money: parts.reduce((sum, { cost }) => sum + cost, 0),
      isKnown:
        (!isMoney || isPriced) &&
        own.every(({ id, isConnected }) => !isConnected || (id !== undefined && draws.get(id)?.watts !== undefined)),
    }
  }

  const powered = (client: ListedClient, at: number) => {
    const { address, tags, id, isConnected, data } = client
    if (id === undefined || data === undefined) return []
    const profile = profileOf(client, power)
    const draw = draws.get(id) ?? drawNow(client, power, at)
    return [
      {
        address,
        tags,
        watts: isConnected ? foldingWatts(data, profile) : undefined,
        idle: profile.idle?.watts,
        isGuess: isGuessed(profile),
        drawn: Math.max(0, (draw.watts ?? 0) - (profile.idle?.watts ?? 0)),
        ppd: speeds.get(id) ?? 0,
      },
    ]
  }

  return {
    settings: () => power,
    lists: () => lists,
    meters: () =>
      deps.meters.map(({ name, machine: named }) => {
        const last = meters.get(name)?.power
        return { name, machine: named, watts: last?.watts, at: last?.at }
      }),
    of: client => {
      const total = client === undefined ? undefined : totals.get(client)
      const draw = client === undefined ? undefined : draws.get(client)
      return total === undefined && draw === undefined
        ? undefined
        : { watts: draw?.watts, origin: draw?.origin, total: total ?? NOTHING_USED }
    },
    reload: async () => {
      power = await deps.readSettings()
      deps.onChange()
    },
    receivePrices: (input, intervals) =>
      keeper.inTurn(async () => {
        const known = Object.hasOwn(lists, input)
        if (!known && Object.keys(lists).length >= MOST_LISTS) return 'full'
        const [first] = intervals
        if (first === undefined) return 'received'
        const next = pricesInOrder([...((known ? lists : NO_LISTS)[input] ?? []), ...intervals])
        const to = Math.max(...intervals.map(({ end }) => end))
        await store.savePrices(input, next, Math.min(...intervals.map(({ begin }) => begin)), to)
        lists = { ...lists, [input]: next }
        deps.onChange()
        return 'received'
      }),
    receiveReading: (name, reading) => {
      const state = meters.get(name)
      if (state === undefined) return
      const told = afterReading(state, reading, now())
      meters.set(name, told.state)
      if (told.metered !== undefined) metered.set(name, [...(metered.get(name) ?? []), told.metered])
      const at = told.state.power?.at ?? 0
      if (reading.watts === undefined || at - (toldAt.get(name) ?? 0) < INPUT_MS) return
      toldAt.set(name, at)
      deps.onWatts(name, reading.watts)
    },
    news: schedules => {
      const at = now()
      const clients = deps.machines()
      const { tariffs } = power
      return {
        prices:
          tariffs === undefined
            ? undefined
            : { tariff: tariffs.price, timeZone: tariffs.timeZone, currency: tariffs.currency, lists },
        clients: clients.flatMap(client => powered(client, at)),
        used: Object.fromEntries(
          schedules.filter(isBudget).flatMap(schedule => {
            const used = monthUse(schedule, clients, at)
            return used === undefined ? [] : [[schedule.id, used]]
          }),
        ),
      }
    },
    follow: async schedules => {
      for (const { timeZone } of schedules.filter(isBudget)) await ledgerOf(timeZone)
    },
    stop: async () => {
      clearInterval(timer)
      await keeper.keep('energy', write)
      await keeper.stop()
    },
  }
}
