import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import fc from 'fast-check'
import { chooseAt, conditionKey, decide, idleAhead, passedDecisions, preview, type Conditions } from './decide.ts'
import { nextCondition, nextConditions } from './conditions.ts'
import { boundaryText, choiceText, daysText, decisionText, effectText, ruleText, targetText } from './schedule-text.ts'
import {
  inputsOf,
  schedulesOf,
  schedulesSchema,
  subjectKey,
  subjectsOf,
  type InputRule,
  type Rule,
  type Schedule,
} from './schedule.ts'
import { spansOf } from './spans.ts'
import { canonicalTimeZone } from './time-zone.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
function at(text: string): number {
  return Date.parse(text)
}

function week(from: string, until: string, state: Rule['state'], days = [1, 2, 3, 4, 5, 6, 7]) {
  return { kind: 'week', days, from, until, state } as const
}
function scheduleOf(change: Partial<Schedule> = {}): Schedule {
  return {
    id: 'night',
    name: 'Night',
    isEnabled: true,
    targets: [{ kind: 'all', name: '' }],
    timeZone: 'Europe/Berlin',
    rules: [week('22:00', '06:00', 'fold')],
    otherwise: 'pause',
    finishMinutes: 0,
    ...change,
  }
}
const solar: InputRule = {
  kind: 'input',
  input: 'solar',
  compare: 'above',
  threshold: 500,
  hysteresis: 100,
  holdMinutes: 10,
  validMinutes: 60,
  state: 'fold',
}

describe('spans of time', () => {
  const spans = (rule: ReturnType<typeof week>, from: string, to: string, zone = 'Europe/Berlin') =>
    spansOf(rule, zone, at(from), at(to)).map(({ begin, end }) => [
      new Date(begin).toISOString(),
      new Date(end).toISOString(),
    ])

  test('follow the clock of the zone, in winter and in summer', () => {
    expect(spans(week('22:00', '06:00', 'fold', [1]), '2027-01-04T12:00Z', '2027-01-06T00:00Z')).toEqual([
      ['2027-01-04T21:00:00.000Z', '2027-01-05T05:00:00.000Z'],
    ])
    expect(spans(week('22:00', '06:00', 'fold', [1]), '2027-07-05T12:00Z', '2027-07-07T00:00Z')).toEqual([
      ['2027-07-05T20:00:00.000Z', '2027-07-06T04:00:00.000Z'],
    ])
  })

  test('a skipped time is the moment at which clocks are set forward, and an hour that is skipped is no span', () => {
    // In Berlin, 2027-03-28 02:00 is 03:00.
    const [from, to] = ['2027-03-28T00:00Z', '2027-03-28T12:00Z']
    expect(spans(week('02:30', '04:00', 'fold'), from, to)).toEqual([
      ['2027-03-28T01:00:00.000Z', '2027-03-28T02:00:00.000Z'],
    ])
    expect(spans(week('02:00', '03:00', 'fold'), from, to)).toEqual([])
    expect(spans(week('01:00', '02:30', 'fold'), from, to)).toEqual([
      ['2027-03-28T00:00:00.000Z', '2027-03-28T01:00:00.000Z'],
    ])
  })

  test('a time that comes twice is the first one, so that each boundary happens once', () => {
    // In Berlin, 2027-10-31 03:00 is 02:00 again.
    const [from, to] = ['2027-10-30T22:00Z', '2027-10-31T12:00Z']
    expect(spans(week('02:30', '04:00', 'fold'), from, to)).toEqual([
      ['2027-10-31T00:30:00.000Z', '2027-10-31T03:00:00.000Z'],
    ])
    expect(spans(week('01:00', '02:30', 'fold'), from, to)).toEqual([
      ['2027-10-30T23:00:00.000Z', '2027-10-31T00:30:00.000Z'],
    ])
  })

  test('zones with half an hour, and days that a zone left out', () => {
    expect(
      spans(week('06:00', '07:00', 'fold', [1]), '2027-01-04T00:00Z', '2027-01-05T00:00Z', 'Asia/Kolkata'),
    ).toEqual([['2027-01-04T00:30:00.000Z', '2027-01-04T01:30:00.000Z']])
    // Lord Howe Island sets its clocks by half an hour: 2027-10-03 02:00 is 02:30.
    expect(
      spans(week('02:15', '03:00', 'fold'), '2027-10-02T12:00Z', '2027-10-02T18:00Z', 'Australia/Lord_Howe'),
    ).toEqual([['2027-10-02T15:30:00.000Z', '2027-10-02T16:00:00.000Z']])
  })

  test('rules that follow each other neither overlap nor leave a gap, on every day and in every zone', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Tokyo',
    )
    const clock = fc
      .integer({ min: 1, max: 1439 })
      .map(minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
    fc.assert(
      fc.property(zone, clock, fc.integer({ min: 0, max: 365 * 24 * 4 }), (timeZone, middle, quarter) => {
        const instant = at('2027-01-01T00:00Z') + quarter * 15 * 60_000
        const counts = [week('00:00', middle, 'fold'), week(middle, '24:00', 'fold')].map(
          rule => spansOf(rule, timeZone, instant, instant + 1).length,
        )
        expect(counts[0] ?? 0).toBe(1 - (counts[1] ?? 0))
      }),
      { numRuns: 200 },
    )
  })

  test('names of zones', () => {
    expect(canonicalTimeZone('Europe/Berlin')).toBe('Europe/Berlin')
    for (const each of ['Mars/Olympus', '+01:00', '', '__proto__'])
      expect(canonicalTimeZone(each), each).toBeUndefined()
  })
})

