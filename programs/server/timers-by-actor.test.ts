import { expect, test } from 'vitest'
import {
  assign,
  cancel,
  createActor,
  createMachine,
  fromCallback,
  raise,
  SimulatedClock,
  type ActorRefFrom,
} from 'xstate'
import { indexTimers, stopChildren } from './timers-by-actor.ts'

const waiting = createMachine({
  initial: 'waiting',
  states: { waiting: { after: { 1000: 'over' } }, over: {} },
})

test('delayed events of a stopped actor are not sent, and those of others are', () => {
  const clock = new SimulatedClock()
  const root = createActor(
    createMachine({
      invoke: { src: waiting, id: 'stays' },
      initial: 'both',
      states: { both: { invoke: { src: waiting, id: 'stops' }, on: { stop: 'one' } }, one: {} },
    }),
    { clock },
  )
  expect(indexTimers(root)).toBe(true)
  root.start()
  const child = (id: string) => root.getSnapshot().children[id] as ActorRefFrom<typeof waiting>
  const system = root.system as unknown as { readonly _snapshot: { readonly _scheduledEvents: object } }
  const scheduled = () => Object.keys(system._snapshot._scheduledEvents).length
  const [stays, stops] = [child('stays'), child('stops')]
  expect(scheduled()).toBe(2)
  root.send({ type: 'stop' })
  expect(scheduled()).toBe(1)
  clock.increment(1000)
  expect(stays.getSnapshot().value).toBe('over')
  expect(stops.getSnapshot().value).toBe('waiting')
  root.stop()
  expect(scheduled()).toBe(0)
})

test('a canceled event is not sent, also after its id was used again', () => {
  const clock = new SimulatedClock()
  const actor = createActor(
    createMachine({
      initial: 'idle',
      states: { idle: { on: { due: 'over' } }, over: {} },
      on: { ask: { actions: raise({ type: 'due' }, { id: 'due', delay: 1000 }) }, stop: { actions: cancel('due') } },
    }),
    { clock },
  )
  indexTimers(actor)
  actor.start()
  for (const type of ['ask', 'stop', 'ask', 'stop']) actor.send({ type })
  clock.increment(1000)
  expect(actor.getSnapshot().value).toBe('idle')
  actor.send({ type: 'ask' })
  clock.increment(1000)
  expect(actor.getSnapshot().value).toBe('over')
})

test('thousands of children are stopped, once each, in less than a second', () => {
  let stopped = 0
  const part = fromCallback(() => () => void stopped++)
  const whole = createMachine({
    entry: assign(({ spawn }) => {
      for (let index = 0; index < 5000; index++) spawn(part, { id: `part ${index}` })
      return {}
    }),
  })
  const actor = createActor(whole)
  indexTimers(actor)
  actor.start()
  const before = performance.now()
  stopChildren(actor)
  actor.stop()
  expect(stopped).toBe(5000)
  expect(performance.now() - before).toBeLessThan(1000)
})
