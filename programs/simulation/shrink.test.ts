import { expect, test } from 'vitest'
import { shrink } from './shrink.ts'
import type { Step, Story } from './story/plan.ts'
import { DAY, HOUR, MINUTE, SECOND } from './time/durations.ts'

const steps = Array.from({ length: 40 }, (_, hour): Step => ({
  at: hour * HOUR,
  kind: hour % 2 === 0 ? 'person' : 'fault',
  who: hour % 2 === 0 ? `person ${hour % 3}` : `fault ${hour}`,
  does: hour % 2 === 0 ? 'hide' : 'cut',
  ...(hour % 2 === 0 ? {} : { lasts: HOUR }),
}))
const story: Story = { seed: 7, days: 9, machines: 6, steps }

/** Fails where all of these are left, `needed` being persons, and names of faults; at the last step. */
function failsWith(needed: readonly string[], least = 1) {
  return ({ steps: left, machines }: Story): number | undefined =>
    machines >= least && needed.every(who => left.some(step => step.who === who)) ? (left.at(-1)?.at ?? 0) : undefined
}

test.each([[['fault 7']], [['fault 1', 'fault 39']], [['fault 3', 'person 1', 'fault 31']], [[]]])(
  'of forty steps only %j are left, which are needed',
  needed => {
    const found = shrink(story, failsWith(needed))
    expect(found.steps.map(({ who }) => who).toSorted()).toEqual(needed.toSorted())
  },
)

test('what is left begins soon, waits for little, and ends with the failure', () => {
  const found = shrink(story, failsWith(['fault 3', 'fault 31']))
  expect(found.steps.map(({ at, lasts }) => [at, lasts])).toEqual([
    [MINUTE, SECOND],
    [3 * MINUTE, SECOND],
  ])
  expect(found.days).toBe((4 * MINUTE) / DAY)
})

test.each([
  [1, 1],
  [3, 3],
  [5, 6],
])('a failure that needs %i machines keeps %i of six', (needed, remaining) => {
  expect(shrink(story, failsWith(['fault 3'], needed)).machines).toBe(remaining)
})

test('a story that does not fail again stays as it is', () => {
  expect(shrink(story, () => undefined)).toBe(story)
})
