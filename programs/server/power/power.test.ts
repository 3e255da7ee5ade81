import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PowerSettings } from '../../../src/folding/power/power.ts'
import { emptySummary } from '../../../src/folding/client/totals.ts'
import type { Schedule } from '../../../src/folding/schedule/schedule.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { running as runningUnit } from '../../../test/folding/incidents.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import type { ListedClient } from '../news.ts'
import { openServerStore } from '../store/sqlite.ts'
import type { ServerStore } from '../store/store.ts'
import { createPower, HOUSE, type Power } from './power.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.parse('2027-01-04T12:00:00Z')
const GPU = 'gpu:01:00:00'

const settings: PowerSettings = {
  machines: {
    attic: {
      idle: { watts: 60, origin: 'entered' },
      cpu: { watts: 40, origin: 'entered' },
      gpus: { [GPU]: { watts: 300, origin: 'entered' } },
    },
  },
  tariffs: {
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    price: { kind: 'list', input: 'spot' },
    co2: { kind: 'fixed', price: 400 },
  },
}

function attic(change: Partial<ListedClient> = {}): ListedClient {
  return {
    name: 'attic',
    id: 'attic',
    isConnected: true,
    problem: 0,
    summary: { ...emptySummary, clients: 1, ppd: 8_640_000 },
    data: {
      ...dataOf('attic', 'attic'),
      info: { id: 'attic', cpus: 8, gpus: { [GPU]: { supported: true } } },
      groups: { '': { config: { cpus: 4, gpus: { [GPU]: { enabled: true } } } } },
      units: [runningUnit({ gpus: [GPU], cpus: 1 })],
    },
    lastMessageAt: NOON,
    asOf: undefined,
    number: 1,
    address: '192.168.1.5:7396',
    commands: ['state'],
    tags: [],
    givenName: 'attic',
    excess: undefined,
    ...change,
  }
}
const budget: Schedule = {
  id: 'budget',
  name: 'Budget',
  isEnabled: true,
  targets: [{ kind: 'all', name: '' }],
  timeZone: 'Europe/Berlin',
  rules: [{ kind: 'budget', amount: 1, unit: 'money', state: 'finish' }],
  otherwise: 'fold',
  finishMinutes: 0,
}

let store: ServerStore
const running: Power[] = []
beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ['setInterval', 'clearInterval', 'Date'] })
  store = await openServerStore(undefined)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(power => power.stop()))
  await store.close()
  vi.useRealTimers()
})

