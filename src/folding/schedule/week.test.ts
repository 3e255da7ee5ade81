import { expect, test } from 'vitest'
import type { Rule, Schedule } from './schedule.ts'
import { daysFrom } from './spans.ts'
import { bandsWithin, troublesOf, weekOf, type Week } from './week.ts'

const HOUR = 3_600_000

function schedule(change: Partial<Schedule>): Schedule {
  return {
    id: 'one',
    name: 'One',
    isEnabled: true,
    targets: [{ kind: 'all', name: '' }],
    timeZone: 'Europe/Berlin',
    rules: [],
    otherwise: null,
    finishMinutes: 0,
    ...change,
  }
}

const nights: Rule = { kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' }
const evening: Rule = { kind: 'week', days: [1], from: '20:00', until: '23:00', state: 'finish' }
const solar: Rule = {
  kind: 'input',
  input: 'solar',
  compare: 'above',
  threshold: 500,
  hysteresis: 0,
  holdMinutes: 0,
  validMinutes: 60,
  state: 'fold',
}

/** The week from a day of Berlin on. */
function weekFrom(day: string, schedules: readonly Schedule[]) {
  const days = daysFrom(Date.parse(`${day}T12:00:00Z`), 'Europe/Berlin', 7)
  const [from, to] = [days[0]?.begin ?? 0, days.at(-1)?.end ?? 0]
  const hours = (at: number): number => (at - from) / HOUR
  const spans = (parts: readonly { readonly begin: number; readonly end: number }[]) =>
    parts.map(({ begin, end }) => [hours(begin), hours(end)])
  return { days, spans, week: weekOf(schedules, from, to) }
}

function states({ bands }: Week) {
  return bands.map(({ state, begins, ends }) => [state, begins, ends])
}

test('the bands of a week have no gaps, and know where their rules begin and end', () => {
  const { week, spans } = weekFrom('2026-11-30', [schedule({ rules: [nights] })])
  expect(spans(week.bands).slice(0, 4)).toEqual([
    [0, 6],
    [6, 22],
    [22, 30],
    [30, 46],
  ])
  expect(states(week).slice(0, 3)).toEqual([
    ['fold', false, true],
    [undefined, false, false],
    ['fold', true, true],
  ])
  expect(spans(week.bands).at(-1)).toEqual([166, 168])
  expect(troublesOf(week)).toEqual({ gaps: 7 * 16 * HOUR, overlaps: 0 })
})

test.each([
  ['set back', '2026-10-19', 169, [142, 151]],
  ['set forward', '2027-03-22', 167, [142, 149]],
] as const)('a night in which clocks are %s has another length, and the day too', (_, day, length, night) => {
  const { week, spans, days } = weekFrom(day, [schedule({ rules: [nights] })])
  expect(spans(week.bands).at(-1)?.[1]).toBe(length)
  expect(spans(week.bands)).toContainEqual([...night])
  const sunday = days.at(-1)
  expect(sunday === undefined ? 0 : (sunday.end - sunday.begin) / HOUR).toBe(length - 144)
})

test('a rule that an earlier rule or schedule beats is shown where it is beaten, and counted once', () => {
  const first = schedule({ rules: [evening, nights] })
  const second = schedule({ id: 'two', rules: [{ ...nights, state: 'pause' }], otherwise: 'pause' })
  const { week, spans } = weekFrom('2026-11-30', [first, second])
  const of = (rule: Rule | undefined) => spans(week.beaten.filter(part => part.rule === rule))
  expect(of(evening)).toEqual([])
  expect(of(nights)).toEqual([[22, 23]])
  expect(of(second.rules[0])[1]).toEqual([22, 30])
  expect(troublesOf(week)).toEqual({ gaps: 0, overlaps: 7 * 8 * HOUR })
})

test('a rule of an input may decide where no earlier rule does, whether it applies now or not', () => {
  const { week, spans } = weekFrom('2026-11-30', [
    schedule({ rules: [evening, solar] }),
    schedule({ id: 'two', rules: [solar], otherwise: 'pause' }),
  ])
  const of = (id: string) => spans(week.possible.filter(part => part.schedule.id === id))
  expect(of('one')).toEqual([
    [0, 20],
    [23, 168],
  ])
  expect(of('two')).toEqual(of('one'))
  const { week: other } = weekFrom('2026-11-30', [schedule({ otherwise: 'pause' }), schedule({ rules: [solar] })])
  expect(other.possible).toEqual([])
})

test('a day is cut out of the bands of a week', () => {
  const { week, spans, days } = weekFrom('2026-11-30', [schedule({ rules: [nights] })])
  const [, tuesday] = days
  expect(tuesday === undefined ? [] : spans(bandsWithin(week.bands, tuesday))).toEqual([
    [24, 30],
    [30, 46],
    [46, 48],
  ])
})
