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
  const heard: ForwardedEvent[] = []
  const subscription = forwardInspection(actor, { next: event => heard.push(event) })
  expect(heard.map(({ type, actorRef }) => [type, actorRef.id, actorRef._parent?.sessionId])).toEqual([
    ['@xstate.actor', actor.id, undefined],
    ['@xstate.actor', 'door', actor.sessionId],
    ['@xstate.actor', 'radio', actor.sessionId],
  ])
  expect(heard.map(({ actorRef }) => (actorRef.logic?.config as { id: string } | undefined)?.id)).toEqual([
    'home',
    'door',
    undefined,
  ])
  const before = heard.length
  actor.getSnapshot().children['door']?.send({ type: 'door.open' })
  expect(heard.slice(before)).toMatchObject([
    { type: '@xstate.event', actorRef: { id: 'door' }, sourceRef: undefined, event: { type: 'door.open' } },
    {
      type: '@xstate.snapshot',
      actorRef: { id: 'door' },
      snapshot: { status: 'active', value: 'open', tags: ['windy'] },
    },
  ])
  actor.send({ type: 'home.configure', config: { passkey: PASSKEY } })
  expect(new Set(heard.map(({ type }) => type))).toEqual(
    new Set(['@xstate.actor', '@xstate.event', '@xstate.snapshot']),
  )
  expect(JSON.stringify(heard)).not.toContain(PASSKEY)
  expect(JSON.stringify(heard.map(({ actorRef }) => actorRef.getSnapshot()))).not.toContain(PASSKEY)
  subscription.unsubscribe()
  const after = heard.length
  actor.send({ type: 'home.configure', config: { passkey: '' } })
  expect(heard.length).toBe(after)
})