describe('decisions', () => {
  test('the first rule that applies, else the schedule’s default, else the next schedule', () => {
    const schedules = [
      scheduleOf({
        id: 'holiday',
        rules: [
          { kind: 'dates', first: '2027-12-24', last: '2027-12-26', from: '00:00', until: '24:00', state: 'pause' },
        ],
        otherwise: null,
      }),
      scheduleOf(),
    ]
    expect(chooseAt(schedules, {}, at('2027-12-24T22:30Z'))).toEqual({ schedule: 'holiday', rule: 0, state: 'pause' })
    expect(chooseAt(schedules, {}, at('2027-12-27T22:30Z'))).toEqual({ schedule: 'night', rule: 0, state: 'fold' })
    expect(chooseAt(schedules, {}, at('2027-12-27T12:30Z'))).toEqual({ schedule: 'night', state: 'pause' })
    expect(chooseAt([], {}, 0)).toEqual({})
  })

  test('since when and until when', () => {
    const decision = decide([scheduleOf()], {}, at('2027-01-04T23:00Z'))
    expect(decision).toEqual({
      schedule: 'night',
      rule: 0,
      state: 'fold',
      since: at('2027-01-04T21:00Z'),
      until: at('2027-01-05T05:00Z'),
    })
    const always = scheduleOf({ rules: [week('00:00', '24:00', 'fold')] })
    expect(decide([always], {}, at('2027-01-04T23:00Z'))).toEqual({
      schedule: 'night',
      rule: 0,
      state: 'fold',
      since: 0,
    })
  })

  test('a decision keeps its identity while no boundary passes, however long that is', () => {
    const winter = scheduleOf({
      rules: [{ kind: 'dates', first: '2027-11-01', last: '2028-02-28', from: '00:00', until: '24:00', state: 'fold' }],
    })
    let decision = decide([winter], {}, at('2027-11-01T12:00Z'))
    const { since } = decision
    for (let now = at('2027-11-01T12:00Z'); now < at('2028-02-20T00:00Z'); now += DAY)
      decision = decide([winter], {}, now, decision)
    expect(decision.since).toBe(since)
    expect(decide([winter], {}, at('2028-03-01T00:00Z'), decision)).toMatchObject({ state: 'pause' })
  })

  test('a preview has no gaps, and what passed while no server ran is listed', () => {
    const from = at('2027-01-04T12:00Z')
    const segments = preview([scheduleOf()], {}, from, from + 7 * DAY)
    expect(segments).toHaveLength(15)
    segments.forEach((segment, index) => expect(segment.begin).toBe(segments[index - 1]?.end ?? from))
    expect(segments.at(-1)?.end).toBe(from + 7 * DAY)
    expect(passedDecisions([scheduleOf()], {}, from, from + 2 * DAY).map(({ state }) => state)).toEqual([
      'fold',
      'pause',
      'fold',
    ])
  })
})

