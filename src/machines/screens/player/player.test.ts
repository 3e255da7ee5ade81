import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import type { ProjectorCommand, Timeline } from './player.events.ts'
import { playerMachine } from './player.machine.ts'
import { isAtEnd, isAtStart, selectEnd, selectFaultsAhead } from './player.selectors.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'

const timeline: Timeline = { times: [10, 20, 20, 40, 50], from: 5, steps: [1, 3, 4], faults: [3, 5], isExact: true }

function start() {
  const sent: ProjectorCommand[] = []
  const clock = new SimulatedClock()
  const player = createActor(
    playerMachine.provide({
      actors: {
        projector: fromCallback<ProjectorCommand, undefined>(({ receive }) => receive(command => sent.push(command))),
      },
    }),
    { input: timeline, clock },
  ).start()
  const reach = (position: number): void =>
    player.send({ type: 'player.reached', position, at: timeline.times[position - 1] ?? timeline.from })
  return { player, sent, clock, reach }
}

describe('a player', () => {
  it('begins at the beginning, paused', () => {
    const { player } = start()
    const snapshot = player.getSnapshot()
    expect(snapshot.hasTag('playing')).toBe(false)
    expect(isAtStart(snapshot)).toBe(true)
    expect(snapshot.context.at).toBe(5)
    expect(selectEnd(snapshot)).toBe(50)
    expect(snapshot.context.speed).toBe(1)
  })

  it.each([
    [5, 0],
    [10, 1],
    [20, 3],
    [39, 3],
    [1000, 5],
  ])('goes to a moment: %i is after event %i', (at, position) => {
    const { player, sent } = start()
    player.send({ type: 'player.seek', at })
    expect(sent).toEqual([{ type: 'projector.go', position }])
  })

  it('plays at the chosen speed, and stops at the end', () => {
    const { player, sent, reach } = start()
    player.send({ type: 'player.setSpeed', speed: 4 })
    player.send({ type: 'player.play' })
    player.send({ type: 'player.setSpeed', speed: 16 })
    reach(5)
    player.send({ type: 'player.ended' })
    expect(sent.map(command => (command.type === 'projector.play' ? command.speed : command.type))).toEqual([
      4,
      'projector.pause',
      16,
      'projector.pause',
    ])
    expect(player.getSnapshot().hasTag('playing')).toBe(false)
    expect(isAtEnd(player.getSnapshot())).toBe(true)
  })

  it('plays from the beginning again when it is at the end', () => {
    const { player, sent, reach } = start()
    reach(5)
    player.send({ type: 'player.play' })
    expect(sent).toEqual([
      { type: 'projector.go', position: 0 },
      { type: 'projector.play', speed: 1 },
    ])
  })

  it('steps over the mere passing of time, both ways, and stops doing so at the ends', () => {
    const { player, sent, reach } = start()
    for (const [from, direction] of [
      [0, 1],
      [1, 1],
      [4, 1],
      [5, -1],
      [4, -1],
      [1, -1],
    ] as const) {
      reach(from)
      player.send({ type: 'player.step', direction })
    }
    expect(sent.map(command => (command.type === 'projector.go' ? command.position : command.type))).toEqual([
      1, 3, 5, 4, 3, 0,
    ])
  })

  it('goes to the next fault, and knows how many are ahead', () => {
    const { player, sent, reach } = start()
    expect(selectFaultsAhead(player.getSnapshot())).toBe(2)
    player.send({ type: 'player.play' })
    player.send({ type: 'player.nextFault' })
    reach(3)
    expect(selectFaultsAhead(player.getSnapshot())).toBe(1)
    player.send({ type: 'player.nextFault' })
    reach(5)
    expect(selectFaultsAhead(player.getSnapshot())).toBe(0)
    expect(sent.flatMap(command => (command.type === 'projector.go' ? [command.position] : []))).toEqual([3, 5])
    expect(player.getSnapshot().hasTag('playing')).toBe(false)
  })

  it('reminds for a while that nothing can be changed', () => {
    const { player, clock } = start()
    player.send({ type: 'player.ignored' })
    clock.increment(3000)
    player.send({ type: 'player.ignored' })
    clock.increment(3000)
    expect(player.getSnapshot().hasTag('notice')).toBe(true)
    clock.increment(1000)
    expect(player.getSnapshot().hasTag('notice')).toBe(false)
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(playerMachine, {
      input: timeline,
      events: [{ type: 'player.play' }, { type: 'player.pause' }, { type: 'player.ended' }, { type: 'player.ignored' }],
    })
    expect(unreached).toEqual([])
  })
})
