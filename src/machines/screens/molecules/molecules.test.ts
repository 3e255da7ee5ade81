import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromCallback, SimulatedClock, type AnyEventObject } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { structureOf, topology } from '../../../../test/machines/viewer.ts'
import { emptyStructure, withTopology, type Structure } from '../../../folding/molecule/structure.ts'
import type { MoleculeStoreCommand } from '../viewer/viewer.events.ts'
import type { MoleculesEvent } from './molecules.events.ts'
import { moleculesMachine, type MoleculesRef } from './molecules.machine.ts'
import { selectProgress, selectStill } from './molecules.selectors.ts'

const a = { client: 'abc', unit: 'a' }
const b = { client: 'abc', unit: 'b' }
const [want, leave, allow] = [
  (of: typeof a) => ({ type: 'molecules.want', ...of }) as const,
  (of: typeof a) => ({ type: 'molecules.leave', ...of }) as const,
  (of: typeof a, mayAsk = true) => ({ type: 'molecules.allow', ...of, mayAsk }) as const,
]
function stored(of: typeof a, count?: number) {
  return {
    type: 'molecule.restored',
    ...of,
    ...(count === undefined ? {} : { structure: structureOf(count) }),
  } as const
}
const large: Structure = {
  topology,
  trajectory: { frames: [new Float32Array(140_000), new Float32Array(9)], count: 2 },
  refused: 0,
}
function sent(of: typeof a, structure = structureOf(3)) {
  return { type: 'molecule.changed', ...of, structure } as const
}

function start() {
  const clock = new SimulatedClock()
  const storeCommands: MoleculeStoreCommand[] = []
  const said: string[] = []
  const system = createActor(
    createMachine({
      invoke: [
        {
          src: fromCallback<AnyEventObject>(({ receive }) =>
            receive(({ type, unit, reader }) => said.push([type, unit, reader].join(' '))),
          ),
          systemId: 'client:abc',
        },
        {
          src: moleculesMachine.provide({
            actors: {
              moleculeStore: fromCallback<MoleculeStoreCommand, undefined>(({ receive }) =>
                receive(command => storeCommands.push(command)),
              ),
            },
          }),
          id: 'molecules',
        },
      ],
    }),
    { clock },
  ).start()
  const actor = system.getSnapshot().children['molecules'] as unknown as MoleculesRef
  return {
    clock,
    storeCommands,
    said,
    send: (...events: readonly MoleculesEvent[]): void => events.forEach(event => actor.send(event)),
    progress: (of = a) => selectProgress(of)(actor.getSnapshot()),
    frames: (of = a) => selectStill(of)(actor.getSnapshot()).trajectory.count,
  }
}

describe('a still picture', () => {
  it('is of the last frame that the browser stored, and the client is not asked then', () => {
    const { send, storeCommands, said, progress, frames } = start()
    send(want(a), allow(a), stored(a, 2))
    expect(storeCommands).toEqual([{ type: 'store.restore', ...a, frames: 1 }])
    expect(said).toEqual([])
    expect(progress()).toBe('known')
    expect(frames()).toBe(1)
  })

  it('is asked for only when that is allowed, until the first frames have come, and is stored', () => {
    const { send, storeCommands, said, progress, frames, clock } = start()
    send(want(a), stored(a))
    expect({ said, progress: progress() }).toEqual({ said: [], progress: 'missing' })
    send(allow(a), sent(a, withTopology(emptyStructure, topology)))
    expect({ said, frames: frames() }).toEqual({ said: ['client.subscribeMolecule a molecules'], frames: 0 })
    send(sent(b), sent(a, structureOf(1)), sent(b), sent(a))
    expect(said.length).toBe(1)
    expect(progress()).toBe('missing')
    expect(frames()).toBe(1)
    clock.increment(1000)
    expect(said.at(-1)).toBe('client.unsubscribeMolecule a molecules')
    expect(progress()).toBe('known')
    expect(storeCommands.slice(1)).toEqual([
      { type: 'store.save', ...a, structure: structureOf(1) },
      { type: 'store.save', ...a, structure: structureOf(3) },
    ])
  })

  it('waits for its turn: one client is asked for one molecule at a time, and stopped when half a megabyte has come', () => {
    const { send, said, progress } = start()
    send(want(a), want(b), allow(a), allow(b), stored(a), stored(b))
    expect(said).toEqual(['client.subscribeMolecule a molecules'])
    send(sent(a, large), sent(b), sent(b, large))
    expect(said.slice(1)).toEqual([
      'client.unsubscribeMolecule a molecules',
      'client.subscribeMolecule b molecules',
      'client.unsubscribeMolecule b molecules',
    ])
    expect(progress(b)).toBe('known')
  })

  it.each([
    ['leaves the screen', leave(a)],
    ['may not be asked for any more', allow(a, false)],
  ])('ends the stream when it %s', (_, event) => {
    const { send, said } = start()
    send(want(a), allow(a), stored(a), event)
    expect(said).toEqual(['client.subscribeMolecule a molecules', 'client.unsubscribeMolecule a molecules'])
  })

  it('has failed when the client sends nothing within a minute, and is asked for again on request', () => {
    const { send, said, progress, clock } = start()
    send(want(a), allow(a), stored(a), { type: 'molecules.retry', ...a })
    clock.increment(59_999)
    expect(progress()).toBe('missing')
    clock.increment(1)
    expect(progress()).toBe('failed')
    send({ type: 'molecules.retry', ...a })
    expect(said).toHaveLength(3)
  })

  it('is asked for when the browser does not answer within 3 s', () => {
    const { send, said, clock } = start()
    send(want(a), allow(a))
    clock.increment(3000)
    expect(said).toEqual(['client.subscribeMolecule a molecules'])
  })
})

describe('molecules whose pictures left the screen', () => {
  it('are kept for the last four, unless all are forgotten', () => {
    const { send, progress } = start()
    const units = ['u0', 'u1', 'u2', 'u3', 'u4'].map(unit => ({ client: 'abc', unit }))
    for (const of of units) send(want(of), stored(of, 1), leave(of))
    expect(units.map(progress)).toEqual(['unread', 'known', 'known', 'known', 'known'])
    send(want(b), want(b), stored(b, 1), leave(b), { type: 'molecules.clear' })
    expect([...units, b].map(progress)).toEqual(['unread', 'unread', 'unread', 'unread', 'unread', 'known'])
  })
})

it('reaches every state', () => {
  const { unreached } = walkShortestPaths(moleculesMachine, {
    events: [
      want(a),
      leave(a),
      allow(a),
      stored(a),
      stored(a, 1),
      sent(a),
      sent(a, large),
      { type: 'molecules.clear' },
    ],
    context: ({ entries }) => entries.map(({ readers, mayAsk, progress }) => [Math.min(readers, 2), mayAsk, progress]),
  })
  expect(unreached).toEqual([])
})
