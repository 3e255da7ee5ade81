import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PriceInterval } from '../power/price.ts'
import { cheapestParts, clipped } from './cheapest.ts'
import {
  conditionsAhead,
  conditionsFor,
  nextConditions,
  silentInputs,
  type Circumstances,
  type MonthUse,
} from './conditions.ts'
import { conditionKey, decide, preview, type Conditions } from './decide.ts'
import { forecastOf } from './forecast.ts'
import type {
  BudgetRule,
  CheapestRule,
  ConditionalRule,
  HeatRule,
  InputRule,
  Schedule,
  SurplusRule,
} from './schedule.ts'
import { dailySpans, monthOf } from './spans.ts'
import { weekOf } from './week.ts'
import { byEfficiency, surplusPlan, type PoweredClient } from './surplus.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'Europe/Berlin'
function at(text: string): number {
  return Date.parse(text)
}

function scheduleOf(...rules: readonly ConditionalRule[]): Schedule {
  return {
    id: 'power',
    name: 'Power',
    isEnabled: true,
    targets: [{ kind: 'all', name: '' }],
    timeZone: ZONE,
    rules: [...rules],
    otherwise: 'pause',
    finishMinutes: 0,
  }
}
const six: CheapestRule = { kind: 'cheapest', hours: 6, from: '22:00', until: '07:00', state: 'fold' }
const budget: BudgetRule = { kind: 'budget', amount: 25, unit: 'money', state: 'finish' }
const roof: SurplusRule = {
  kind: 'surplus',
  input: 'roof',
  isLeft: false,
  hysteresis: 0,
  holdMinutes: 0,
  validMinutes: 10,
  state: 'fold',
}
const study: HeatRule = {
  kind: 'heat',
  input: 'study',
  target: 21,
  hysteresis: 0.5,
  holdMinutes: 0,
  validMinutes: 30,
  state: 'fold',
}

function withPrices(list: readonly PriceInterval[]): Circumstances {
  return {
    inputs: {},
    prices: { tariff: { kind: 'list', input: 'spot' }, timeZone: ZONE, currency: 'EUR', lists: { spot: list } },
  }
}
function hourly(begin: number, prices: readonly (number | undefined)[], length = HOUR): readonly PriceInterval[] {
  return prices.flatMap((price, index) =>
    price === undefined ? [] : [{ begin: begin + index * length, end: begin + (index + 1) * length, price }],
  )
}

/** Runs each minute or so, as the server does, and says when the rule applied. */
function walk(
  schedule: Schedule,
  from: number,
  to: number,
  step: number,
  circumstances: (at: number, conditions: Conditions) => Circumstances,
) {
  let conditions: Conditions = {}
  const on: number[] = []
  const [rule] = schedule.rules
  if (rule === undefined || rule.kind === 'week' || rule.kind === 'dates') throw new Error('No such rule')
  for (let now = from; now < to; now += step) {
    conditions = nextConditions([schedule], conditions, circumstances(now, conditions), now)
    if (conditions[conditionKey(schedule.id, rule)]?.isOn === true) on.push(now)
  }
  return { on, conditions }
}

