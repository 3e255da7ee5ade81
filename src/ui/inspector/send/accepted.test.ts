import { assign, createActor, sendTo, setup } from 'xstate'
import { describe, expect, it } from 'vitest'
import { acceptedEvents, checkEvent, readFields } from './accepted.ts'

const machine = setup({
  types: {
    context: {} as { names: string[] },
    events: {} as { type: 'add'; name: string } | { type: 'leave' } | { type: 'stay' },
  },
  actions: {
    keep: assign({ names: ({ context }, name: string) => [...context.names, name.trim()] }),
    tell: sendTo('nobody', { type: 'hello' }),
  },
  guards: { isLong: (_, name: string) => name.length > 2 },
}).createMachine({
  id: 'list',
  context: { names: [] },
  initial: 'open',
  on: { stay: { actions: 'tell' } },
  states: {
    open: {
      after: { 1000: 'closed' },
      on: {
        leave: 'closed',
        add: {
          guard: { type: 'isLong', params: ({ event }) => event.name },
          actions: { type: 'keep', params: ({ event }) => event.name },
        },
      },
    },
    closed: {},
  },
})

function snapshotOf(...events: { type: 'leave' }[]) {
  const actor = createActor(machine).start()
  for (const event of events) actor.send(event)
  const snapshot = actor.getSnapshot()
  actor.stop()
  return snapshot
}

describe('what a machine accepts', () => {
  it('are the events that its active states have transitions for, without timers', () => {
    expect(acceptedEvents(snapshotOf())).toEqual(['add', 'leave', 'stay'])
    expect(acceptedEvents(snapshotOf({ type: 'leave' }))).toEqual(['stay'])
  })

  it('is checked before it is sent', () => {
    const snapshot = snapshotOf()
    expect(checkEvent(snapshot, 'add', '{"name": "Ada"}')).toEqual({ ok: true, event: { type: 'add', name: 'Ada' } })
    expect(checkEvent(snapshot, 'leave', ' ')).toEqual({ ok: true, event: { type: 'leave' } })
    expect(checkEvent(snapshot, 'add', '{"name": "A"}')).toMatchObject({
      ok: false,
      why: expect.stringContaining('ignore') as string,
    })
    expect(checkEvent(snapshot, 'add', '{"name": [1, 2, 3]}')).toMatchObject({
      ok: false,
      why: expect.stringContaining('fail') as string,
    })
    expect(checkEvent(snapshot, 'add', '{}')).toMatchObject({
      ok: false,
      why: expect.stringContaining('fail') as string,
    })
    expect(checkEvent(snapshot, 'stay', '{}')).toMatchObject({
      ok: false,
      why: expect.stringContaining('fail') as string,
    })
    expect(snapshot.context.names).toEqual([])
  })

  it.each([
    ['{"name": }', 'This is not JSON'],
    ['[1]', 'A payload is an object'],
    ['null', 'A payload is an object'],
    ['{"type": "add"}', 'The type is chosen above'],
    ['{"__proto__": {}}', 'cannot be called __proto__'],
  ])('rejects a payload that is not an object: %s', (payload, why) => {
    expect(readFields(payload)).toContain(why)
  })
})