describe('rules of inputs', () => {
  const next = (before: Parameters<typeof nextCondition>[1], value: number, minute: number) =>
    nextCondition(solar, before, { value, at: minute * 60_000 }, minute * 60_000)

  test('begin beyond the threshold, end beyond the hysteresis, and hold for their time', () => {
    const off = next(undefined, 500, 1)
    expect(off).toEqual({ isOn: false, since: 0 })
    const on = next(off, 501, 2)
    expect(on).toEqual({ isOn: true, since: 120_000 })
    expect(next(on, 399, 11)).toBe(on)
    expect(next(on, 400, 12)).toBe(on)
    expect(next(on, 399, 12)).toEqual({ isOn: false, since: 720_000 })
    const below = { ...solar, compare: 'below', holdMinutes: 0 } as const
    const cheap = nextCondition(below, undefined, { value: 499, at: 1 }, 1)
    expect(cheap.isOn).toBe(true)
    expect(nextCondition(below, cheap, { value: 600, at: 2 }, 2).isOn).toBe(true)
    expect(nextCondition(below, cheap, { value: 601, at: 2 }, 2).isOn).toBe(false)
  })

  test('a value that is too old counts as missing at once', () => {
    const on = next(undefined, 900, 2)
    expect(nextCondition(solar, on, { value: 900, at: 120_000 }, 120_000 + HOUR)).toBe(on)
    expect(nextCondition(solar, on, { value: 900, at: 120_000 }, 120_001 + HOUR).isOn).toBe(false)
    expect(nextCondition(solar, on, undefined, 130_000).isOn).toBe(false)
  })

  test('decide like other rules, since they began', () => {
    const schedules = [scheduleOf({ rules: [solar, week('22:00', '06:00', 'fold')] })]
    const noon = at('2027-01-04T12:00Z')
    const none: Conditions = {}
    const conditions = nextConditions(schedules, none, { inputs: { solar: { value: 900, at: noon } } }, noon)
    expect(conditions).toEqual({ [conditionKey('night', solar)]: { isOn: true, since: noon } })
    expect(nextConditions(schedules, conditions, { inputs: { solar: { value: 910, at: noon } } }, noon + 1)).toBe(
      conditions,
    )
    expect(decide(schedules, conditions, noon + 1000)).toEqual({
      schedule: 'night',
      rule: 0,
      state: 'fold',
      since: noon,
    })
    expect(nextConditions([], conditions, { inputs: {} }, noon)).toEqual({})
    expect(inputsOf(schedules)).toEqual(['solar'])
  })
})

describe('whom a schedule is for', () => {
  const attic = { address: 'attic:7396', tags: ['warm'] }
  test('all, a tag or one client, and groups that are decided by themselves', () => {
    const gpu = scheduleOf({ id: 'gpu', targets: [{ kind: 'tag', name: 'warm', group: 'gpu' }] })
    const whole = scheduleOf({ id: 'whole', targets: [{ kind: 'machine', name: 'attic:7396' }] })
    const list = [gpu, whole, scheduleOf({ id: 'off', isEnabled: false })]
    const hasGroup = (group: string) => group === 'gpu'
    expect(subjectsOf(list, attic, hasGroup)).toEqual([
      { machine: 'attic:7396' },
      { machine: 'attic:7396', group: 'gpu' },
    ])
    expect(subjectsOf(list, attic, () => false)).toEqual([{ machine: 'attic:7396' }])
    expect(subjectsOf(list, { address: 'cellar', tags: [] }, hasGroup)).toEqual([{ machine: 'cellar' }])
    const ids = (group?: string) => schedulesOf(list, { machine: attic.address, group }, attic).map(({ id }) => id)
    expect(ids()).toEqual(['whole'])
    expect(ids('gpu')).toEqual(['gpu', 'whole'])
    expect(subjectKey({ machine: 'attic' })).not.toBe(subjectKey({ machine: 'attic', group: '' }))
  })
})