describe('the cheapest hours', () => {
  test('no other choice of hours costs less', () => {
    const prices = fc.array(fc.option(fc.integer({ min: -20, max: 60 }), { nil: undefined }), {
      minLength: 1,
      maxLength: 10,
    })
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 10 }), (list, count) => {
        const spans = list.map((price, index) => ({ begin: index, end: index + 1, price }))
        const priced = spans.filter(span => span.price !== undefined)
        const chosen = cheapestParts(priced, count).flatMap(part => clipped(priced, part.begin, part.end))
        expect(chosen).toHaveLength(Math.min(count, priced.length))
        const cost = chosen.reduce((sum, { price = 0 }) => sum + price, 0)
        for (let set = 0; set < 2 ** priced.length; set++) {
          const other = priced.filter((_, index) => (set >> index) % 2 === 1)
          if (other.length === chosen.length)
            expect(other.reduce((sum, { price = 0 }) => sum + price, 0)).toBeGreaterThanOrEqual(cost)
        }
      }),
    )
  })

  test('are known ahead, so that a preview and a decision have them', () => {
    const begin = at('2027-01-04T21:00Z')
    const prices = withPrices(hourly(begin, [9, 8, 1, 7, 2, 3, 4, 5, 6]))
    const schedule = scheduleOf({ ...six, hours: 3 })
    const conditions = nextConditions([schedule], {}, prices, begin)
    expect(preview([schedule], conditions, begin, begin + 10 * HOUR).map(part => [part.begin, part.state])).toEqual([
      [begin, 'pause'],
      [begin + 2 * HOUR, 'fold'],
      [begin + 3 * HOUR, 'pause'],
      [begin + 4 * HOUR, 'fold'],
      [begin + 6 * HOUR, 'pause'],
    ])
    expect(decide([schedule], conditions, begin + 5 * HOUR)).toMatchObject({
      state: 'fold',
      since: begin + 4 * HOUR,
      until: begin + 6 * HOUR,
    })
    expect(nextConditions([schedule], conditions, prices, begin)).toBe(conditions)
  })

  test('of a rule that is not saved yet are known by the prices, and what depends on values is not known ahead', () => {
    const begin = at('2027-01-04T21:00Z')
    const prices = hourly(begin, [9, 8, 1, 7, 2, 3, 4, 5, 6])
    const schedule = scheduleOf({ ...six, hours: 3 }, study)
    const ahead = conditionsAhead([schedule], { conditions: {}, prices }, begin)
    expect(Object.values(ahead).map(({ spans }) => spans)).toEqual([
      [
        { begin: begin + 2 * HOUR, end: begin + 3 * HOUR },
        { begin: begin + 4 * HOUR, end: begin + 6 * HOUR },
      ],
    ])
    const week = weekOf([schedule], begin, begin + DAY, ahead)
    expect(week.bands.filter(({ state }) => state === 'fold')).toHaveLength(2)
    expect(new Set(week.possible.map(({ rule }) => rule.kind))).toEqual(new Set(['heat']))
    const watts = { idle: 100, folding: 900 }
    const cost = forecastOf(week.bands, watts, prices)
    expect([cost.kWh, cost.pricedKWh, cost.money].map(value => value.toFixed(2))).toEqual(['5.10', '3.60', '9.90'])
  })

  test('hours that were folded count when prices become known later', () => {
    const begin = at('2027-01-04T21:00Z')
    const first = hourly(begin, [5, 4, 3])
    const later = hourly(begin, [5, 4, 3, 1, 1, 1, 1, 1, 1])
    const { on } = walk(scheduleOf({ ...six, hours: 3 }), begin, begin + 9 * HOUR, HOUR, now =>
      withPrices(now < begin + 2 * HOUR ? first : later),
    )
    expect(on.map(hour => (hour - begin) / HOUR)).toEqual([0, 1, 3])
  })

  test('below a price, and what is not known as the rule says', () => {
    const begin = at('2027-01-04T23:00Z')
    const rule: CheapestRule = { kind: 'cheapest', below: 12, from: '00:00', until: '24:00', state: 'fold' }
    const prices = withPrices(hourly(begin, [11, 12, undefined, -3]))
    const hoursOf = (change: Partial<CheapestRule>) =>
      walk(scheduleOf({ ...rule, ...change }), begin, begin + 5 * HOUR, HOUR, () => prices).on.map(
        hour => (hour - begin) / HOUR,
      )
    expect(hoursOf({})).toEqual([0, 3])
    expect(hoursOf({ silent: 'apply' })).toEqual([0, 2, 3, 4])
    expect(hoursOf({ hours: 1 })).toEqual([3])
    expect(hoursOf({ hours: 3, silent: 'apply' })).toEqual([0, 2, 3])
  })

  test('a year of prices: summer time, negative hours, hours that are missing', () => {
    const begin = at('2027-01-01T00:00Z')
    const hours = 365 * 24
    const priceOf = (hour: number): number | undefined =>
      hour % 97 === 0 ? undefined : Math.round(100 * Math.sin(hour / 3.7) + 60 * Math.sin(hour / 41) + 40)
    const list = hourly(
      begin,
      Array.from({ length: hours }, (_, hour) => priceOf(hour)),
    )
    // The market publishes the next day at 12:00.
    const knownAt = (now: number) => {
      const day = Math.floor((now - begin) / DAY)
      const isPublished = (now - begin) % DAY >= 12 * HOUR
      return list.slice(0, Math.floor(((day + (isPublished ? 2 : 1)) * 24 * list.length) / hours))
    }
    const { on } = walk(scheduleOf(six), begin, begin + hours * HOUR, HOUR, now => withPrices(knownAt(now)))
    const nights = dailySpans(six, ZONE, begin + DAY, begin + (hours - 24) * HOUR)
    expect(nights.map(night => (night.end - night.begin) / HOUR).filter(length => length !== 9)).toEqual([8, 10])
    for (const night of nights) {
      const folded = on.filter(hour => hour >= night.begin && hour < night.end)
      const nightHours = list.filter(({ begin: hour }) => hour >= night.begin && hour < night.end)
      const best = nightHours.map(({ price }) => price).sort((a, b) => a - b)
      expect(folded).toHaveLength(Math.min(6, nightHours.length))
      const paid = folded.map(hour => priceOf((hour - begin) / HOUR) ?? Number.NaN).sort((a, b) => a - b)
      expect(paid).toEqual(best.slice(0, 6))
    }
    expect(on.some(hour => (priceOf((hour - begin) / HOUR) ?? 0) < 0)).toBe(true)
  }, 20_000)
})

