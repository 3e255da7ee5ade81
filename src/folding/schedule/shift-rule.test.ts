import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { schedulesSchema } from './schedule.ts'
import { lengthOf, shiftRule, type Grip, type WeekRule } from './shift-rule.ts'
import { spansOf } from './spans.ts'

const MINUTE = 60_000

function rule(days: readonly number[], from: string, until: string): WeekRule {
  return {
    kind: 'week',
    days: [...days],
    from,
    until,
    state: 'fold',
  }
}

test.each<[string, WeekRule, Grip, number, WeekRule]>([
  ['moved over midnight', rule([1, 7], '22:00', '06:00'), 'whole', 180, rule([1, 2], '01:00', '09:00')],
  ['moved back over midnight', rule([1], '00:30', '02:00'), 'whole', -60, rule([7], '23:30', '01:00')],
  ['moved to a quarter of an hour', rule([1], '22:07', '23:00'), 'whole', 15, rule([1], '22:15', '23:08')],
  ['that ends with the day', rule([1], '18:00', '23:00'), 'end', 60, rule([1], '18:00', '24:00')],
  ['longer than a day', rule([1], '18:00', '23:00'), 'end', 5000, rule([1], '18:00', '18:00')],
  ['shorter than a quarter of an hour', rule([1], '18:00', '23:00'), 'begin', 5000, rule([1], '22:45', '23:00')],
  ['that begins the day before', rule([1], '00:00', '06:00'), 'begin', -120, rule([7], '22:00', '06:00')],
  ['for the whole day', rule([1], '00:00', '24:00'), 'whole', 360, rule([1], '06:00', '06:00')],
])('times %s', (_, before, grip, minutes, after) => {
  expect(shiftRule(before, grip, minutes)).toEqual(after)
})

describe('any weekly times', () => {
  const quarters = (least: number, most: number) => fc.integer({ min: least, max: most }).map(count => count * 15)
  const clock = (minutes: number): string =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const rules = fc
    .record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      begin: quarters(0, 95),
      length: quarters(1, 96),
    })
    .map(({ days, begin, length }) => {
      const end = begin + length
      return rule(
        days.sort((one, other) => one - other),
        clock(begin),
        clock(end > 1440 ? end - 1440 : end),
      )
    })
  const moves = quarters(-700, 700)
  const grips = fc.constantFrom<Grip>('whole', 'begin', 'end')

  test('can be saved after any move, and last from a quarter of an hour to a day', () => {
    fc.assert(
      fc.property(rules, grips, fc.integer({ min: -20_000, max: 20_000 }), (before, grip, minutes) => {
        const after = shiftRule(before, grip, minutes)
        const schedule = {
          id: 'one',
          name: 'One',
          isEnabled: true,
          targets: [{ kind: 'all', name: '' }],
          timeZone: 'UTC',
          rules: [after],
          otherwise: null,
          finishMinutes: 0,
        }
        expect(v.safeParse(schedulesSchema, [schedule]).success).toBe(true)
        expect(lengthOf(after)).toBeGreaterThanOrEqual(15)
        expect(lengthOf(after)).toBeLessThanOrEqual(1440)
        if (grip === 'whole') expect(lengthOf(after)).toBe(lengthOf(before))
      }),
    )
  })

  test('are where they were after a move and its opposite', () => {
    fc.assert(
      fc.property(rules, moves, (before, minutes) => {
        expect(shiftRule(shiftRule(before, 'whole', minutes), 'whole', -minutes)).toEqual(before)
      }),
    )
  })

  test('apply as much later as they were moved', () => {
    const [from, to] = [Date.parse('2027-01-04T00:00:00Z'), Date.parse('2027-01-25T00:00:00Z')]
    fc.assert(
      fc.property(rules, quarters(-96, 96), (before, minutes) => {
        const moved = spansOf(shiftRule(before, 'whole', minutes), 'UTC', from, to)
        const wanted = spansOf(before, 'UTC', from - minutes * MINUTE, to - minutes * MINUTE)
        // What touches the ends of the time that is looked at may be computed further on one side.
        const inside = (spans: typeof moved, by: number) =>
          spans
            .map(({ begin, end }) => ({ begin: begin + by, end: end + by }))
            .filter(({ begin, end }) => begin > from && end < to)
        expect(inside(moved, 0)).toEqual(inside(wanted, minutes * MINUTE))
      }),
    )
  })
})
