import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import { daysFrom } from '../schedule/spans.ts'
import { drawOf, drawOfUnit, METER_VALID } from './draw.ts'
import {
  isPriced,
  pointsPerKwh,
  pointsPerMoney,
  sumOf,
  sumOfAll,
  usedBy,
  withSample,
  yearAtPace,
  type EnergyRecord,
  type Sample,
  type Used,
} from './energy.ts'
import {
  completedProfile,
  NO_POWER,
  parsePower,
  powerAfter,
  profileOfClient,
  type PowerProfile,
  type Tariff,
} from './power.ts'
import { hasOverlaps, MOST_INTERVALS, pricesIn, pricesInOrder, withPrices, type PriceContext } from './price.ts'

const HOUR = 3_600_000
const BERLIN: PriceContext = { timeZone: 'Europe/Berlin', lists: {} }
function at(text: string): number {
  return Date.parse(text)
}
function entered(watts: number) {
  return { watts, origin: 'entered' } as const
}
function guess(watts: number) {
  return { watts, origin: 'guess' } as const
}

const info = { cpus: 16, gpus: { 'gpu:01:00:00': {}, 'gpu:02:00:00': {} } }
const running = { state: 'RUN', pid: 1, start_time: '2026-11-26T00:00:00Z' }
const gpuUnit = { ...running, cpus: 1, gpus: ['gpu:01:00:00'] }
const cpuUnit = { ...running, cpus: 8, gpus: [] }
function view(units: readonly Unit[], isConnected = true) {
  return {
    isConnected,
    data: { info, config: {}, groups: {}, units: [...units] },
  }
}
const now = at('2026-11-26T10:00:00Z')
const profile: PowerProfile = { idle: entered(50), cpu: entered(100), gpus: { 'gpu:01:00:00': guess(300) } }

describe('what a machine draws', () => {
  test.each([
    ['nothing folds', view([]), { watts: 50, origin: 'entered' }],
    ['half of its CPUs fold', view([cpuUnit]), { watts: 100, origin: 'entered' }],
    ['units name more CPUs than there are', view([cpuUnit, cpuUnit, cpuUnit]), { watts: 150, origin: 'entered' }],
    ['a GPU of which the watts are guessed folds', view([gpuUnit, cpuUnit]), { watts: 400, origin: 'guess' }],
    ['a unit is paused', view([{ ...gpuUnit, pause_reason: 'Paused' }]), { watts: 50, origin: 'entered' }],
    [
      'a GPU of which nothing is known folds',
      view([{ ...gpuUnit, gpus: ['gpu:02:00:00'] }]),
      { watts: undefined, origin: 'entered' },
    ],
    ['it is disconnected', view([gpuUnit], false), { watts: undefined, origin: undefined }],
  ])('when %s', (_, client, expected) => {
    expect(drawOf(client, profile, now)).toEqual(expected)
  })

  it('is what a meter says, until it is silent', () => {
    const meter = { watts: 333, at: now - METER_VALID }
    expect(drawOf(view([gpuUnit], false), profile, now, meter)).toEqual({ watts: 333, origin: 'measured' })
    expect(drawOf(view([]), profile, now, { ...meter, at: meter.at - 1 })).toEqual({ watts: 50, origin: 'entered' })
  })

  it('is told of one unit without what the machine draws idle', () => {
    expect(drawOfUnit(gpuUnit, info, profile)).toEqual({ watts: 300, origin: 'guess' })
  })
})

describe('settings', () => {
  it('keep what was entered, never a guess, and forget a profile without figures', () => {
    const set = powerAfter(NO_POWER, { type: 'power.profile', machine: 'a', profile })
    expect(set.machines).toEqual({ a: { idle: entered(50), cpu: entered(100), gpus: {} } })
    expect(completedProfile(profileOfClient(set, 'a'), { ...profile, idle: guess(1) })).toEqual(profile)
    expect(powerAfter(set, { type: 'power.profile', machine: 'a', profile: { gpus: {} } }).machines).toEqual({})
    expect(powerAfter(set, { type: 'power.profile', machine: '__proto__', profile })).toBe(set)
  })

  it('of an import leave what is there', () => {
    const tariffs = { currency: 'EUR', timeZone: 'Europe/Berlin', price: null, co2: null }
    const current = { machines: { a: profile }, tariffs }
    const other = { machines: { a: { gpus: {} }, b: profile }, tariffs: { ...tariffs, currency: 'USD' } }
    expect(powerAfter(current, { type: 'power.import', power: other })).toEqual({
      machines: { a: profile, b: profile },
      tariffs,
    })
  })

  it('are read without what is none', () => {
    const input = {
      machines: { a: { idle: entered(50), gpus: {} }, b: { idle: entered(-1), gpus: {} }, c: 5, d: { gpus: {} } },
      tariffs: { currency: 'euro', timeZone: 'Europe/Berlin', price: null, co2: null },
    }
    expect(parsePower(input)).toEqual({ machines: { a: { idle: entered(50), gpus: {} } }, tariffs: undefined })
    expect(parsePower([])).toBeUndefined()
  })
})

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]
const nightly: Tariff = {
  kind: 'bands',
  bands: [
    { kind: 'week', days: [7], from: '00:00', until: '24:00', price: 0.1 },
    { kind: 'week', days: ALL_DAYS, from: '22:00', until: '06:00', price: 0.2 },
  ],
  otherwise: 0.4,
}

