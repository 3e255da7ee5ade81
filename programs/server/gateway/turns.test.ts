import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

function pass(milliseconds: number) {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

test('work runs after the wait, in order, a part at a time with other work between', async () => {
  let clock = 0
  const done: string[] = []
  const turns = createTurns({ wait: 5, budget: 10, elapsed: () => clock })
  const add = (name: string) =>
    turns.add(() => {
      done.push(name)
      clock += 6
      if (name === 'a') setImmediate(() => done.push('other work'))
    })
  for (const name of ['a', 'b', 'c', 'd']) add(name)
  const cancel = add('e')
  add('f')
  cancel()
  await pass(8)
  expect(done).toEqual([])
  clock = 5
  await expect.poll(() => done.length).toBe(6)
  expect(done).toEqual(['a', 'b', 'other work', 'c', 'd', 'f'])
})

test('between two parts of work is a rest', async () => {
  const begun: number[] = []
  const turns = createTurns({ wait: 0, budget: 0, rest: 20, elapsed: () => performance.now() })
  for (let index = 0; index < 2; index++) turns.add(() => begun.push(performance.now()))
  await expect.poll(() => begun.length).toBe(2)
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThanOrEqual(19)
})

test('work that is added while other work runs waits for its own time', async () => {
  const begun = performance.now()
  const done: number[] = []
  const turns = createTurns({ wait: 20, budget: 5, elapsed: () => performance.now() })
  await new Promise<void>(resolve => {
    turns.add(() => {
      done.push(performance.now() - begun)
      turns.add(() => {
        done.push(performance.now() - begun)
        resolve()
      })
    })
  })
  const [first = 0, second = 0] = done
  expect(first).toBeGreaterThanOrEqual(20)
  expect(second - first).toBeGreaterThanOrEqual(19)
})
