import { expect, test } from 'vitest'
import { shrink } from './shrink.ts'
import type { Step } from './story/plan.ts'

const plan = Array.from({ length: 40 }, (_, at): Step => ({ at, kind: 'fault', who: `fault ${at}`, does: 'cut' }))

test.each([[[7]], [[0, 39]], [[3, 4, 31]], [[]]])('of forty steps only %j are left, which are needed', needed => {
  const found = shrink(plan, steps => needed.every(at => steps.some(step => step.at === at)))
  expect(found.map(({ at }) => at)).toEqual(needed)
})
