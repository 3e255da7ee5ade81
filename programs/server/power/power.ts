/*
 * What machines draw, use and cost: recorded by the server that coordinates. A meter wins over figures that were entered, and
 * these over guesses; time of which nothing is known has no record. Times are epoch milliseconds.
 */
import { isOldState } from '../../../src/folding/client/old-state.ts'
import { METER_VALID, type Draw } from '../../../src/folding/power/draw.ts'
import { NO_RATES, NOTHING_USED, type Used } from '../../../src/folding/power/energy.ts'
import type { PowerSettings } from '../../../src/folding/power/power.ts'
import { pricesIn, withPrices, type PriceInterval, type PriceList } from '../../../src/folding/power/price.ts'
import type { MonthUse } from '../../../src/folding/schedule/conditions.ts'
import { isTargetOf, type Schedule } from '../../../src/folding/schedule/schedule.ts'
import { monthOf } from '../../../src/folding/schedule/spans.ts'
import type { MonthSum } from '../../../src/folding/schedule/surplus.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import { every } from '../event-loop.ts'
import type { PowerNews } from '../machines/schedules/schedules.events.ts'
import type { ListedClient } from '../news.ts'
import { createKeeper } from '../store/keeper.ts'
import { MOST_LISTS, type PowerStore } from '../store/power-store.ts'
import { drawNow, foldingWatts, isGuessed, profileOf } from './client-power.ts'
import { createEnergyBook } from './energy-book.ts'
import type { Metered } from './meter.ts'
import type { Reading } from './meter-payloads.ts'
import { createMeters, type MeterStatus } from './meters.ts'

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
  /** `intervals`: in order, without overlaps. Resolves when stored. `full`: there are too many lists. */
  readonly receivePrices: (input: string, intervals: readonly PriceInterval[]) => Promise<'received' | 'full'>
  /** Resolves when the list is removed, or there is none of this name. */
  readonly removePrices: (input: string) => Promise<boolean>
  readonly receiveReading: (meter: string, reading: Reading) => void
  /** Forgets what was learned of a meter. Resolves when stored, with whether there is one of this name. */
  readonly resetMeter: (meter: string) => Promise<boolean>
  /** What schedules depend on. */
  readonly news: (schedules: readonly Schedule[]) => PowerNews
  /** Loads what the months of these schedules have used. */
  readonly follow: (schedules: readonly Schedule[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Milliseconds between two values of a meter for schedules. */
const INPUT_MS = 5000
const HOUR_MS = 3_600_000

function isBudget({ rules }: Schedule): boolean {
  return rules.some(({ kind }) => kind === 'budget')
}

export async function createPower(deps: PowerDeps): Promise<Power> {
  const { store, now, onError } = deps
  let power = await deps.readSettings()
  let lists = await store.prices()
  const ratesIn = (from: number, until: number) => {
    const { tariffs } = power
    if (tariffs === undefined) return NO_RATES
    const context = { timeZone: tariffs.timeZone, lists }
    return {
      price: pricesIn(tariffs.price, context, from, until),
      co2: pricesIn(tariffs.co2, context, from, until),
    }
  }
  const timeZone = (): string => power.tariffs?.timeZone ?? 'UTC'
  /** Also of schedules without a budget, to which one may be added. */
  const zonesOf = (schedules: readonly Schedule[]): readonly string[] => [
    ...new Set([timeZone(), ...schedules.map(schedule => schedule.timeZone)]),
  ]
  const book = await createEnergyBook({ store, ratesIn, keepSamplesDays: deps.keepSamplesDays, timeZone, now })
  const meters = createMeters(deps.meters, await store.counters())
  const toldAt = new Map<string, number>()
  const draws = new Map<string, Draw>()
  /** Points per day of clients when they last folded. */
  const speeds = new Map<string, number>()
  const keeper = createKeeper({ onError, most: 2 })
  let sampledAt = now()
  const write = (): Promise<void> => book.write(meters.counters())
  const follow = (timeZones: readonly string[]): Promise<void> =>
    keeper.inTurn(() => book.follow(timeZones, meters.counters()))

  /** Points per day during a time; where the meter was not heard, they follow from how much of it the machine folded. */
  const ppdDuring = ({ from, until, wattHours }: Metered, client: ListedClient): number => {
    const { id, data, summary } = client
    const speed = id === undefined ? undefined : speeds.get(id)
    const profile = profileOf(client, power)
    const folding = data === undefined ? undefined : foldingWatts(data, profile)
    if (until - from <= METER_VALID || speed === undefined || folding === undefined || folding <= 0) return summary.ppd
    const added = (wattHours * HOUR_MS) / (until - from) - (profile.idle?.watts ?? 0)
    return speed * Math.min(1, Math.max(0, added / folding))
  }

  const sampleClient = (client: ListedClient, at: number): void => {
    const { id, summary } = client
    if (id === undefined) return
    if (summary.ppd > 0) speeds.set(id, summary.ppd)
    const clientMeters = meters.of(client)
    const measured = meters.watts(clientMeters, at)
    const draw: Draw =
      measured === undefined ? drawNow(client, power, at) : { watts: Math.max(0, measured), origin: 'measured' }
    draws.set(id, draw)
    const { watts, origin = 'entered' } = draw
    const part = meters.take(clientMeters)
    if (part !== undefined) book.addMetered(id, part, ppdDuring(part, client))
    else if (
      !meters.isCounting(clientMeters, at) &&
      watts !== undefined &&
      origin !== 'measured' &&
      at - sampledAt <= METER_VALID
    )
      book.add(id, { from: sampledAt, until: at, watts, ppd: summary.ppd, origin })
  }

  const sample = (): void => {
    const at = now()
    for (const client of deps.machines()) sampleClient(client, at)
    const house = meters.of(undefined)
    const part = meters.take(house)
    if (part !== undefined) book.addMetered(HOUSE, part, 0)
    const watts = meters.watts(house, at)
    if (house.length > 0) draws.set(HOUSE, { watts, origin: watts === undefined ? undefined : 'measured' })
    sampledAt = at
    void keeper.keep('energy', write)
    deps.onChange()
  }
  const stopSampling = every(deps.sampleSeconds * 1000, sample)

  const monthUse = (schedule: Schedule, clients: readonly ListedClient[], at: number): MonthUse | undefined => {
    const month = monthOf(at, schedule.timeZone)
    const used = book.inMonth(schedule.timeZone, at)
    if (used === undefined) return undefined
    const targeted = clients.filter(client => schedule.targets.some(target => isTargetOf(target, client)))
    const parts = targeted.map(({ id }) => (id === undefined ? NOTHING_USED : (used.get(id) ?? NOTHING_USED)))
    const { tariffs } = power
    const isPriced = tariffs !== undefined && ratesIn(at, at + 1).price[0]?.price !== undefined
    const isMoney = schedule.rules.some(rule => rule.kind === 'budget' && rule.unit === 'money')
    return {
      since: month.begin,
      kWh: parts.reduce((sum, { wattHours }) => sum + wattHours / 1000, 0),
      money: parts.reduce((sum, { cost }) => sum + cost, 0),
      isKnown:
        (!isMoney || isPriced) &&
        targeted.every(
          ({ id, isConnected }) => !isConnected || (id !== undefined && draws.get(id)?.watts !== undefined),
        ),
    }
  }

  /** What a client has used this month, by the zones of months that are followed. */
  const monthSums = (id: string, zones: readonly string[], at: number): Readonly<Record<string, MonthSum>> =>
    Object.fromEntries(
      zones.flatMap(zone => {
        const month = book.inMonth(zone, at)
        const used = month?.get(id) ?? NOTHING_USED
        return month === undefined ? [] : [[zone, { kWh: used.wattHours / 1000, money: used.cost }]]
      }),
    )

  const powered = (client: ListedClient, zones: readonly string[], at: number) => {
    const { address, tags, id, isConnected, data } = client
    if (id === undefined || data === undefined) return []
    const profile = profileOf(client, power)
    const draw = draws.get(id) ?? drawNow(client, power, at)
    return [
      {
        address,
        tags,
        watts: isConnected ? foldingWatts(data, profile) : undefined,
        isOld: isOldState(client, at),
        idle: profile.idle?.watts,
        isGuess: isGuessed(profile),
        drawn: Math.max(0, (draw.watts ?? 0) - (profile.idle?.watts ?? 0)),
        ppd: speeds.get(id) ?? 0,
        used: monthSums(id, zones, at),
      },
    ]
  }

  return {
    settings: () => power,
    lists: () => lists,
    meters: meters.list,
    of: client => {
      const total = client === undefined ? undefined : book.total(client)
      const draw = client === undefined ? undefined : draws.get(client)
      return total === undefined && draw === undefined
        ? undefined
        : { watts: draw?.watts, origin: draw?.origin, total: total ?? NOTHING_USED }
    },
    reload: async () => {
      power = await deps.readSettings()
      await follow([timeZone()]).finally(deps.onChange)
    },
    receivePrices: (input, intervals) =>
      keeper.inTurn(async () => {
        const hasList = Object.hasOwn(lists, input)
        if (!hasList && Object.keys(lists).length >= MOST_LISTS) return 'full'
        const [first] = intervals
        if (first === undefined) return 'received'
        const next = withPrices(hasList ? (lists[input] ?? []) : [], intervals)
        await store.savePrices(input, next, first.begin, intervals.at(-1)?.end ?? first.end)
        lists = { ...lists, [input]: next }
        deps.onChange()
        return 'received'
      }),
    removePrices: input =>
      keeper.inTurn(async () => {
        if (!Object.hasOwn(lists, input)) return false
        await store.removePrices(input)
        lists = Object.fromEntries(Object.entries(lists).filter(([name]) => name !== input))
        deps.onChange()
        return true
      }),
    receiveReading: (name, reading) => {
      const at = now()
      if (!meters.receive(name, reading, at) || reading.watts === undefined) return
      if (at - (toldAt.get(name) ?? 0) < INPUT_MS) return
      toldAt.set(name, at)
      deps.onWatts(name, reading.watts)
    },
    resetMeter: name =>
      keeper.inTurn(async () => {
        if (!meters.reset(name)) return false
        await store.forgetCounter(name)
        return true
      }),
    news: schedules => {
      const at = now()
      const clients = deps.machines()
      const zones = zonesOf(schedules)
      const { tariffs } = power
      return {
        prices:
          tariffs === undefined
            ? undefined
            : { tariff: tariffs.price, timeZone: tariffs.timeZone, currency: tariffs.currency, lists },
        clients: clients.flatMap(client => powered(client, zones, at)),
        used: Object.fromEntries(
          schedules.filter(isBudget).flatMap(schedule => {
            const used = monthUse(schedule, clients, at)
            return used === undefined ? [] : [[schedule.id, used]]
          }),
        ),
      }
    },
    follow: schedules => follow(zonesOf(schedules)),
    stop: async () => {
      stopSampling()
      await keeper.keep('energy', write)
      await keeper.stop()
    },
  }
}
