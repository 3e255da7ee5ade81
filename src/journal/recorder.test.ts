import { describe, expect, it } from 'vitest'
import {
  assign,
  createActor,
  enqueueActions,
  fromCallback,
  fromPromise,
  sendParent,
  sendTo,
  setup,
  SimulatedClock,
  type ActorRefFrom,
  type AnyActorRef,
} from 'xstate'
import { settled } from '../../test/child.ts'
import { saveActor } from './checkpoint.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { CAUGHT_ERROR, type Recording } from './recording.ts'
import { startReplay, withoutEffects } from './replay.ts'

const counter = setup({
  types: { context: {} as { count: number }, events: {} as { type: 'count.up'; by: number } },
}).createMachine({
  context: { count: 0 },
  on: {
    'count.up': {
      actions: [assign({ count: ({ context, event }) => context.count + event.by }), sendParent({ type: 'counted' })],
    },
  },
})

let emit: (fact: { type: 'socket.received' }) => void = () => undefined

const machine = setup({
  types: {
    context: {} as {
      received: number
      answers: readonly unknown[]
      counter: ActorRefFrom<typeof counter> | undefined
      looked?: ActorRefFrom<typeof counter>
    },
    events: {} as
      | { type: 'counted' | 'socket.received' | 'ask' | 'wait' | 'nod' }
      | { type: 'login'; secrets: { word: string } }
      | { type: 'look'; at: ActorRefFrom<typeof counter> },
  },
  actors: {
    counter,
    source: fromCallback(({ sendBack }) => {
      emit = sendBack
    }),
    answer: fromPromise(() => Promise.resolve({ ok: true, token: 'a very secret token' })),
  },
  delays: { while: 1000 },
}).createMachine({
  context: ({ spawn }) => ({
    received: 0,
    answers: [],
    counter: spawn('counter', { id: 'counter', systemId: 'counter' }),
  }),
  invoke: { src: 'source', id: 'source' },
  initial: 'idle',
  on: {
    'socket.received': {
      actions: [
        assign({ received: ({ context }) => context.received + 1 }),
        sendTo('counter', { type: 'count.up', by: 1 }),
      ],
    },
    login: {},
    look: { actions: assign({ looked: ({ event }) => event.at }) },
    nod: {
      actions: enqueueActions(({ context, enqueue }) => {
        if (context.looked === undefined) return
        enqueue.sendTo(context.looked, { type: 'count.up', by: 5 })
        enqueue.assign({ received: context.received + 1 })
      }),
    },
  },
  states: {
    idle: { on: { ask: 'asking', wait: 'waiting' } },
    asking: {
      invoke: {
        src: 'answer',
        id: 'answer',
        onDone: {
          target: 'idle',
          actions: assign({ answers: ({ context, event }) => [...context.answers, event.output] }),
        },
      },
    },
    waiting: { after: { while: 'idle' } },
  },
})

function start(bounds: Partial<{ maxEvents: number; maxBytes: number; checkpointSpacing: () => number }> = {}) {
  const clock = new SimulatedClock()
  const later: (() => void)[] = []
  const recorder = createRecorder({
    now: () => clock.now(),
    timers: {
      setTimeout: (run, ms) => clock.setTimeout(run, ms),
      clearTimeout: timer => clock.clearTimeout(timer as number),
    },
    whenIdle: run => later.push(run),
    secretNames: new Set(['secrets', 'token']),
    maxEvents: 1000,
    maxBytes: 1_000_000,
    ...bounds,
  })
  const actor = createActor(machine, { inspect: recorder.inspect, clock: recorder.clock as object as SimulatedClock })
  actor.start()
  recorder.begin(actor)
  return { actor, clock, recorder, rest: () => later.splice(0).forEach(run => run()) }
}

function replayed({ checkpoints: [first], entries }: Recording, recorder: Recorder): unknown {
  if (first === undefined) throw new Error('Nothing was recorded.')
  const replay = startReplay(withoutEffects(machine), first)
  for (const entry of entries) replay.deliver(entry)
  return saveActor(replay.root, recorder.mask).saved
}