describe('prices', () => {
  test.each([
    ['2026-11-26T12:00:00+01:00', 0.4],
    ['2026-11-26T22:00:00+01:00', 0.2],
    ['2026-11-29T23:00:00+01:00', 0.1],
    ['2026-11-30T00:00:00+01:00', 0.2],
  ])('at %s are of the first band that applies', (text, price) => {
    expect(pricesIn(nightly, BERLIN, at(text), at(text) + 1)).toEqual([{ begin: at(text), end: at(text) + 1, price }])
  })

  test.each([
    ['2026-03-28', [8 + 7, 0.4]],
    ['2026-03-29', [23, 0.1]],
    ['2026-10-25', [25, 0.1]],
  ])('of the day %s cover all of its hours', (date, [hours, price]) => {
    const day = daysFrom(at(`${date}T12:00:00Z`), BERLIN.timeZone, 1)[0]
    const spans = pricesIn(nightly, BERLIN, day?.begin ?? 0, day?.end ?? 0)
    const time = spans.filter(span => span.price === price).reduce((sum, { begin, end }) => sum + end - begin, 0)
    expect(time / HOUR).toBe(date === '2026-03-28' ? 16 : hours)
  })

  it('of a list have gaps where no price is known, may be negative, and new ones count', () => {
    const existing = pricesInOrder([
      { begin: 2 * HOUR, end: 4 * HOUR, price: 0.5 },
      { begin: 0, end: HOUR, price: 0.3 },
      { begin: HOUR / 2, end: 2 * HOUR, price: 7 },
    ])
    const lists = { spot: withPrices(existing, [{ begin: 3 * HOUR, end: 5 * HOUR, price: -0.1 }]) }
    const spot: Tariff = { kind: 'list', input: 'spot' }
    expect(pricesIn(spot, { ...BERLIN, lists }, HOUR / 2, 6 * HOUR)).toEqual([
      { begin: HOUR / 2, end: HOUR, price: 0.3 },
      { begin: HOUR, end: 2 * HOUR, price: undefined },
      { begin: 2 * HOUR, end: 3 * HOUR, price: 0.5 },
      { begin: 3 * HOUR, end: 5 * HOUR, price: -0.1 },
      { begin: 5 * HOUR, end: 6 * HOUR, price: undefined },
    ])
    expect(pricesIn({ kind: 'list', input: 'other' }, { ...BERLIN, lists }, HOUR, 2 * HOUR)).toEqual([
      { begin: HOUR, end: 2 * HOUR, price: undefined },
    ])
  })

  it('cover any range, in order and without overlaps', () => {
    const interval = fc
      .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: -5, max: 5 }))
      .map(([begin, length, price]) => ({ begin, end: begin + length, price }))
    fc.assert(
      fc.property(fc.array(fc.array(interval)), fc.nat(200), fc.nat(100), (messages, from, length) => {
        const priceLists = messages.map(pricesInOrder)
        const lists = { spot: priceLists.reduce(withPrices, []) }
        const spans = pricesIn({ kind: 'list', input: 'spot' }, { timeZone: 'UTC', lists }, from, from + length)
        expect([from, ...spans.map(({ end }) => end)]).toEqual([...spans.map(({ begin }) => begin), from + length])
        expect(hasOverlaps(lists.spot)).toBe(false)
        for (const { begin, price } of spans)
          expect(price).toBe(priceLists.flat().findLast(entry => entry.begin <= begin && begin < entry.end)?.price)
      }),
    )
  })

  it('are merged in one pass over a list of two years', () => {
    let reads = 0
    const counted = (index: number) => ({
      begin: index,
      get end() {
        reads++
        return index + 1
      },
      price: 1,
    })
    const all = Array.from({ length: MOST_INTERVALS }, (_, index) => counted(index))
    expect(withPrices(all, all.slice(-20_000))).toHaveLength(MOST_INTERVALS)
    expect(reads).toBeLessThan(10 * MOST_INTERVALS)
  })
})

