import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import type { AlertsReply, AlertTask, AlertTaskResult } from './server-alerts.events.ts'
import { serverAlertsMachine } from './server-alerts.machine.ts'
import { selectTaskFault, testOutcome } from './server-alerts.selectors.ts'

const knownReply: AlertsReply = {
  kind: 'known',
  alerts: { channels: [], people: [], messages: [] },
  push: { key: 'k', browsers: 0 },
  browser: 'off',
}
const byPhone: AlertTask = { kind: 'test', channel: 'phone' }

/** `answers` and `results` are given one after another; the last one again and again. An error is thrown. */
function start(answers: readonly (AlertsReply | Error)[], results: readonly (AlertTaskResult | Error)[] = []) {
  const clock = new SimulatedClock()
  const asked: number[] = []
  const tasks: AlertTask[] = []
  const nth = <T>(list: readonly (T | Error)[], index: number): Promise<T> => {
    const item = list[Math.min(index, list.length - 1)]
    return item === undefined || item instanceof Error ? Promise.reject(new Error('broken')) : Promise.resolve(item)
  }
  const actor = createActor(
    serverAlertsMachine.provide({
      actors: {
        askAlerts: fromPromise<AlertsReply, undefined>(() => nth(answers, asked.push(0) - 1)),
        doAlertTask: fromPromise<AlertTaskResult, AlertTask>(({ input }) => nth(results, tasks.push(input) - 1)),
      },
    }),
    { clock },
  )
  actor.start()
  const settle = async () => {
    for (let turn = 0; turn < 12; turn++) await Promise.resolve()
  }
  return { actor, clock, asked, tasks, settle }
}

describe('alerts of the server', () => {
  test('are asked for while their screen is open', async () => {
    const { actor, clock, asked, settle } = start([knownReply])
    clock.increment(60_000)
    expect(asked).toHaveLength(0)
    actor.send({ type: 'alerts.open' })
    await settle()
    expect(actor.getSnapshot().context.known).toBe(knownReply)
    clock.increment(10_000)
    await settle()
    expect(asked).toHaveLength(2)
    actor.send({ type: 'alerts.close' })
    clock.increment(60_000)
    await settle()
    expect(asked).toHaveLength(2)
  })

  test('stay on the screen while the server is away, which is asked again', async () => {
    const { actor, clock, asked, settle } = start([
      knownReply,
      { kind: 'unreachable' },
      new Error('broken'),
      knownReply,
    ])
    actor.send({ type: 'alerts.open' })
    await settle()
    clock.increment(10_000)
    await settle()
    expect(actor.getSnapshot().hasTag('failed')).toBe(true)
    expect(actor.getSnapshot().context.known).toEqual(knownReply)
    clock.increment(5000)
    await settle()
    expect(actor.getSnapshot().hasTag('failed')).toBe(true)
    clock.increment(60_000)
    await settle()
    expect({ failed: actor.getSnapshot().hasTag('failed'), asked: asked.length }).toEqual({ failed: false, asked: 4 })
  })

  test('a test by a channel reports how it went, until the next one or until the screen is opened again', async () => {
    const { actor, tasks, asked, settle } = start(
      [knownReply],
      [
        { kind: 'tested', channel: 'phone', answer: { outcome: 'sent', reason: null } },
        { kind: 'tested', channel: 'phone', answer: { outcome: 'refused', reason: 'phone answered with status 403' } },
        { kind: 'tested', channel: 'phone', answer: { outcome: 'failed', reason: 'no answer in time' } },
        { kind: 'tested', channel: 'phone', answer: { outcome: 'unknown', reason: 'no answer in time' } },
      ],
    )
    const outcome = (channel = 'phone') => testOutcome(actor.getSnapshot(), channel)
    actor.send({ type: 'alerts.open' })
    // While the state is asked for.
    actor.send({ type: 'alerts.do', task: byPhone })
    expect(actor.getSnapshot().context.task).toEqual(byPhone)
    expect(outcome()).toBeUndefined()
    // One task at a time.
    actor.send({ type: 'alerts.do', task: { kind: 'subscribe' } })
    await settle()
    expect(tasks).toEqual([byPhone])
    expect(asked.length).toBe(2)
    expect(actor.getSnapshot().context.task).toBeUndefined()
    expect({ isGood: outcome()?.isGood, outcome: outcome('mail') }).toEqual({ isGood: true, outcome: undefined })
    actor.send({ type: 'alerts.do', task: byPhone })
    await settle()
    expect(outcome()).toMatchObject({ isGood: false, text: 'The test was refused: phone answered with status 403.' })
    actor.send({ type: 'alerts.do', task: byPhone })
    await settle()
    expect(outcome()?.text).toBe('The test could not be sent: no answer in time.')
    actor.send({ type: 'alerts.do', task: byPhone })
    await settle()
    expect(outcome()).toMatchObject({ isGood: false, text: 'The test may have arrived: no answer in time.' })
    actor.send({ type: 'alerts.close' })
    actor.send({ type: 'alerts.open' })
    expect(outcome()).toBeUndefined()
  })

  test('what could not be done is said', async () => {
    const { actor, settle } = start(
      [knownReply],
      [{ kind: 'refused', reason: 'no' }, { kind: 'notAllowed' }, { kind: 'done' }, new Error('broken')],
    )
    actor.send({ type: 'alerts.open' })
    await settle()
    const faults: unknown[] = []
    for (let turn = 0; turn < 4; turn++) {
      actor.send({ type: 'alerts.do', task: { kind: 'subscribe' } })
      await settle()
      faults.push(selectTaskFault(actor.getSnapshot()))
    }
    expect(faults).toEqual([
      'no',
      'This browser was not allowed to show notifications of this page.',
      undefined,
      'The server did not answer. Try again.',
    ])
  })
})