describe('a budget', () => {
  const month = monthOf(at('2027-03-15T12:00Z'), ZONE)
  const used = (change: Partial<MonthUse>): Circumstances => ({
    inputs: {},
    used: { power: { since: month.begin, kWh: 0, money: 0, isKnown: true, ...change } },
  })

  test('is spent until the month of its zone ends, whatever comes back', () => {
    const schedule = scheduleOf(budget)
    const key = conditionKey('power', budget)
    const now = at('2027-03-28T12:00Z')
    const before = nextConditions([schedule], {}, used({ money: 24.99 }), now)
    expect(before[key]?.isOn).toBe(false)
    const spent = nextConditions([schedule], before, used({ money: 25 }), now)
    expect(decide([schedule], spent, now)).toEqual({
      schedule: 'power',
      rule: 0,
      state: 'finish',
      since: now,
      until: at('2027-03-31T22:00Z'),
    })
    expect(nextConditions([schedule], spent, used({ money: 20 }), now + DAY)).toBe(spent)
    const next = nextConditions([schedule], spent, used({ money: 25 }), month.end)
    expect(decide([schedule], next, month.end)).toMatchObject({ state: 'pause' })
    expect(nextConditions([schedule], next, used({ money: 25 }), month.end + 1)).toBe(next)
  })

  test('is never overshot by more than the time of one unit and of one check', () => {
    const step = 60_000
    const watts = fc.integer({ min: 50, max: 900 })
    fc.assert(
      fc.property(watts, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 720 }), (draw, amount, unit) => {
        const rule: BudgetRule = { ...budget, amount, unit: 'kWh' }
        let [kWh, left] = [0, unit]
        let overshoot = 0
        walk(scheduleOf(rule), month.begin, month.begin + 2 * DAY, step, (_, conditions) => {
          const isSpent = conditions[conditionKey('power', rule)]?.isOn === true
          // A unit that runs is finished, and no other one begins.
          if (left > 0 || !isSpent) {
            kWh += draw / 60_000
            left = left > 0 ? left - 1 : unit - 1
          }
          overshoot = Math.max(0, kWh - amount)
          return used({ kWh })
        })
        expect(overshoot).toBeLessThanOrEqual(((unit + 1) * draw) / 60_000)
      }),
      { numRuns: 20 },
    )
  }, 20_000)

  test('what cannot be counted is as the rule says', () => {
    const rule: BudgetRule = { ...budget, silent: 'apply' }
    const isOn = (circumstances: Circumstances, chosen: BudgetRule) =>
      nextConditions([scheduleOf(chosen)], {}, circumstances, month.begin)[conditionKey('power', chosen)]?.isOn
    expect(isOn(used({ isKnown: false }), rule)).toBe(true)
    expect(isOn({ inputs: {} }, rule)).toBe(true)
    expect(isOn(used({ isKnown: false }), budget)).toBe(false)
    expect(isOn(used({}), rule)).toBe(false)
  })
})