const START = at('2026-03-28T00:00:00Z')
/** Samples of about four days around the change to daylight saving, in order, with gaps between them. */
const samples: fc.Arbitrary<readonly Sample[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 3 * HOUR }),
      time: fc.integer({ min: 1, max: 5 * HOUR }),
      watts: fc.integer({ min: 0, max: 2000 }),
      ppd: fc.integer({ min: 0, max: 30_000_000 }),
      origin: fc.constantFrom('measured', 'entered', 'guess'),
    }),
    { maxLength: 30 },
  )
  .map(parts => {
    let from = START
    return parts.map(({ gap, time, ...sample }) => {
      from += gap
      const made = { ...sample, from, until: from + time }
      from += time
      return made
    })
  })
const END = START + 30 * 8 * HOUR

const spotPrices = pricesInOrder(
  Array.from({ length: 400 }, (_, hour) => ({
    begin: START + hour * HOUR,
    end: START + (hour + 1) * HOUR,
    price: ((hour * 7) % 13) / 10 - 0.4,
  })).filter((_, hour) => hour % 11 !== 5),
)
const rates = {
  price: pricesIn({ kind: 'list', input: 'spot' }, { timeZone: 'UTC', lists: { spot: spotPrices } }, START, END),
  co2: pricesIn({ kind: 'fixed', price: 380 }, BERLIN, START, END),
}
function recordOf(all: readonly Sample[]): EnergyRecord {
  return all.reduce<EnergyRecord>((record, sample) => withSample(record, sample, rates), [])
}

function expectSame(a: Used, b: Used): void {
  for (const key of ['seconds', 'wattHours', 'points', 'cost', 'pricedWattHours', 'grams', 'gradedWattHours'] as const)
    expect(Math.abs(a[key] - b[key]), key).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a[key])) + 1e-6)
  expect(a.origin).toBe(b.origin)
}

describe('a record of energy', () => {
  it('has what its samples used, in any parts: quarter hours, or cut anywhere', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: START, max: END }), (all, cut) => {
        const record = recordOf(all)
        const whole = sumOf(record, START, END)
        expectSame(sumOfAll(all.map(sample => usedBy(sample, rates))), whole)
        expectSame(sumOfAll([sumOf(record, START, cut), sumOf(record, cut, END)]), whole)
        expect(whole.seconds).toBeLessThanOrEqual((END - START) / 1000)
      }),
    )
  })

  it('counts no time twice', () => {
    const sample: Sample = { from: START, until: START + HOUR, watts: 1000, ppd: 0, origin: 'entered' }
    const record = recordOf([sample, sample, { ...sample, from: START + HOUR / 2, until: START + 2 * HOUR }])
    expect(sumOf(record, START, END)).toMatchObject({ seconds: 7200, wattHours: 2000 })
  })

  it('earns money in hours with negative prices, and does not know the cost where a price is missing', () => {
    const sample: Sample = { from: START, until: START + HOUR, watts: 500, ppd: 24_000, origin: 'measured' }
    const earned = usedBy(sample, rates)
    expect(earned.cost).toBeCloseTo(-0.2)
    expect(isPriced(earned)).toBe(true)
    expect(pointsPerMoney(earned)).toBeUndefined()
    expect(pointsPerKwh(earned)).toBe(2000)
    const unknown = usedBy({ ...sample, from: START + 5 * HOUR, until: START + 7 * HOUR }, rates)
    expect(unknown.wattHours).toBe(1000)
    expect(unknown.pricedWattHours).toBe(500)
    expect(isPriced(unknown)).toBe(false)
    expect(pointsPerMoney(unknown)).toBeUndefined()
  })

  it('has a pace after an hour', () => {
    const used = usedBy({ from: START, until: START + 2 * HOUR, watts: 100, ppd: 0, origin: 'entered' }, rates)
    expect(yearAtPace(used, 2 * HOUR)?.wattHours).toBeCloseTo(100 * 24 * 365.25)
    expect(yearAtPace(used, HOUR - 1)).toBeUndefined()
  })
})