/** A sample has a turn of the event loop of its own, and what follows from it another one. */
async function everySampled() {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

async function start(meters: readonly MeterSettings[] = [], clients: readonly ListedClient[] = [attic()]) {
  const watts: [string, number][] = []
  let listed = clients
  const power = await createPower({
    store: store.power,
    readSettings: () => Promise.resolve(settings),
    meters,
    machines: () => listed,
    sampleSeconds: 60,
    keepSamplesDays: 14,
    now: Date.now,
    onChange: () => undefined,
    onWatts: (name, value) => watts.push([name, value]),
    onError: error => {
      throw error
    },
  })
  running.push(power)
  const minutes = async (count: number, each?: () => void): Promise<void> => {
    for (let minute = 0; minute < count; minute++) {
      each?.()
      vi.advanceTimersByTime(MINUTE)
      await everySampled()
    }
    await power.receivePrices('none', [])
  }
  return { power, watts, minutes, list: (next: readonly ListedClient[]) => (listed = next) }
}
async function stored(client = 'attic') {
  return (await store.power.energy({ machine: client }, 100)).map(
    ({ from, until, seconds, wattHours, cost, origin }) => ({
      minutes: [(from - NOON) / MINUTE, (until - NOON) / MINUTE],
      seconds,
      wattHours: Math.round(wattHours * 100) / 100,
      cost: Math.round(cost * 1e6) / 1e6,
      origin,
    }),
  )
}

test('what was entered is recorded by quarters of an hour with the prices of the time, and a machine that is away not', async () => {
  const { power, minutes, list } = await start()
  await power.receivePrices('spot', [{ begin: NOON, end: NOON + 10 * MINUTE, price: 0.5 }])
  await minutes(20)
  list([attic({ isConnected: false })])
  await minutes(10)
  expect(await stored()).toEqual([
    { minutes: [0, 15], seconds: 900, wattHours: 90, cost: 0.03, origin: 'entered' },
    { minutes: [15, 20], seconds: 300, wattHours: 30, cost: 0, origin: 'entered' },
  ])
  const { watts, total } = power.of('attic') ?? {}
  expect([watts, total?.wattHours, total?.points, total?.grams].map(value => value?.toFixed(3))).toEqual([
    undefined,
    '120.000',
    '120000.000',
    '48.000',
  ])
})

test('a meter wins; a counter goes on while it is silent, and what only watts say has gaps', async () => {
  const meters: readonly MeterSettings[] = [
    { name: 'plug', machine: 'attic', kind: 'tasmota', unit: 'W' },
    { name: 'house', kind: 'value', unit: 'W' },
  ]
  const { power, watts, minutes } = await start(meters)
  power.receiveReading('plug', { watts: 200, wattHours: 1000 })
  let counted = 1000
  const count = (): void => power.receiveReading('plug', { watts: 240, wattHours: (counted += 4) })
  await minutes(5, count)
  await minutes(7)
  expect(power.of('attic')?.origin).toBe('entered')
  counted += 20
  await minutes(1, count)
  expect(power.of('attic')).toMatchObject({ watts: 240, origin: 'measured' })
  const sum = (await stored()).reduce((total, { wattHours }) => total + wattHours, 0)
  expect(sum).toBe(44)
  expect((await stored()).every(({ origin }) => origin === 'measured')).toBe(true)
  await minutes(3, () => power.receiveReading('house', { watts: 600 }))
  expect((await stored(HOUSE)).map(({ wattHours }) => wattHours)).toEqual([20])
  expect(watts.filter(([name]) => name === 'house')).toHaveLength(3)
  expect(power.meters()).toMatchObject([
    { name: 'plug', machine: 'attic', watts: 240 },
    { name: 'house', watts: 600 },
  ])
})

test('energy that a counter counts while no server runs is spread over that time, unless the meter is another one', async () => {
  const plug: MeterSettings = { name: 'plug', machine: 'attic', kind: 'shelly-plus', topic: 'plug', unit: 'W' }
  const first = await start([plug])
  const count = (from: number) => {
    let wattHours = from
    return (power: Power) => () => power.receiveReading('plug', { watts: 240, wattHours: (wattHours += 4) })
  }
  await first.minutes(5, count(1000)(first.power))
  await running.pop()?.stop()
  const wattHoursOf = async () => {
    const rows = await store.power.energy({ machine: 'attic' }, 1000)
    return rows.reduce((sum, row) => sum + row.wattHours, 0)
  }
  expect(await wattHoursOf()).toBe(16)

  vi.setSystemTime(NOON + 12 * HOUR)
  const second = await start([plug])
  await second.minutes(2)
  expect(await wattHoursOf()).toBe(16)
  await second.minutes(1, () => second.power.receiveReading('plug', { wattHours: 1020 + 1200 }))
  expect(await wattHoursOf()).toBeCloseTo(16 + 1200)
  const rows = await store.power.energy({ machine: 'attic' }, 1000)
  expect(rows.length).toBeGreaterThan(47)
  // 100 W are what it draws idle and an eighth of what folding adds.
  expect(rows.reduce((sum, { points }) => sum + points, 0) / (8_640_000 / 2 / 8)).toBeCloseTo(1.05, 2)
  await running.pop()?.stop()

  // Its counter has begun again: at least what it shows.
  vi.setSystemTime(NOON + 24 * HOUR)
  const third = await start([plug])
  await third.minutes(1, () => third.power.receiveReading('plug', { wattHours: 500 }))
  expect(await wattHoursOf()).toBeCloseTo(16 + 1200 + 500)
  await running.pop()?.stop()

  const other = await start([{ ...plug, topic: 'other' }])
  await other.minutes(1, () => other.power.receiveReading('plug', { wattHours: 900 }))
  expect(await wattHoursOf()).toBeCloseTo(16 + 1200 + 500)
})

test('a month is counted in the zone of its schedule, also over a restart, and says when a price is missing', async () => {
  const monthEnd = Date.parse('2027-01-31T22:50:00Z')
  vi.setSystemTime(monthEnd)
  const first = await start()
  await first.power.receivePrices('spot', [{ begin: monthEnd, end: monthEnd + 2 * HOUR, price: 1 }])
  await first.power.follow([budget])
  await first.minutes(5)
  expect(first.power.news([budget]).used?.['budget']).toMatchObject({ kWh: 0.03, isKnown: true })
  await running.pop()?.stop()
  const second = await start()
  await second.power.follow([budget])
  expect(second.power.news([budget]).used?.['budget']?.money).toBeCloseTo(0.03)
  await second.minutes(10)
  expect(second.power.news([budget]).used?.['budget']).toMatchObject({ since: monthEnd + 10 * MINUTE })
  expect(second.power.news([budget]).used?.['budget']?.kWh).toBeCloseTo(0.03)
  vi.setSystemTime(monthEnd + 3 * HOUR)
  expect(second.power.news([budget]).used?.['budget']?.isKnown).toBe(false)
})

test('what is recorded while a month is loaded is counted once', async () => {
  const { power, minutes } = await start()
  await minutes(5)
  const usedSince = store.power.usedSince
  const loading = vi.spyOn(store.power, 'usedSince').mockImplementation(async from => {
    const used = await usedSince(from)
    vi.advanceTimersByTime(MINUTE)
    await everySampled()
    return used
  })
  await power.follow([{ ...budget, timeZone: 'UTC' }])
  expect(loading).toHaveBeenCalledTimes(2)
  await minutes(1)
  for (const timeZone of ['UTC', 'Europe/Berlin'])
    expect(power.news([{ ...budget, timeZone }]).used?.['budget']?.kWh).toBeCloseTo(0.048, 6)
})

test('what folding adds follows from the settings of the machine, also while it is paused', async () => {
  const { power, minutes, list } = await start()
  await power.follow([])
  await minutes(1)
  expect(power.news([]).clients).toEqual([
    {
      address: '192.168.1.5:7396',
      tags: [],
      watts: 320,
      idle: 60,
      isOld: false,
      isGuess: false,
      drawn: 300,
      ppd: 8_640_000,
      used: { 'Europe/Berlin': { kWh: 0.006, money: 0 } },
    },
  ])
  const paused = attic({ summary: { ...emptySummary, clients: 1 } })
  list([{ ...paused, data: paused.data === undefined ? undefined : { ...paused.data, units: [] } }])
  await minutes(1)
  expect(power.news([]).clients).toMatchObject([{ watts: 320, drawn: 0, ppd: 8_640_000 }])
  list([attic({ isConnected: false })])
  expect(power.news([]).clients).toMatchObject([{ watts: undefined }])
  // What it draws now is not known from a state that is four minutes old.
  list([attic({ asOf: Date.now() - 4 * MINUTE })])
  expect(power.news([]).clients).toMatchObject([{ watts: 320, isOld: true }])
  await minutes(1)
  expect(power.news([]).clients?.[0]?.drawn).toBe(0)
  expect(power.of('attic')?.watts).toBeUndefined()
})