describe('a surplus', () => {
  const clientOf = (address: string, watts: number | undefined, ppd: number, drawn = 0): PoweredClient => ({
    address,
    tags: [],
    watts,
    drawn,
    ppd,
  })
  const off = () => ({ isOn: false, since: 0 })

  test('is never exceeded, and of all choices the one that prefers the most efficient machines', () => {
    const clients = fc.array(
      fc.record({ watts: fc.integer({ min: 1, max: 500 }), ppd: fc.integer({ min: 0, max: 1e6 }) }),
      {
        maxLength: 7,
      },
    )
    fc.assert(
      fc.property(clients, fc.integer({ min: -200, max: 2000 }), (list, surplus) => {
        const all = byEfficiency(list.map(({ watts, ppd }, index) => clientOf(String(index), watts, ppd)))
        const running = surplusPlan(roof, surplus, all, off, 1)
        const sumOf = (chosen: readonly PoweredClient[]) => chosen.reduce((sum, { watts = 0 }) => sum + watts, 0)
        expect(sumOf(all.filter(({ address }) => running.has(address)))).toBeLessThanOrEqual(Math.max(0, surplus))
        const bits = (has: (index: number) => boolean) => all.map((_, index) => (has(index) ? '1' : '0')).join('')
        let best = bits(() => false)
        for (let set = 0; set < 2 ** all.length; set++) {
          const has = (index: number) => (set >> index) % 2 === 1
          if (sumOf(all.filter((_, index) => has(index))) <= surplus && bits(has) > best) best = bits(has)
        }
        expect(bits(index => running.has(all[index]?.address ?? ''))).toBe(best)
      }),
    )
  })

  test('each machine runs and rests for its smallest time, starts with something left, and has its own decision', () => {
    const rule: SurplusRule = { ...roof, hysteresis: 50, holdMinutes: 10 }
    const schedule = scheduleOf(rule)
    const clients = [clientOf('new', 200, 4e6), clientOf('old', 300, 1e6), clientOf('unknown', undefined, 1e6)]
    let conditions: Conditions = {}
    const run = (minute: number, value: number | undefined): readonly string[] => {
      const now = minute * 60_000
      const inputs = value === undefined ? {} : { roof: { value, at: now } }
      conditions = nextConditions([schedule], conditions, { inputs, clients }, now)
      return ['new', 'old', 'unknown'].filter(
        address => decide([schedule], conditionsFor([schedule], conditions, address), now).state === 'fold',
      )
    }
    expect(run(1, 240)).toEqual([])
    expect(run(2, 250)).toEqual(['new'])
    expect(run(3, 540)).toEqual(['new'])
    expect(run(4, 550)).toEqual(['new', 'old'])
    expect(run(5, 500)).toEqual(['new', 'old'])
    expect(run(6, 0)).toEqual(['new', 'old'])
    expect(run(14, 499)).toEqual(['new'])
    expect(run(15, 900)).toEqual(['new'])
    expect(run(24, 900)).toEqual(['new', 'old'])
    expect(run(34, undefined)).toEqual([])
    expect(conditionsFor([scheduleOf(study)], conditions, 'new')).toBe(conditions)
    const schedules = [schedule]
    const [here, there] = ['here', 'there'].map(address => conditionsFor(schedules, conditions, address))
    expect(here).toBe(there)
    expect(conditionsFor(schedules, conditions, 'new')).not.toBe(here)
  })

  test('of what is left at the grid, what the running machines draw is added', () => {
    const rule = { ...roof, isLeft: true }
    const running = [clientOf('a', 200, 2e6, 190), clientOf('b', 200, 1e6, 0)]
    const wasOn = (address: string) => ({ isOn: address === 'a', since: 1 })
    expect([...surplusPlan(rule, 20, running, wasOn, 9e9)]).toEqual(['a'])
    expect([...surplusPlan(rule, 210, running, wasOn, 9e9)]).toEqual(['a', 'b'])
    expect([...surplusPlan(rule, -20, running, wasOn, 9e9)]).toEqual([])
  })

  test('machines whose state is old go on as they are, and what they use is counted', () => {
    const old = [true, false].map((isOn, index) => ({ ...clientOf(String(index), 200, 2e6), isOld: true, isOn }))
    const fresh = clientOf('fresh', 200, 1e6)
    const was = (address: string) => ({ isOn: old[Number(address)]?.isOn === true, since: 1 })
    const plan = (surplus: number) => [...surplusPlan(roof, surplus, [...old, fresh], was, 9e9)]
    expect(plan(0)).toEqual(['0'])
    expect(plan(399)).toEqual(['0'])
    expect(plan(400)).toEqual(['0', 'fresh'])
  })

  test('machines that have not been seen since the start keep what they had', () => {
    const schedule = scheduleOf(roof)
    const inputs = { roof: { value: 500, at: 1 } }
    const first = nextConditions([schedule], {}, { inputs, clients: [clientOf('a', 200, 1)] }, 1)
    const second = nextConditions([schedule], first, { inputs, clients: [] }, 2)
    expect(decide([schedule], conditionsFor([schedule], second, 'a'), 2).state).toBe('fold')
  })
})

