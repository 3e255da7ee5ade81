import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, fromPromise } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { clockMachine } from './clock.machine.ts'

function startClock() {
  const calls: { readonly answer: () => void; readonly fail: () => void }[] = []
  const actor = createActor(
    clockMachine.provide({
      actors: {
        ticker: fromCallback(() => undefined),
        askTime: fromPromise<undefined, undefined>(
          () =>
            new Promise((resolve, reject) =>
              calls.push({ answer: () => resolve(undefined), fail: () => reject(new Error('no answer')) }),
            ),
        ),
      },
    }),
    { input: { at: 1000 } },
  ).start()
  return { actor, calls, now: () => actor.getSnapshot().context.now }
}

describe('the clock', () => {
  it('shows the time of the folding network, whatever this computer takes it for', () => {
    const { actor, now } = startClock()
    actor.send({ type: 'clock.compared', offset: 500 })
    expect(now()).toBe(1500)
    actor.send({ type: 'clock.ticked', at: 2000 })
    expect(now()).toBe(2500)
    actor.send({ type: 'clock.compared', offset: -1000 })
    expect(now()).toBe(1000)
  })

  it('is checked by one call at a time', async () => {
    const { actor, calls } = startClock()
    expect(calls).toHaveLength(0)
    for (const end of ['answer', 'fail', 'answer'] as const) {
      const before = calls.length
      actor.send({ type: 'clock.check' })
      actor.send({ type: 'clock.check' })
      expect(calls).toHaveLength(before + 1)
      calls.at(-1)?.[end]()
      await expect.poll(() => actor.getSnapshot().value).toBe('idle')
    }
  })

  it('reaches all its states', () => {
    expect(walkShortestPaths(clockMachine, { input: { at: 0 }, events: [{ type: 'clock.check' }] }).unreached).toEqual(
      [],
    )
  })
})