describe('a recorder', () => {
  it('records events of screens, effects, promises and timers, and none between machines', async () => {
    const { actor, clock, recorder } = start()
    actor.send({ type: 'ask' })
    await settled()
    emit({ type: 'socket.received' })
    actor.send({ type: 'wait' })
    clock.increment(1000)
    actor.send({ type: 'login', secrets: { word: 'open sesame' } })
    expect(recorder.recording().entries.map(({ to, at, event }) => [to, at, event.type])).toEqual([
      ['', 0, 'ask'],
      ['answer', 0, 'xstate.promise.resolve'],
      ['', 0, 'socket.received'],
      ['', 0, 'wait'],
      ['', 1000, 'xstate.after.while.(machine).waiting'],
      ['', 1000, 'login'],
    ])
    expect(JSON.stringify(recorder.recording())).not.toMatch(/very secret|sesame/)
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('deletes the oldest beyond its limits, and replays the rest exactly', () => {
    const { actor, recorder, rest } = start({ maxEvents: 30, checkpointSpacing: () => 10 })
    for (let count = 0; count < 95; count++) {
      emit({ type: 'socket.received' })
      rest()
    }
    const { checkpoints, entries } = recorder.recording()
    expect({ seq: entries[0]?.seq, entries: entries.length }).toEqual({ seq: 64, entries: 31 })
    expect(checkpoints.map(({ seq }) => seq)).toEqual([64, 68, 72, 76, 80, 84, 88, 92])
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('takes a checkpoint after much work, however few events were external', () => {
    const { actor, recorder, rest } = start({ checkpointSpacing: () => 12 })
    for (let count = 0; count < 14; count++) {
      emit({ type: 'socket.received' })
      rest()
    }
    // To the root, from there to the counter, and back to the root.
    expect(recorder.recording().checkpoints.map(({ seq }) => seq)).toEqual([0, 5, 10])
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('deletes the oldest beyond its bytes', () => {
    const { actor, recorder, rest } = start({ maxBytes: 20_000 })
    const word = 'x'.repeat(500)
    for (let count = 0; count < 200; count++) {
      actor.send({ type: 'login', secrets: { word }, padding: 'y'.repeat(500) } as never)
      rest()
    }
    expect(recorder.recording().entries.length).toBeLessThan(50)
    expect(recorder.recording().entries.at(-1)?.seq).toBe(199)
  })

  it('deletes the past on request, and replays the rest exactly', () => {
    const { actor, recorder, rest } = start()
    actor.send({ type: 'wait' })
    recorder.forgetPast()
    rest()
    actor.send({ type: 'ask' })
    const recording = recorder.recording()
    expect(recording.checkpoints.map(({ seq }) => seq)).toEqual([1])
    expect(recording.entries.map(({ event }) => event.type)).toEqual(['ask'])
    expect(replayed(recording, recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('holds no secret in memory that no machine holds', async () => {
    const { actor, recorder, rest } = start()
    actor.send({ type: 'login', secrets: { word: 'open sesame' } })
    actor.send({ type: 'ask' })
    await settled()
    const remembered = () => ['open sesame', 'a very secret token'].map(recorder.mask.remembers)
    expect(remembered()).toEqual([true, true])
    recorder.forgetSecrets()
    rest()
    expect(remembered()).toEqual([false, true])
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('records uncaught errors, and replays without them', () => {
    const { actor, recorder } = start()
    recorder.recordError(new TypeError('x is not a function'), 'in Panel')
    emit({ type: 'socket.received' })
    expect(recorder.recording().entries[0]?.event).toEqual({
      type: CAUGHT_ERROR,
      error: 'TypeError',
      message: 'TypeError: x is not a function',
      where: 'in Panel',
    })
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })
})

describe('a replay', () => {
  it('replaces actors in events by its own', () => {
    const { actor, recorder } = start()
    const { counter: ref } = actor.getSnapshot().context
    if (ref === undefined) throw new Error('There is no counter.')
    actor.send({ type: 'look', at: ref })
    actor.send({ type: 'nod' })
    expect(actor.getSnapshot().context.received).toBe(1)
    expect(replayed(recorder.recording(), recorder)).toEqual(saveActor(actor as AnyActorRef, recorder.mask).saved)
  })

  it('receives events of the recording only', () => {
    const { recorder } = start()
    const ignored: string[] = []
    const [first] = recorder.recording().checkpoints
    if (first === undefined) throw new Error('Nothing was recorded.')
    const { root } = startReplay(withoutEffects(machine), first, { ignored: event => ignored.push(event.type) })
    const before: unknown = root.getSnapshot()
    root.send({ type: 'ask' })
    expect(root.getSnapshot()).toBe(before)
    expect(ignored).toEqual(['ask'])
  })

  it('is refused by machines that do not fit', () => {
    const { recorder } = start()
    const [first] = recorder.recording().checkpoints
    if (first === undefined) throw new Error('Nothing was recorded.')
    expect(() =>
      startReplay(withoutEffects(setup({}).createMachine({ initial: 'other', states: { other: {} } })), first),
    ).toThrow()
  })
})
