import { assign, createActor, fromCallback, setup } from 'xstate'
import { describe, expect, it } from 'vitest'
import { actorTree, findActors } from './actor-tree.ts'
import { filterHeard } from './stream.ts'
import { createWatch } from './watch.ts'

const PASSKEY = '8c0ffee0badc0de5feedface00112233'

const child = setup({ types: { events: {} as { type: 'child.go'; config?: object } } }).createMachine({
  id: 'child',
  initial: 'resting',
  states: { resting: { on: { 'child.go': 'going' } }, going: { on: { 'child.go': {} } } },
})

const startHouse = () => {
  const root = createActor(
    setup({
      types: {
        context: {} as { config: { passkey: string }; note: string },
        events: {} as { type: 'note'; text: string },
      },
      actors: { child, radio: fromCallback(() => undefined) },
      actions: { keep: assign({ note: (_, text: string) => text }) },
    }).createMachine({
      id: 'house',
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
  it('shows all actors and what machines are in, anew only when time has passed', () => {
    const { watch, pass, son } = startHouse()
    const before = watch.moment()
    expect(before.tree).toMatchObject({
      address: '',
      name: 'house',
      children: [
        { address: 'son', state: 'resting', isMachine: true },
        { address: 'radio', state: 'active', isMachine: false },
      ],
    })
    son?.send({ type: 'child.go' })
    expect(watch.moment()).toBe(before)
    pass()
    expect(watch.moment().tree.children[0]?.state).toBe('going')
    expect(watch.moment().tree.children[1]).toBe(before.tree.children[1])
    expect([...watch.taken('son')]).toEqual([expect.stringContaining('child.going')])
  })

  it('hears every event with its receiver, and no secret', () => {
    const { root, watch, pass, son } = startHouse()
    son?.send({ type: 'child.go', config: { passkey: PASSKEY } })
    root.send({ type: 'note', text: `Whose passkey is ${PASSKEY}?` })
    pass()
    const { heard } = watch.moment()
    expect(heard.map(({ number, from, to, event }) => [number, from, to, event.type])).toEqual([
      [1, undefined, 'son', 'child.go'],
      [2, undefined, '', 'note'],
    ])
    expect(
      watch.mask.clean(JSON.stringify([heard, watch.mask.applyShared(root.getSnapshot().context).value])),
    ).not.toContain(PASSKEY)
    expect(filterHeard(heard, 'SON', undefined).map(({ number }) => number)).toEqual([1])
    expect(filterHeard(heard, '', '').map(({ number }) => number)).toEqual([2])
  })

  it('is attached to nothing when nobody listens any more', () => {
    const { watch, leave, son, timers } = startHouse()
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
  it('leaves those that are called so, or are in such a state, and all above them', () => {
    const { root } = startHouse()
    const tree = actorTree(root)
    expect(findActors(tree, 'REST')?.children.map(({ name }) => name)).toEqual(['son'])
    expect(findActors(tree, ' ')).toBe(tree)
    expect(findActors(tree, 'nobody')).toBeUndefined()
  })
})
