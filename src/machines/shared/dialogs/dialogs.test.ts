import { describe, expect, it } from 'vitest'
import { createActor, createMachine, type AnyActorRef } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ConfirmDialog, Message } from './dialogs.events.ts'
import { dialogsMachine, type DialogsRef } from './dialogs.machine.ts'
import { selectDialog } from './dialogs.selectors.ts'

const dump: ConfirmDialog = {
  kind: 'confirm',
  id: 'dump:u1',
  title: 'Dump WU?',
  text: 'Are you sure?',
  buttons: [
    { id: 'cancel', name: 'Cancel' },
    { id: 'dump', name: 'Dump', tone: 'danger', sends: [{ to: 'client:a', event: { type: 'client.dump' } }] },
  ],
}
const failed: Message = { level: 'error', title: 'Login failed', text: 'No.' }
const lost: Message = { level: 'warn', title: 'Lost', text: 'Gone.' }

function startDialogs() {
  const received: [string, unknown][] = []
  const listener = (name: string) =>
    createMachine({ on: { '*': { actions: ({ event }) => received.push([name, event]) } } })
  const parent = createActor(
    createMachine({
      invoke: [
        { src: dialogsMachine, id: 'dialogs' },
        { src: listener('client:a'), systemId: 'client:a' },
        { src: listener('fleet'), systemId: 'fleet' },
      ],
    }),
  ).start()
  const actor = parent.getSnapshot().children['dialogs'] as AnyActorRef as DialogsRef
  return { actor, received, shown: () => selectDialog(actor.getSnapshot()) }
}

describe('dialogs', () => {
  it('show one question after another', () => {
    const { actor, shown } = startDialogs()
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: 'pause:a', client: 'a' } })
    actor.send({ type: 'dialogs.ask', dialog: dump })
    expect(shown()).toBe(dump)
    actor.send({ type: 'dialogs.answer', id: dump.id, button: 'cancel' })
    expect(shown()?.id).toBe('pause:a')
    actor.send({ type: 'dialogs.answer', id: 'pause:a', button: 'cancel' })
    expect(shown()).toBeUndefined()
  })

  it('send what the pressed button means, and nothing else [2.66]', () => {
    const { actor, received } = startDialogs()
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.answer', id: dump.id, button: 'cancel' })
    expect(received).toEqual([])
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.answer', id: dump.id, button: 'dump' })
    expect(received).toEqual([['client:a', { type: 'client.dump' }]])
  })

  it('gather messages that come while others are shown, each once, in front of any question', () => {
    const { actor, shown } = startDialogs()
    actor.send({ type: 'dialogs.ask', dialog: dump })
    for (const message of [failed, lost, failed]) actor.send({ type: 'dialogs.showMessage', message })
    expect(shown()).toMatchObject({ kind: 'message', messages: [failed, lost] })
    expect(shown()).toBe(shown())
    actor.send({ type: 'dialogs.answer', id: 'messages', button: 'ok' })
    expect(shown()).toBe(dump)
  })

  it('do what the button of a message says, not what one of the question behind it says', () => {
    const { actor, received, shown } = startDialogs()
    const unlink = { id: 'dump', name: 'Unlink', sends: [{ to: 'fleet', event: { type: 'fleet.check' } }] }
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.showMessage', message: { ...lost, button: unlink } })
    actor.send({ type: 'dialogs.answer', id: 'messages', button: 'dump' })
    expect({ received, shown: shown() }).toEqual({ received: [['fleet', { type: 'fleet.check' }]], shown: dump })
  })

  it('ignore an answer to a question that is not on the screen', () => {
    const { actor, shown } = startDialogs()
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.answer', id: 'another', button: 'dump' })
    expect(shown()).toBe(dump)
  })

  it('remove a withdrawn question anywhere in the queue', () => {
    const { actor, received, shown } = startDialogs()
    actor.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: 'pause:a', client: 'a' } })
    actor.send({ type: 'dialogs.ask', dialog: dump })
    actor.send({ type: 'dialogs.withdraw', id: dump.id })
    expect(shown()?.id).toBe('pause:a')
    actor.send({ type: 'dialogs.withdraw', id: 'pause:a' })
    expect({ shown: shown(), received }).toEqual({ shown: undefined, received: [] })
  })

  it('hold no question twice on any path', () => {
    const { ends } = walkShortestPaths(dialogsMachine, {
      events: [
        { type: 'dialogs.ask', dialog: dump },
        { type: 'dialogs.ask', dialog: { kind: 'pause', id: 'pause', client: 'a' } },
        { type: 'dialogs.showMessage', message: failed },
        { type: 'dialogs.showMessage', message: lost },
        { type: 'dialogs.answer', id: dump.id, button: 'dump' },
        { type: 'dialogs.answer', id: 'pause', button: 'finish' },
        { type: 'dialogs.answer', id: 'messages', button: 'ok' },
      ],
      context: ({ messages, questions }) => [messages.map(({ title }) => title), questions.map(({ id }) => id)],
    })
    expect(ends.length).toBeGreaterThan(10)
    for (const { snapshot, path } of ends) {
      const ids = snapshot.context.questions.map(({ id }) => id)
      expect(new Set(ids).size, path).toBe(ids.length)
    }
  })
})