test('a temperature is kept between both ends of the hysteresis; without a value the rule does what it says', () => {
  const run = (rule: HeatRule, values: readonly (number | undefined)[]) => {
    let conditions: Conditions = {}
    return values.map((value, index) => {
      const now = (index + 1) * 3_600_000
      const inputs = value === undefined ? {} : { study: { value, at: now } }
      conditions = nextConditions([scheduleOf(rule)], conditions, { inputs }, now)
      return conditions[conditionKey('power', rule)]?.isOn
    })
  }
  expect(run(study, [20.6, 20.4, 21.4, 21.6, 20.6, undefined])).toEqual([false, true, true, false, false, false])
  expect(run({ ...study, silent: 'apply' }, [22, undefined])).toEqual([false, true])
})

test('what is silent is named once, since its last value ended to count', () => {
  const schedules = [scheduleOf(study, roof, six, budget), { ...scheduleOf(study), id: 'off', isEnabled: false }]
  const noon = at('2027-01-04T12:00Z')
  const inputs = { study: { value: 20, at: noon - HOUR }, roof: { value: 1, at: noon } }
  const prices = withPrices(hourly(noon - 3 * HOUR, [1, 2])).prices
  expect(silentInputs(schedules, { inputs, prices }, noon)).toEqual([
    { schedule: 'Power', input: 'study', since: noon - HOUR / 2 },
    { schedule: 'Power', input: 'spot', since: noon - HOUR },
  ])
  expect(silentInputs([scheduleOf(budget)], { inputs }, noon)).toEqual([
    { schedule: 'Power', input: '', since: undefined },
  ])
  for (const input of ['constructor', '__proto__'])
    expect(silentInputs([scheduleOf({ ...study, input })], { inputs }, noon)).toEqual([
      { schedule: 'Power', input, since: undefined },
    ])
  expect(silentInputs([scheduleOf(six)], withPrices(hourly(noon, [1])), noon)).toEqual([])
})

test('prices by weekly times are missed where the next time of the rule has none, and by a budget now', () => {
  const noon = at('2027-01-04T12:00Z')
  const missing = (rule: ConditionalRule, from: string, until: string) => {
    const bands = [{ kind: 'week' as const, days: [1, 2, 3, 4, 5, 6, 7], from, until, price: 0.2 }]
    const tariff = { kind: 'bands' as const, bands, otherwise: null }
    const prices = { tariff, timeZone: ZONE, currency: 'EUR', lists: {} }
    return silentInputs([scheduleOf(rule)], { inputs: {}, prices }, noon).map(({ input }) => input)
  }
  expect(missing(six, '22:00', '06:00')).toEqual([])
  expect(missing(six, '12:00', '18:00')).toEqual([''])
  expect(missing(budget, '22:00', '06:00')).toEqual([''])
  expect(missing(budget, '12:00', '18:00')).toEqual([])
})

test('a rule of an input begins and ends at most once in its smallest duration, whatever the values', () => {
  const values = fc.array(fc.double({ min: 60, max: 110, noNaN: true }), { minLength: 30, maxLength: 60 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 15 }), (temperatures, holdMinutes) => {
      const hot: InputRule = {
        ...{ kind: 'input', input: 'card', compare: 'above', threshold: 85, hysteresis: 5 },
        ...{ holdMinutes, validMinutes: 60, state: 'pause' },
      }
      const begin = at('2027-01-04T12:00:00Z')
      const inputAt = (now: number) => ({ value: temperatures[(now - begin) / MINUTE] ?? 0, at: now })
      const { on } = walk(scheduleOf(hot), begin, begin + temperatures.length * MINUTE, MINUTE, now => ({
        inputs: { card: inputAt(now) },
      }))
      const isOn = temperatures.map((_, minute) => on.includes(begin + minute * MINUTE))
      const switches = isOn.flatMap((now, minute) => (now === (isOn[minute - 1] ?? false) ? [] : [minute]))
      for (const [index, minute] of switches.entries())
        expect(minute - (switches[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(holdMinutes)
    }),
  )
})
