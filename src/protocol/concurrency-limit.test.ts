import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('runs at most the given number of tasks, in order, also after failures', async () => {
  const gate = createConcurrencyLimit(2)
  const began: number[] = []
  const leave: (() => void)[] = []
  const visits = [0, 1, 2, 3].map(visit =>
    gate(async () => {
      began.push(visit)
      await new Promise<void>(resolve => {
        leave[visit] = resolve
      })
      if (visit === 0) throw new Error('stumbled')
      return visit
    }),
  )
  const settled = Promise.allSettled(visits)
  expect(began).toEqual([0, 1])
  leave[0]?.()
  await expect.poll(() => began).toEqual([0, 1, 2])
  leave[1]?.()
  await expect.poll(() => began).toEqual([0, 1, 2, 3])
  leave[2]?.()
  leave[3]?.()

  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