describe('what is accepted', () => {
  test('no more than what can be decided at once', () => {
    const isAccepted = (count: number, change: (index: number) => object): boolean =>
      v.is(
        schedulesSchema,
        Array.from({ length: count }, (_, index) => ({ ...scheduleOf({ id: `s${index}` }), ...change(index) })),
      )
    const rules = (rule: Rule, count: number) => ({ rules: Array<Rule>(count).fill(rule) })
    const cheapest: Rule = { kind: 'cheapest', hours: 1, from: '00:00', until: '24:00', state: 'fold' }
    const surplus: Rule = {
      input: 'solar',
      validMinutes: 60,
      kind: 'surplus',
      isLeft: false,
      hysteresis: 0,
      holdMinutes: 0,
      state: 'fold',
    }
    const targets = (count: number, group: (index: number) => string | undefined) =>
      Array.from({ length: count }, (_, index) => ({ kind: 'tag', name: `t${index}`, group: group(index) }))
    const zones = Intl.supportedValuesOf('timeZone')
    for (const [most, change] of [
      [100, () => ({})],
      [4, () => rules(solar, 50)],
      [10, () => ({ targets: targets(100, () => undefined) })],
      [4, (index: number) => ({ targets: targets(5, each => `g${index} ${each}`) })],
      [10, (index: number) => ({ timeZone: zones[index] })],
      [20, () => rules(cheapest, 1)],
      [4, () => rules(surplus, 1)],
    ] as const) {
      expect(isAccepted(most, change)).toBe(true)
      expect(isAccepted(most + 1, change)).toBe(false)
    }
  })

  const isValid = (change: object): boolean => v.is(schedulesSchema, [{ ...scheduleOf(), ...change }])
  test('only schedules that can be kept', () => {
    expect(isValid({})).toBe(true)
    expect(isValid({ rules: [solar, week('00:00', '24:00', 'finish')] })).toBe(true)
    expect(isValid({ rules: [{ kind: 'cheapest', hours: 1.5, from: '00:00', until: '24:00', state: 'fold' }] })).toBe(
      true,
    )
    for (const change of [
      { rules: [{ kind: 'cheapest', from: '00:00', until: '24:00', state: 'fold' }] },
      { rules: [{ kind: 'cheapest', hours: 25, from: '00:00', until: '24:00', state: 'fold' }] },
      { rules: [{ kind: 'budget', amount: -1, unit: 'kWh', state: 'pause' }] },
      { timeZone: 'Mars/Olympus' },
      { name: ' ' },
      { id: '../x' },
      { targets: [] },
      { rules: [week('25:00', '06:00', 'fold')] },
      { rules: [week('22:00', '06:00', 'fold', [])] },
      { rules: [{ ...solar, input: '__proto__' }] },
      { rules: [{ ...solar, threshold: Number.NaN }] },
      {
        rules: [
          { kind: 'dates', first: '2027-02-30', last: '2027-03-01', from: '00:00', until: '24:00', state: 'pause' },
        ],
      },
      {
        rules: [
          { kind: 'dates', first: '2027-03-02', last: '2027-03-01', from: '00:00', until: '24:00', state: 'pause' },
        ],
      },
      {
        rules: [
          { kind: 'dates', first: '2027-03-02', last: '2029-03-01', from: '00:00', until: '24:00', state: 'pause' },
        ],
      },
    ])
      expect(isValid(change), JSON.stringify(change)).toBe(false)
    expect(v.is(schedulesSchema, [scheduleOf(), scheduleOf()])).toBe(false)
  })
})

