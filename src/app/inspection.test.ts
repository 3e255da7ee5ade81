import { assign, createActor, fromCallback, setup } from 'xstate'
import { expect, it } from 'vitest'
import { forwardInspection, type ForwardedEvent } from './inspection.ts'

const PASSKEY = '8c0ffee0badc0de5feedface00112233'

const door = setup({ types: { events: {} as { type: 'door.open' } } }).createMachine({
  id: 'door',
  initial: 'shut',
  states: { shut: { on: { 'door.open': 'open' } }, open: { tags: 'windy' } },
})

const home = setup({
  types: {
    context: {} as { config: { passkey: string } },
    events: {} as { type: 'home.configure'; config: { passkey: string } },
  },
  actors: { door, radio: fromCallback(() => undefined) },
}).createMachine({
  id: 'home',
  context: { config: { passkey: PASSKEY } },
  invoke: [
    { src: 'door', id: 'door' },
    { src: 'radio', id: 'radio' },
  ],
  on: { 'home.configure': { actions: assign({ config: ({ event }) => event.config }) } },
})

it('an inspector gets the existing actors and all inspection events, without secrets', () => {
  const actor = createActor(home).start()
  const received: ForwardedEvent[] = []
  const subscription = forwardInspection(actor, { next: event => received.push(event) })
  expect(received.map(({ type, actorRef }) => [type, actorRef.id, actorRef._parent?.sessionId])).toEqual([
    ['@xstate.actor', actor.id, undefined],
    ['@xstate.actor', 'door', actor.sessionId],
    ['@xstate.actor', 'radio', actor.sessionId],
  ])
  expect(received.map(({ actorRef }) => (actorRef.logic?.config as { id: string } | undefined)?.id)).toEqual([
    'home',
    'door',
    undefined,
  ])
  const before = received.length
  actor.getSnapshot().children['door']?.send({ type: 'door.open' })
  expect(received.slice(before)).toMatchObject([
    { type: '@xstate.event', actorRef: { id: 'door' }, sourceRef: undefined, event: { type: 'door.open' } },
    {
      type: '@xstate.snapshot',
      actorRef: { id: 'door' },
      snapshot: { status: 'active', value: 'open', tags: ['windy'] },
    },
  ])
  actor.send({ type: 'home.configure', config: { passkey: PASSKEY } })
  expect(new Set(received.map(({ type }) => type))).toEqual(
    new Set(['@xstate.actor', '@xstate.event', '@xstate.snapshot']),
  )
  expect(JSON.stringify(received)).not.toContain(PASSKEY)
  expect(JSON.stringify(received.map(({ actorRef }) => actorRef.getSnapshot()))).not.toContain(PASSKEY)
  subscription.unsubscribe()
  const after = received.length
  actor.send({ type: 'home.configure', config: { passkey: '' } })
  expect(received.length).toBe(after)
})
