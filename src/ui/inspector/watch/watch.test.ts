import { assign, createActor, fromCallback, setup } from 'xstate'
import { describe, expect, it } from 'vitest'
import { actorTree, findActors } from './actor-tree.ts'
import { filterEvents } from './received-events.ts'
import { createWatch } from './watch.ts'

const PASSKEY = '8c0ffee0badc0de5feedface00112233'

const child = setup({ types: { events: {} as { type: 'child.go'; config?: object } } }).createMachine({
  id: 'child',
  initial: 'resting',
  states: { resting: { on: { 'child.go': 'going' } }, going: { on: { 'child.go': {} } } },
})

function startTestSystem() {
  const root = createActor(
    setup({
      types: {
        context: {} as { config: { passkey: string }; note: string },
        events: {} as { type: 'note'; text: string },
      },
      actors: { child, radio: fromCallback(() => undefined) },
      actions: { keep: assign({ note: (_, text: string) => text }) },
    }).createMachine({
      id: 'system',
      context: { config: { passkey: PASSKEY }, note: '' },
      invoke: [
        { src: 'child', id: 'son' },
        { src: 'radio', id: 'radio' },
      ],
      on: { note: { actions: { type: 'keep', params: ({ event }) => event.text } } },
    }),
  )
  const timers: (() => void)[] = []
  root.start()
  const watch = createWatch({
    root,
    now: () => 1000,
    later: run => {
      timers.push(run)
      return () => timers.splice(timers.indexOf(run), 1)
    },
  })
  const pass = (): void => {
    for (const run of timers.splice(0)) run()
  }
  const leave = watch.subscribe(() => undefined)
  return { root, watch, leave, pass, timers, son: root.getSnapshot().children['son'] }
}

describe('a watch', () => {
  it('shows all actors and their states, updated at intervals', () => {
    const { watch, pass, son } = startTestSystem()
    const before = watch.snapshot()
    expect(before.tree).toMatchObject({
      address: '',
      name: 'system',
      children: [
        { address: 'son', state: 'resting', isMachine: true },
        { address: 'radio', state: 'active', isMachine: false },
      ],
    })
    son?.send({ type: 'child.go' })
    expect(watch.snapshot()).toBe(before)
    pass()
    expect(watch.snapshot().tree.children[0]?.state).toBe('going')
    expect(watch.snapshot().tree.children[1]).toBe(before.tree.children[1])
    expect([...watch.lastTransitions('son')]).toEqual([expect.stringContaining('child.going')])
  })

  it('records every event with its receiver and without secrets', () => {
    const { root, watch, pass, son } = startTestSystem()
    son?.send({ type: 'child.go', config: { passkey: PASSKEY } })
    root.send({ type: 'note', text: `Whose passkey is ${PASSKEY}?` })
    pass()
    const { received } = watch.snapshot()
    expect(received.map(({ number, from, to, event }) => [number, from, to, event.type])).toEqual([
      [1, undefined, 'son', 'child.go'],
      [2, undefined, '', 'note'],
    ])
    expect(
      watch.mask.clean(JSON.stringify([received, watch.mask.applyShared(root.getSnapshot().context).value])),
    ).not.toContain(PASSKEY)
    expect(filterEvents(received, 'SON', undefined).map(({ number }) => number)).toEqual([1])
    expect(filterEvents(received, '', '').map(({ number }) => number)).toEqual([2])
  })

  it('detaches when it has no subscribers', () => {
    const { watch, leave, son, timers } = startTestSystem()
    son?.send({ type: 'child.go' })
    expect(timers.length).toBe(1)
    leave()
    son?.send({ type: 'child.go' })
    expect(timers).toEqual([])
    const listenAgain = watch.subscribe(() => undefined)
    son?.send({ type: 'child.go' })
    expect(timers.length).toBe(1)
    listenAgain()
  })
})

describe('finding actors', () => {
  it('keeps those whose name or state matches, and their ancestors', () => {
    const { root } = startTestSystem()
    const tree = actorTree(root)
    expect(findActors(tree, 'REST')?.children.map(({ name }) => name)).toEqual(['son'])
    expect(findActors(tree, ' ')).toBe(tree)
    expect(findActors(tree, 'nobody')).toBeUndefined()
  })
})
