import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { projectsMachine } from './projects.machine.ts'

describe('the projects', () => {
  it('are wanted a second after the screen opens, and are no longer loading eight seconds later [9.11]', () => {
    const clock = new SimulatedClock()
    const actor = createActor(projectsMachine, { clock }).start()
    const state = () => [actor.getSnapshot().hasTag('loading'), actor.getSnapshot().hasTag('wanted')]
    expect(state()).toEqual([false, false])
    actor.send({ type: 'projects.open' })
    expect(state()).toEqual([true, false])
    clock.increment(1000)
    expect(state()).toEqual([true, true])
    clock.increment(8000)
    expect(state()).toEqual([false, true])
    actor.send({ type: 'projects.close' })
    expect(state()).toEqual([false, false])
  })

  it('that ended are described one after another, the first 500 of them, until the screen closes', () => {
    const clock = new SimulatedClock()
    const actor = createActor(projectsMachine, { clock }).start()
    const state = () => [actor.getSnapshot().context.described, actor.getSnapshot().hasTag('describing')]
    actor.send({ type: 'projects.describe', count: 2 })
    actor.send({ type: 'projects.open' })
    actor.send({ type: 'projects.describe', count: 1 })
    expect(state()).toEqual([0, true])
    clock.increment(100)
    expect(state()).toEqual([1, true])
    clock.increment(100)
    expect(state()).toEqual([2, false])
    actor.send({ type: 'projects.describe', count: 9999 })
    for (let step = 0; step < 600; step++) clock.increment(100)
    expect(state()).toEqual([500, false])
    actor.send({ type: 'projects.close' })
    actor.send({ type: 'projects.open' })
    expect(state()).toEqual([0, false])
  })

  it('reach all their states, and nothing is requested that is not shown', () => {
    const { ends, unreached } = walkShortestPaths(projectsMachine, {
      events: [{ type: 'projects.open' }, { type: 'projects.close' }, { type: 'projects.describe', count: 1 }],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) if (snapshot.matches('closed')) expect([...snapshot.tags], path).toEqual([])
  })
})
