import { expect, test } from 'vitest'
import { createPauses, every, inOwnTurn } from './event-loop.ts'

function pass(milliseconds: number) {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** For how long nothing else runs: a timer of a millisecond is served in each turn. */
function watchTurns() {
  let [last, longest] = [performance.now(), 0]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  return {
    stop: () => {
      clearInterval(timer)
      return longest
    },
  }
}

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('work that is due at the same time has turns of the event loop of its own', async () => {
  const watch = watchTurns()
  const runs = [0, 0, 0, 0]
  const stops = runs.map((_, at) =>
    every(20, () => {
      runs[at] = (runs[at] ?? 0) + 1
      work(40)
    }),
  )
  await expect.poll(() => Math.min(...runs)).toBeGreaterThan(1)
  for (const stop of stops) stop()
  expect(watch.stop()).toBeLessThan(80)
})

test('of work that goes on, no second run begins, and none after it was stopped', async () => {
  const begun: number[] = []
  let end = (): void => undefined
  const stop = every(1, async () => {
    begun.push(performance.now())
    await new Promise<void>(resolve => (end = resolve))
  })
  await expect.poll(() => begun.length).toBe(1)
  await pass(20)
  expect(begun).toHaveLength(1)
  end()
  await expect.poll(() => begun.length).toBe(2)
  stop()
  end()
  await pass(20)
  expect(begun).toHaveLength(2)
})

test('what waits goes on in order, also when something before it fails', async () => {
  const done: string[] = []
  const failed = new Promise(resolve => process.once('uncaughtException', resolve))
  inOwnTurn(() => done.push('one'))
  inOwnTurn(() => {
    throw new Error('Broken')
  })
  inOwnTurn(() => {
    done.push('three')
    inOwnTurn(() => done.push('five'))
  })
  inOwnTurn(() => done.push('four'))
  await expect.poll(() => done).toEqual(['one', 'three', 'four', 'five'])
  expect(await failed).toEqual(new Error('Broken'))
})

test('longer work pauses for messages only after some milliseconds', async () => {
  let turns = 0
  const pause = createPauses()
  const pauseAfter = async (milliseconds: number) => {
    setImmediate(() => turns++)
    work(milliseconds)
    await pause()
    return turns
  }
  expect(await pauseAfter(0)).toBe(0)
  expect(await pauseAfter(20)).toBe(2)
  expect(await pauseAfter(0)).toBe(2)
})
