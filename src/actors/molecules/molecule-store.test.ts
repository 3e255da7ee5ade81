import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { emptyStructure, withFrame, withTopology, type Structure } from '../../folding/molecule/structure.ts'
import { arrivedFrames } from '../../folding/molecule/trajectory.ts'
import type { ViewerFact } from '../../machines/screens/viewer/viewer.events.ts'
import type { Topology } from '../../protocol/client/visualization.ts'
import { runActor } from '../../../test/run-actor.ts'
import { moleculeStoreActor } from './molecule-store-actor.ts'
import { openMoleculeStore, type Bounds, type MoleculeStore } from './molecule-store.ts'

const topology: Topology = {
  names: ['N', 'CA'],
  elements: Uint8Array.of(7, 6),
  charges: new Float32Array(2),
  radii: new Float32Array(2),
  masses: new Float32Array(2),
  bonds: Uint32Array.of(0, 1),
}
function frameOf(at: number): Float32Array {
  return new Float32Array(6).fill(at)
}
const FRAME_BYTES = 24

async function open(bounds?: Bounds): Promise<MoleculeStore> {
  const store = await openMoleculeStore('molecules', bounds)
  if (store === undefined) throw new Error('The database did not open.')
  return store
}
function part(...frames: readonly number[]) {
  return {
    topology,
    frames: frames.map(index => [index, frameOf(index)] as const),
  }
}
function unit(name: string) {
  return { client: 'a machine', unit: name }
}
function shown(structure: Structure | undefined): readonly number[] {
  return arrivedFrames(structure?.trajectory ?? emptyStructure.trajectory).map(([x = NaN]) => x)
}

afterEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

describe('stored molecules', () => {
  it('are restored with their gaps, for the same unit and client only', async () => {
    const store = await open()
    await store.save(unit('u'), part(0, 2), 1)
    await store.save(unit('u'), { frames: [[3, frameOf(3)]] }, 2)
    const structure = await store.restore(unit('u'), 3)
    expect(structure?.topology).toEqual(topology)
    expect(shown(structure)).toEqual([0, 2, 3])
    expect(structure?.trajectory.frames[1]).toBeUndefined()
    expect(shown(await store.restore(unit('u'), 3, 1))).toEqual([3])
    expect(await store.restore(unit('v'), 3)).toBeUndefined()
    expect(await store.restore({ client: 'another', unit: 'u' }, 3)).toBeUndefined()
  })

  it('are limited in number: the least recently shown is deleted', async () => {
    const store = await open({ units: 2, bytes: 10_000 })
    await store.save(unit('a'), part(0), 1)
    await store.save(unit('b'), part(0), 2)
    await store.restore(unit('a'), 3)
    await store.save(unit('c'), part(0), 4)
    expect(await Promise.all(['a', 'b', 'c'].map(async name => shown(await store.restore(unit(name), 5))))).toEqual([
      [0],
      [],
      [0],
    ])
  })

  it('are limited in bytes, also for a single unit', async () => {
    const store = await open({ units: 9, bytes: FRAME_BYTES * 3 })
    await store.save(unit('a'), part(0, 1), 1)
    await store.save(unit('b'), part(0, 1), 2)
    await store.save(unit('b'), part(0, 1, 2, 3), 3)
    expect(await Promise.all(['a', 'b'].map(async name => shown(await store.restore(unit(name), 5))))).toEqual([
      [],
      [0, 1, 2],
    ])
  })

  it('are gone after clear', async () => {
    const store = await open()
    await store.save(unit('a'), part(0), 1)
    await store.clear()
    expect(await store.restore(unit('a'), 2)).toBeUndefined()
  })

  it('are undefined without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    expect(await openMoleculeStore('molecules')).toBeUndefined()
    vi.unstubAllGlobals()
  })
})

function structureWith(...frames: readonly number[]): Structure {
  return frames.reduce(
    (structure, index) => withFrame(structure, index, frameOf(index)),
    withTopology(emptyStructure, topology),
  )
}

function startMoleculeStore(openStore: () => Promise<MoleculeStore | undefined>) {
  const actor = runActor<ViewerFact>(moleculeStoreActor({ openStore, now: () => 1 }))
  return {
    send: actor.send,
    restored: async (name: string): Promise<readonly number[]> => {
      actor.send({ type: 'store.restore', ...unit(name) })
      const fact = await actor.next(said => said.type === 'molecule.restored' && said.unit === name)
      return fact.type === 'molecule.restored' ? shown(fact.structure) : []
    },
  }
}

describe('the store of molecules', () => {
  it('restores for the next page what this one has shown', async () => {
    const first = startMoleculeStore(() => openMoleculeStore('molecules'))
    expect(await first.restored('u')).toEqual([])
    first.send({ type: 'store.save', ...unit('u'), structure: structureWith(0) })
    first.send({ type: 'store.save', ...unit('u'), structure: structureWith(0, 1, 2) })
    expect(await first.restored('u')).toEqual([0, 1, 2])
    expect(await startMoleculeStore(() => openMoleculeStore('molecules')).restored('u')).toEqual([0, 1, 2])
  })

  it('writes each frame once', async () => {
    const saved: (readonly number[])[] = []
    const store: MoleculeStore = {
      restore: () => Promise.resolve(structureWith(0)),
      save: (_, { topology: atoms, frames }) =>
        Promise.resolve(void saved.push([atoms === undefined ? 0 : 1, ...frames.map(([index]) => index)])),
      clear: () => Promise.resolve(),
    }
    const actor = startMoleculeStore(() => Promise.resolve(store))
    await actor.restored('u')
    actor.send({ type: 'store.save', ...unit('u'), structure: structureWith(0, 1) })
    await actor.restored('v')
    actor.send({ type: 'store.save', ...unit('v'), structure: structureWith(0) })
    await actor.restored('v')
    expect(saved).toEqual([[0, 1]])
  })

  it('clears in order, and saves again afterwards', async () => {
    const actor = startMoleculeStore(() => openMoleculeStore('molecules'))
    actor.send({ type: 'store.save', ...unit('u'), structure: structureWith(0, 1) })
    actor.send({ type: 'store.deleteAll' })
    expect(await actor.restored('u')).toEqual([])
    actor.send({ type: 'store.save', ...unit('u'), structure: structureWith(0, 1) })
    expect(await actor.restored('u')).toEqual([0, 1])
  })

  it.each([
    ['keeps nothing', () => Promise.resolve(undefined)],
    ['refuses everything', () => Promise.reject(new DOMException('No.', 'SecurityError'))],
    [
      'is full',
      () =>
        Promise.resolve({
          restore: () => Promise.resolve(undefined),
          save: () => Promise.reject(new DOMException('Full.', 'QuotaExceededError')),
          clear: () => Promise.resolve(),
        }),
    ],
  ])('answers where a browser %s', async (_, openStore: () => Promise<MoleculeStore | undefined>) => {
    const actor = startMoleculeStore(openStore)
    actor.send({ type: 'store.save', ...unit('u'), structure: structureWith(0) })
    actor.send({ type: 'store.deleteAll' })
    expect(await actor.restored('u')).toEqual([])
  })
})
