import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budgetsAhead, type BudgetsInput, type ExpectedClient } from './budget-ahead.ts'
import { nextConditions } from './conditions.ts'
import { chooseAt, conditionKey, SIGHT_MS, type Conditions } from './decide.ts'
import type { BudgetRule, Schedule, TimeRule } from './schedule.ts'
import { monthOf } from './spans.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'Europe/Berlin'
const NOON = Date.parse('2027-03-25T11:00Z')
const MONTH_END = Date.parse('2027-03-31T22:00Z')

const budget: BudgetRule = { kind: 'budget', amount: 10, unit: 'kWh', state: 'pause' }
const nights: TimeRule = {
  kind: 'week',
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '22:00',
  until: '06:00',
  state: 'fold',
}
function scheduleOf(rules: Schedule['rules'], change: Partial<Schedule> = {}): Schedule {
  return {
    id: 'power',
    name: 'Power',
    isEnabled: true,
    targets: [{ kind: 'all', name: '' }],
    timeZone: ZONE,
    rules,
    otherwise: 'fold',
    finishMinutes: 0,
    ...change,
  }
}
function clientOf(address: string, used: number, change: Partial<ExpectedClient> = {}): ExpectedClient {
  return {
    address,
    tags: [],
    watts: { idle: 100, folding: 400, drawn: 0 },
    used: { [ZONE]: { kWh: used, money: used } },
    ...change,
  }
}
function predict(input: Partial<BudgetsInput> & Pick<BudgetsInput, 'schedules'>, rule = budget) {
  return budgetsAhead({ clients: [clientOf('attic', 8)], conditions: {}, prices: [], ...input }, NOON)[
    conditionKey('power', rule)
  ]
}

