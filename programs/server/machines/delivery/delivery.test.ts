import { assign, createActor, fromPromise, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { Attempt, DeliveryInput, Examination, KeptDelivery } from './delivery.events.ts'
import { attemptWait, deliveryMachine, MOST_FAILURES } from './delivery.machine.ts'
import { isRetryingDelivery } from './delivery.selectors.ts'

const HALF_MINUTE = 30_000
const fresh: DeliveryInput = { id: 'd', wait: 60_000, failures: 0, wasTried: false }

/** A delivery whose examinations and attempts have these results, one after another; the last one repeats. */
function start(
  examinations: readonly (Examination | 'fails')[],
  attempts: readonly (Attempt | 'fails')[],
  input = fresh,
  waitOf: typeof attemptWait = attemptWait,
) {
  const clock = new SimulatedClock()
  const saved: Pick<KeptDelivery, 'state' | 'failures' | 'error' | 'wait'>[] = []
  const counts = { examined: 0, attempted: 0 }
  const nth = <Result>(results: readonly (Result | 'fails')[], at: number): Promise<Result> => {
    const result = results[Math.min(at, results.length - 1)]
    return result === undefined || result === 'fails'
      ? Promise.reject(new Error('The disk is full'))
      : Promise.resolve(result as Result)
  }
  const actor = createActor(
    deliveryMachine.provide({
      actors: {
        examine: fromPromise<Examination, { readonly id: string }>(() => nth(examinations, counts.examined++)),
        attempt: fromPromise<Attempt, { readonly id: string }>(() => nth(attempts, counts.attempted++)),
      },
      actions: {
        keep: (_, { id: _id, ...rest }) => saved.push(rest),
        assignWait: assign(({ context }) => ({ wait: waitOf(context) })),
      },
    }),
    { clock, input },
  ).start()
  const pass = async (milliseconds: number) => {
    clock.increment(milliseconds)
    // Promises of the actors settle in a few microtasks.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { actor, saved, counts, pass, state: () => actor.getSnapshot().value }
}

test('what is due is sent once', async () => {
  const { saved, counts, pass, state } = start([{ kind: 'send' }], [{ kind: 'sent' }])
  await pass(59_999)
  expect({ state: state(), examined: counts.examined }).toEqual({ state: 'queued', examined: 0 })
  await pass(1)
  expect({ state: state(), counts }).toEqual({ state: 'delivered', counts: { examined: 1, attempted: 1 } })
  expect(saved).toEqual([{ state: 'delivered', failures: 0, error: undefined, wait: 0 }])
})

test('what was acknowledged or is over by then is not sent', async () => {
  const { saved, counts, pass, state } = start([{ kind: 'nothing' }], [])
  await pass(60_000)
  expect(state()).toBe('unneeded')
  expect(counts.attempted).toBe(0)
  expect(saved.at(-1)?.state).toBe('unneeded')
})

test('quiet hours hold it until their end, when it is examined again', async () => {
  const { saved, pass, state } = start([{ kind: 'later', remaining: 3_600_000 }, { kind: 'send' }], [{ kind: 'sent' }])
  await pass(60_000)
  expect(state()).toBe('held')
  expect(saved).toEqual([{ state: 'held', failures: 0, error: undefined, wait: 3_600_000 }])
  await pass(3_599_999)
  expect(state()).toBe('held')
  await pass(1)
  expect(state()).toBe('delivered')
})

test('a failed attempt is repeated with growing delays, or when the receiver reports it', async () => {
  const failed: Attempt = { kind: 'failed', reason: 'mail cannot be reached: ECONNREFUSED' }
  const { actor, saved, counts, pass, state } = start(
    [{ kind: 'send' }],
    [failed, failed, { ...failed, wait: 600_000 }, { kind: 'sent' }],
  )
  await pass(60_000)
  expect(state()).toBe('retrying')
  expect(isRetryingDelivery(actor.getSnapshot())).toBe(true)
  await pass(HALF_MINUTE)
  await pass(2 * HALF_MINUTE)
  expect(saved.map(({ wait }) => wait)).toEqual([30_000, 60_000, 600_000])
  await pass(600_000)
  expect(state()).toBe('delivered')
  expect(counts).toEqual({ examined: 1, attempted: 4 })
  expect(isRetryingDelivery(actor.getSnapshot())).toBe(false)
})

test('the next attempt is made when it is stored to be due, also with a random part of its delay', async () => {
  const { saved, counts, pass } = start(
    [{ kind: 'send' }],
    [{ kind: 'failed', reason: 'down' }],
    fresh,
    failed => attemptWait(failed) * 1.5,
  )
  await pass(60_000)
  for (const wait of [45_000, 90_000]) {
    expect(saved.at(-1)?.wait).toBe(wait)
    const { attempted } = counts
    await pass(wait - 1)
    expect(counts.attempted).toBe(attempted)
    await pass(1)
    expect(counts.attempted).toBe(attempted + 1)
  }
})

test('it is given up when the receiver refuses it, and after a day of failures', async () => {
  const refused = start([{ kind: 'send' }], [{ kind: 'refused', reason: 'hook answered with status 404' }])
  await refused.pass(60_000)
  expect(refused.state()).toBe('givenUp')
  expect(refused.saved.at(-1)).toEqual({
    state: 'given-up',
    failures: 1,
    error: 'hook answered with status 404',
    wait: 0,
  })
  const failing = start([{ kind: 'send' }], [{ kind: 'failed', reason: 'down' }])
  await failing.pass(60_000)
  let hours = 0
  for (; failing.state() === 'retrying'; hours++) await failing.pass(3_600_000)
  expect(failing.counts.attempted).toBe(MOST_FAILURES)
  expect(hours).toBeGreaterThan(20)
  expect(attemptWait({ failures: MOST_FAILURES, demanded: 0 })).toBe(3_600_000)
})

test('one that may have arrived is not sent again', async () => {
  const { saved, counts, pass, state } = start([{ kind: 'send' }], [{ kind: 'unknown', reason: 'mail did not answer' }])
  await pass(60_000)
  await pass(10 * 3_600_000)
  expect({ state: state(), attempted: counts.attempted }).toEqual({ state: 'uncertain', attempted: 1 })
  expect(saved).toEqual([{ state: 'unknown', failures: 1, error: 'mail did not answer', wait: 0 }])
})

test('a database that fails delays it, and nothing is sent that is not stored first', async () => {
  const { counts, pass, state } = start(['fails', { kind: 'send' }], ['fails', { kind: 'sent' }])
  await pass(60_000)
  expect(state()).toBe('blocked')
  await pass(HALF_MINUTE)
  expect(state()).toBe('postponed')
  await pass(HALF_MINUTE)
  expect({ state: state(), counts }).toEqual({ state: 'delivered', counts: { examined: 2, attempted: 2 } })
})

test('one that was tried before the server ended goes on with the same content', async () => {
  const { counts, pass, state } = start([], [{ kind: 'sent' }], { ...fresh, failures: 3, wasTried: true })
  await pass(60_000)
  expect({ state: state(), counts }).toEqual({ state: 'delivered', counts: { examined: 0, attempted: 1 } })
})

test('every state is reached, and each way ends in one of four', () => {
  const done = (actor: string, output: object) => ({ type: `xstate.done.actor.0.delivery.${actor}`, output })
  const walk = walkShortestPaths(deliveryMachine, {
    input: fresh,
    events: [
      done('examining', { kind: 'send' }),
      done('examining', { kind: 'nothing' }),
      done('examining', { kind: 'later', remaining: 5 }),
      { type: 'xstate.error.actor.0.delivery.examining', error: new Error('full') },
      done('sending', { kind: 'sent' }),
      done('sending', { kind: 'refused', reason: 'no' }),
      done('sending', { kind: 'failed', reason: 'down' }),
      done('sending', { kind: 'unknown', reason: 'no answer in time' }),
      { type: 'xstate.error.actor.0.delivery.sending', error: new Error('full') },
    ],
    context: ({ wasTried }) => wasTried,
  })
  expect(walk.unreached).toEqual([])
  for (const { snapshot } of walk.ends)
    if (snapshot.status === 'done') expect(['delivered', 'givenUp', 'uncertain', 'unneeded']).toContain(snapshot.value)
})