describe('texts', () => {
  test('of rules, targets and decisions', () => {
    expect(ruleText(week('22:00', '06:00', 'fold', [1, 2, 3, 4, 5]))).toBe('Mon–Fri 10:00 PM–6:00 AM')
    const all = { ...week('22:00', '06:00', 'fold'), resumesPaused: true }
    expect(ruleText(all)).toBe('Every day 10:00 PM–6:00 AM; also what was paused by hand')
    expect(ruleText({ ...all, state: 'pause' })).toBe('Every day 10:00 PM–6:00 AM')
    expect(daysText([7, 1])).toBe('Mon, Sun')
    expect(ruleText(week('00:00', '24:00', 'fold'))).toBe('Every day all day')
    expect(ruleText(solar)).toBe('solar above 500')
    expect(ruleText({ ...solar, compare: 'below' })).toBe('solar below 500')
    const dates = {
      kind: 'dates',
      first: '2027-12-24',
      last: '2027-12-24',
      from: '08:00',
      until: '20:00',
      state: 'pause',
    } as const
    expect(ruleText(dates)).toBe('Dec 24, 2027, 8:00 AM–8:00 PM')
    expect(ruleText({ ...dates, last: '2027-12-26' })).toBe('Dec 24, 2027 – Dec 26, 2027, 8:00 AM–8:00 PM')
    const cheapest = { kind: 'cheapest', hours: 6, from: '22:00', until: '07:00', state: 'fold' } as const
    expect(ruleText(cheapest)).toBe('the 6 cheapest hours; 10:00 PM–7:00 AM')
    expect(ruleText({ ...cheapest, hours: 1, below: -0.05 })).toBe(
      'the cheapest hour; price below -0.05; 10:00 PM–7:00 AM',
    )
    const budget = { kind: 'budget', amount: 25, unit: 'money', state: 'finish' } as const
    expect(ruleText(budget)).toBe('25 spent on energy this month')
    expect(ruleText({ ...budget, unit: 'kWh' })).toBe('25 kWh used this month')
    const { compare: _, threshold: __, ...of } = solar
    expect(ruleText({ ...of, kind: 'surplus', isLeft: true })).toBe('surplus of solar')
    expect(ruleText({ ...of, kind: 'heat', input: 'study', target: 20.5 })).toBe('study kept at 20.5')
    expect(targetText({ kind: 'tag', name: 'warm', group: '' })).toBe('Machines tagged warm, default group')
    expect(targetText({ kind: 'machine', name: 'attic', group: 'gpu' })).toBe('attic, group “gpu”')
    expect(targetText({ kind: 'all', name: '' })).toBe('All machines')
    const schedules = [scheduleOf()]
    expect(choiceText({ schedule: 'night', rule: 0 }, schedules)).toBe('Schedule “Night”: Every day 10:00 PM–6:00 AM')
    expect(choiceText({ schedule: 'night' }, schedules)).toBe('Schedule “Night”: no rule applies')
    expect(choiceText({ schedule: 'gone' }, schedules)).toBeUndefined()
    const now = new Date(2027, 0, 4, 12).getTime()
    expect(decisionText({ state: 'pause', until: now + 10 * HOUR }, now)).toMatch(/^Pause until Mon,? .*10:00/)
    expect(decisionText({ state: 'fold' }, now)).toBe('Fold')
    expect(decisionText({}, now)).toBe('Left as it is')
    expect(boundaryText(now + 20 * DAY, now)).toContain('2027')
  })
})

test('a schedule says before it is saved what it does at once, and otherwise', () => {
  const machines = ['a:1', 'b:1', 'c:1'].map(address => ({ address, tags: address === 'a:1' ? ['attic'] : [] }))
  const nights = scheduleOf({ rules: [week('22:00', '06:00', 'fold')], otherwise: 'pause', timeZone: 'UTC' })
  const textOf = (change: Partial<Schedule>, now: string) => effectText({ ...nights, ...change }, {}, machines, at(now))
  expect(textOf({ targets: [{ kind: 'all', name: '' }] }, '2026-11-20T12:00:00Z')).toBe(
    'Otherwise: Pause. Saved now, it does at once: Pause. Machines: 3.',
  )
  expect(textOf({ targets: [{ kind: 'tag', name: 'attic' }] }, '2026-11-20T23:00:00Z')).toBe(
    'Otherwise: Pause. Saved now, it does at once: Fold. Machines: 1.',
  )
  expect(textOf({ targets: [] }, '2026-11-20T12:00:00Z')).toBe('Otherwise: Pause.')
  expect(textOf({ otherwise: null, targets: [{ kind: 'machine', name: 'b:1' }] }, '2026-11-20T12:00:00Z')).toBe('')
})

test('the next time to be idle by is known before, without what is paused until then', () => {
  const idle: Rule = { kind: 'week', days: [5], from: '18:00', until: '20:00', state: 'pause', inTime: true }
  const noon = at('2026-11-20T12:00:00Z')
  const always = scheduleOf({ rules: [idle], otherwise: null, timeZone: 'UTC' })
  const ahead = (schedule: Schedule, now = noon) => idleAhead([schedule], {}, now)
  expect(ahead(always)).toMatchObject({ at: noon + 6 * HOUR, until: noon + 6 * HOUR, pauses: true })
  const lunch = scheduleOf({ rules: [idle, week('13:00', '14:00', 'pause')], otherwise: 'fold', timeZone: 'UTC' })
  expect(ahead(lunch)).toMatchObject({ at: noon + 6 * HOUR, until: noon + 5 * HOUR, choice: { rule: 0 } })
  expect(ahead(always, noon + 7 * HOUR)?.at).toBe(noon + 6 * HOUR + 7 * DAY)
  expect(ahead(scheduleOf({ rules: [{ ...idle, inTime: false }], otherwise: null }))).toBeUndefined()
  expect(ruleText(idle)).toBe('Fri 6:00 PM–8:00 PM; idle by then')
})