describe('a budget', () => {
  test('is reached at the pace of its machines, and lasts until the month of its zone ends', () => {
    expect(predict({ schedules: [scheduleOf([budget])] })).toEqual({
      rule: budget,
      used: 8,
      condition: {
        isOn: false,
        since: 0,
        spans: [
          { begin: NOON + 4 * HOUR, end: MONTH_END },
          { begin: MONTH_END + 20 * HOUR, end: monthOf(MONTH_END, ZONE).end },
        ],
      },
    })
    expect(predict({ schedules: [scheduleOf([budget], { otherwise: 'pause' })] })?.condition.spans).toEqual([
      { begin: NOON + 20 * HOUR, end: MONTH_END },
    ])
    expect(
      predict({ schedules: [scheduleOf([{ ...budget, amount: 1000 }])] }, { ...budget, amount: 1000 }),
    ).toMatchObject({ used: 8, condition: { spans: [] } })
  })

  test('follows the times of its schedule; a machine for which nothing is decided stays as it is', () => {
    // From 22:00 in Berlin, nine hours after noon UTC and one: 0.1 kWh an hour before, 0.5 after.
    const reached = (change: Partial<ExpectedClient>, otherwise: Schedule['otherwise']) =>
      predict({
        schedules: [scheduleOf([budget, nights], { otherwise })],
        clients: [clientOf('attic', 8, change)],
      })?.condition.spans?.[0]?.begin
    expect(reached({}, 'pause')).toBe(NOON + 10 * HOUR + 2 * HOUR)
    expect(reached({ watts: { idle: 0, folding: 400, drawn: 200 } }, null)).toBe(NOON + 10 * HOUR)
  })

  test('of money is reached at the known prices, and at their mean where none is known', () => {
    const rule: BudgetRule = { ...budget, unit: 'money', amount: 8.6 }
    const prices = [
      { begin: NOON, end: NOON + HOUR, price: 0.8 },
      { begin: NOON + HOUR, end: NOON + 2 * HOUR, price: -0.4 },
      { begin: NOON + 2 * HOUR, end: NOON + 10 * HOUR },
    ]
    const schedules = [scheduleOf([rule])]
    expect(predict({ schedules, prices }, rule)?.condition.spans?.[0]?.begin).toBe(NOON + 6 * HOUR)
    expect(predict({ schedules, prices: [{ begin: NOON, end: NOON + DAY }] }, rule)).toBeUndefined()
  })

  test('is not predicted while the watts of a machine, or what it used, are not known', () => {
    const schedules = [scheduleOf([budget])]
    expect(
      predict({ schedules, clients: [clientOf('attic', 8), clientOf('new', 0, { watts: undefined })] }),
    ).toBeUndefined()
    expect(
      predict({ schedules, clients: [clientOf('attic', 8, { used: { UTC: { kWh: 1, money: 1 } } })] }),
    ).toBeUndefined()
    expect(predict({ schedules, clients: [] })).toBeUndefined()
  })

  test('that is reached earlier delays those of the same machines', () => {
    const small: BudgetRule = { ...budget, amount: 9 }
    const first = scheduleOf([small], { id: 'first', otherwise: null, targets: [{ kind: 'machine', name: 'a' }] })
    const second = scheduleOf([{ ...budget, amount: 20 }])
    const found = budgetsAhead(
      {
        schedules: [first, second],
        clients: [clientOf('a', 8), clientOf('b', 8)],
        conditions: {},
        prices: [],
      },
      NOON,
    )
    // Both draw 0.5 kWh an hour, until the first is paused after two hours.
    expect(Object.values(found).map(({ condition }) => condition.spans?.[0]?.begin)).toEqual([
      NOON + 2 * HOUR,
      Math.ceil(NOON + 2 * HOUR + (2 / 0.6) * HOUR),
    ])
  })

  test('that is spent stays so, and is counted anew in the next month', () => {
    const spent = { isOn: true, since: NOON - DAY, spans: [{ begin: NOON - DAY, end: MONTH_END }] }
    const schedules = [scheduleOf([budget])]
    const found = predict({ schedules, conditions: { [conditionKey('power', budget)]: spent } })
    expect(found?.condition).toEqual({
      ...spent,
      spans: [...spent.spans, { begin: MONTH_END + 20 * HOUR, end: monthOf(MONTH_END, ZONE).end }],
    })
  })

  test('is reached at the minute at which a server that follows it finds it spent', () => {
    const amounts = fc.record({
      amount: fc.integer({ min: 1, max: 60 }),
      folding: fc.integer({ min: 0, max: 900 }),
      idle: fc.integer({ min: 0, max: 200 }),
      prices: fc.array(fc.double({ min: -0.2, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
      unit: fc.constantFrom('kWh' as const, 'money' as const),
      hour: fc.integer({ min: 0, max: 23 }),
    })
    fc.assert(
      fc.property(amounts, ({ amount, folding, idle, prices: daily, unit, hour }) => {
        const rule: BudgetRule = { ...budget, amount, unit }
        const until = `${String((hour + 8) % 24).padStart(2, '0')}:00`
        const schedule = scheduleOf([rule, { ...nights, from: `${String(hour).padStart(2, '0')}:00`, until }], {
          otherwise: 'pause',
        })
        const prices = Array.from({ length: 8 * 24 }, (_, index) => ({
          begin: NOON + index * HOUR,
          end: NOON + (index + 1) * HOUR,
          price: daily[index % 24] ?? 0,
        }))
        const client = clientOf('attic', 0, { watts: { idle, folding, drawn: 0 } })
        const key = conditionKey('power', rule)
        const [span] =
          budgetsAhead({ schedules: [schedule], clients: [client], conditions: {}, prices }, NOON)[key]?.condition
            .spans ?? []
        const step = HOUR / 4
        // The server that follows does not see what is spent in the last quarter of an hour of a month.
        fc.pre(span === undefined || span.begin <= MONTH_END - step || span.begin >= MONTH_END)
        let conditions: Conditions = {}
        let used = { since: monthOf(NOON, ZONE).begin, kWh: 0, money: 0, isKnown: true }
        let found: number | undefined
        for (let now = NOON; now < NOON + SIGHT_MS && found === undefined; now += step) {
          if (now === MONTH_END) used = { ...used, since: now, kWh: 0, money: 0 }
          conditions = nextConditions([schedule], conditions, { inputs: {}, used: { power: used } }, now)
          if (conditions[key]?.isOn === true) found = now
          const watts = idle + (chooseAt([schedule], conditions, now).state === 'fold' ? folding : 0)
          const kWh = (watts * step) / HOUR / 1000
          const price = prices[Math.floor((now - NOON) / HOUR)]?.price ?? 0
          used = { ...used, kWh: used.kWh + kWh, money: used.money + kWh * price }
        }
        if (found === undefined) expect(span?.begin ?? Infinity).toBeGreaterThan(NOON + SIGHT_MS - 2 * step)
        else {
          expect(found - (span?.begin ?? 0)).toBeGreaterThanOrEqual(-1)
          expect(found - (span?.begin ?? 0)).toBeLessThanOrEqual(step + 1)
        }
      }),
      { numRuns: 40 },
    )
  })
})
