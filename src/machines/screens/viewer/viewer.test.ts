import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { emptyStructure, withFrame, withTopology, type Structure } from '../../../folding/structure.ts'
import type { Topology } from '../../../protocol/visualization.ts'
import type { FileWanted, KeeperCommand, ViewerEvent } from './viewer.events.ts'
import { viewerMachine, type ViewerRef } from './viewer.machine.ts'
import {
  hasMolecule, hasSavingFailed, isCoasting, isDragging, isFullScreen, isPlaying, isRestoring, isRotating, isSaving, isTicking, isWiggling,
  selectFrame, selectFrameCount, selectFrameWords, selectMotionWords, selectPicked, selectPointed, selectDrawStyle, selectStyleWords,
} from './viewer.selectors.ts'

const topology: Topology = {
  names: ['N', 'CA', 'C'], elements: new Uint8Array(3), charges: new Float32Array(3), radii: new Float32Array(3), masses: new Float32Array(3), bonds: new Uint32Array(),
}
const frames = Array.from({ length: 8 }, (_, at) => new Float32Array(9).fill(at))
const structureOf = (count: number): Structure => frames.slice(0, count).reduce((structure, frame, at) => withFrame(structure, at, frame), withTopology(emptyStructure, topology))
const unit = { client: 'abc', unit: 'u1' }

/** The viewer with a client and dialogs beside it that only listen. */
const startViewer = (save: (file: FileWanted) => Promise<undefined> = () => Promise.resolve(undefined)) => {
  const clock = new SimulatedClock()
  const heard: string[] = []
  const kept: KeeperCommand[] = []
  const said: AnyEventObject[] = []
  const saved: FileWanted[] = []
  let tickers = 0
  const listener = fromCallback<AnyEventObject>(({ receive }) => receive(event => {
    said.push(event)
    heard.push(event.type === 'client.view' || event.type === 'client.unview' ? `${event.type} ${String(event['unit'])}` : event.type)
  }))
  const viewer = viewerMachine.provide({
    actors: {
      moleculeKeeper: fromCallback<KeeperCommand, undefined>(({ receive }) => receive(command => kept.push(command))),
      frameTicker: fromCallback<{ type: 'none' }, undefined>(() => {
        tickers++
        return () => tickers--
      }),
      saveFile: fromPromise<undefined, FileWanted>(({ input }) => {
        saved.push(input)
        return save(input)
      }),
    },
  })
  const house = createActor(
    createMachine({
      invoke: [
        { src: listener, systemId: 'client:abc' },
        { src: listener, systemId: 'client:other' },
        { src: listener, systemId: 'dialogs' },
        { src: viewer, id: 'viewer' },
      ],
    }),
    { clock },
  ).start()
  const actor = house.getSnapshot().children['viewer'] as unknown as ViewerRef
  const send = (...events: readonly ViewerEvent[]): void => events.forEach(event => actor.send(event))
  const look = (count = 4): void => send({ type: 'viewer.open', ...unit }, { type: 'molecule.restored', ...unit }, { type: 'molecule.changed', ...unit, structure: structureOf(count) })
  return { send, look, clock, heard, said, kept, saved, tickers: () => tickers, see: <T>(select: (snapshot: ReturnType<ViewerRef['getSnapshot']>) => T): T => select(actor.getSnapshot()) }
}

describe('looking at a unit', () => {
  it('begins with what the browser kept, and asks the machine for the rest', () => {
    const { send, heard, said, see, kept } = startViewer()
    send({ type: 'viewer.open', ...unit })
    expect([see(isRestoring), kept, heard]).toEqual([true, [{ type: 'keeper.restore', ...unit }], []])
    send({ type: 'molecule.restored', ...unit, structure: structureOf(2) })
    expect([see(isRestoring), see(selectFrameCount), said]).toEqual([false, 2, [{ type: 'client.view', unit: 'u1', kept: structureOf(2) }]])
  })

  it('asks the machine when the browser does not answer within 3 s', () => {
    const { send, heard, clock } = startViewer()
    send({ type: 'viewer.open', ...unit })
    clock.increment(2999)
    expect(heard).toEqual([])
    clock.increment(1)
    expect(heard).toEqual(['client.view u1'])
  })

  it('keeps what comes, and stays at its frame while others come', () => {
    const { send, look, see, kept } = startViewer()
    look(3)
    send({ type: 'viewer.step', by: -1 }, { type: 'molecule.changed', ...unit, structure: structureOf(5) })
    expect([see(selectFrame), see(selectFrameCount)]).toEqual([2, 5])
    expect(kept.slice(1)).toEqual([{ type: 'keeper.keep', ...unit, structure: structureOf(3) }, { type: 'keeper.keep', ...unit, structure: structureOf(5) }])
  })

  it('takes nothing of another unit', () => {
    const { send, look, see } = startViewer()
    look(3)
    send({ type: 'molecule.changed', client: 'abc', unit: 'u2', structure: structureOf(5) }, { type: 'molecule.changed', client: 'other', unit: 'u1', structure: structureOf(5) })
    expect(see(selectFrameCount)).toBe(3)
  })

  it('ends the old stream when another is begun, and the last when nobody looks', () => {
    const { send, look, heard, see } = startViewer()
    look()
    send({ type: 'viewer.open', client: 'other', unit: 'u2' }, { type: 'molecule.restored', ...unit }, { type: 'molecule.restored', client: 'other', unit: 'u2' }, { type: 'viewer.close' })
    expect(heard).toEqual(['client.view u1', 'client.unview u1', 'client.view u2', 'client.unview u2'])
    expect([see(hasMolecule), see(selectFrameCount)]).toEqual([false, 0])
  })

  it('goes on from the frames that a machine sent again from the beginning', () => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.goTo', frame: 3 }, { type: 'molecule.changed', ...unit, structure: structureOf(2) })
    expect(see(selectFrame)).toBe(1)
  })
})

describe('frames', () => {
  it('wrap around at both ends', () => {
    const { send, look, see } = startViewer()
    look(3)
    const seen = ([-1, 1, 1, 1, 1] as const).map(by => {
      send({ type: 'viewer.step', by })
      return see(selectFrame)
    })
    expect([seen, see(selectFrameWords)]).toEqual([[2, 0, 1, 2, 0], 'Frame 1 of 3'])
  })

  it('do not change with fewer than two', () => {
    const { send, look, see } = startViewer()
    look(1)
    send({ type: 'viewer.step', by: 1 }, { type: 'viewer.toggleWiggle' }, { type: 'viewer.togglePlayback' })
    expect([see(selectFrame), see(isWiggling), see(isPlaying)]).toEqual([0, false, false])
  })

  it.each([-1, 4, 1.5, NaN])('do not go to %d, which is none', frame => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.goTo', frame: 2 }, { type: 'viewer.goTo', frame })
    expect(see(selectFrame)).toBe(2)
  })

  it('advance ten times a second while wiggling, slower while playing, and stand at a whole one afterwards', () => {
    const { send, look, see } = startViewer()
    look(8)
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 350 })
    expect([see(selectFrame), see(selectFrameWords), see(selectMotionWords)]).toEqual([3, '', 'Rotating, wiggling'])
    send({ type: 'viewer.togglePlayback' }, { type: 'viewer.ticked', elapsed: 900 })
    expect([see(selectFrame), see(isWiggling), see(selectMotionWords)]).toEqual([5, false, 'Rotating, playing the trajectory'])
    send({ type: 'viewer.togglePlayback' })
    expect([see(({ context }) => context.place), see(selectFrameWords)]).toEqual([5, 'Frame 6 of 8'])
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 330 })
    expect(see(selectFrame)).toBe(0)
  })

  it('stand still when somebody steps', () => {
    const { send, look, see } = startViewer()
    look(8)
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 250 }, { type: 'viewer.step', by: 1 })
    expect([see(isWiggling), see(({ context }) => context.place)]).toEqual([false, 3])
  })
})

describe('what moves', () => {
  const turn = ({ context }: ReturnType<ViewerRef['getSnapshot']>): number => context.turn

  it('turns by itself until that is paused or a hand takes it', () => {
    const { send, look, see } = startViewer()
    look()
    send({ type: 'viewer.ticked', elapsed: 100 })
    const turned = see(turn)
    expect(turned).toBeGreaterThan(0)
    send({ type: 'viewer.grab' }, { type: 'viewer.ticked', elapsed: 100 })
    expect([see(turn), see(isDragging), see(isRotating)]).toEqual([turned, true, true])
    send({ type: 'viewer.release', isCoasting: false }, { type: 'viewer.toggleRotation' }, { type: 'viewer.ticked', elapsed: 100 })
    expect([see(turn), see(isDragging), see(selectMotionWords)]).toEqual([turned, false, 'Rotation paused'])
  })

  it('asks for frames of the screen only while something does', () => {
    const { send, look, tickers, see } = startViewer()
    const seen: number[] = [tickers()]
    const after = (...events: readonly ViewerEvent[]): void => {
      send(...events)
      seen.push(tickers())
    }
    look()
    after()
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.grab' })
    after({ type: 'viewer.release', isCoasting: true })
    expect([see(isCoasting), see(isTicking)]).toEqual([true, true])
    after({ type: 'viewer.rest' })
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.close' })
    expect(seen).toEqual([0, 1, 0, 1, 0, 0, 1, 0, 1, 0])
  })

  it('does not, of itself, before somebody who prefers stillness', () => {
    const { send, look, see, tickers } = startViewer()
    send({ type: 'viewer.preferStill', isStill: true })
    look()
    send({ type: 'viewer.grab' }, { type: 'viewer.release', isCoasting: true })
    expect([see(isRotating), see(isCoasting), tickers()]).toEqual([false, false, 0])
    send({ type: 'viewer.toggleRotation' })
    expect([see(isRotating), tickers()]).toEqual([true, 1])
    send({ type: 'viewer.preferStill', isStill: true })
    expect(tickers()).toBe(0)
  })
})

describe('how it is drawn', () => {
  it('is one of three styles', () => {
    const { send, see } = startViewer()
    send({ type: 'viewer.draw', style: 3 }, { type: 'viewer.draw', style: 4 }, { type: 'viewer.draw', style: 0 })
    expect([see(selectDrawStyle), see(selectStyleWords)]).toEqual([3, 'Sticks'])
  })

  it('stays for the next molecule; frame, chosen atoms and the full screen do not', () => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.draw', style: 1 }, { type: 'viewer.step', by: 1 }, { type: 'viewer.pick', atom: 1 }, { type: 'viewer.toggleFullScreen' }, { type: 'viewer.toggleWiggle' })
    expect(see(isFullScreen)).toBe(true)
    look(4)
    expect([see(selectDrawStyle), see(selectFrame), see(selectPicked), see(isFullScreen), see(isWiggling)]).toEqual([1, 0, [], false, false])
  })

  it('cannot be without graphics, and says so in the product’s words', () => {
    const { send, said } = startViewer()
    send({ type: 'viewer.lackGraphics' })
    expect(said).toMatchObject([{ type: 'dialogs.tell', message: { level: 'error', title: 'WebGL not supported' } }])
  })
})

describe('atoms', () => {
  it('are chosen by twos: again takes back, a third replaces the first, nothing clears', () => {
    const { send, look, see } = startViewer()
    look()
    const seen = [0, 2, 1, 1, undefined].map(atom => {
      send({ type: 'viewer.pick', atom })
      return see(selectPicked)
    })
    expect(seen).toEqual([[0], [0, 2], [2, 1], [2], []])
  })

  it.each([-1, 3, 0.5])('are none at %d', atom => {
    const { send, look, see } = startViewer()
    look()
    send({ type: 'viewer.point', atom: 1 }, { type: 'viewer.point', atom }, { type: 'viewer.pick', atom })
    expect([see(selectPointed), see(selectPicked)]).toEqual([undefined, []])
  })
})

describe('a file', () => {
  const wanted = { type: 'viewer.saveMolecule', name: 'a.pdb', format: 'pdb' } as const

  it('holds the shown frame or all of them', async () => {
    const { send, look, saved, see } = startViewer()
    look(3)
    send({ type: 'viewer.step', by: -1 }, { ...wanted, isTrajectory: false })
    expect(see(isSaving)).toBe(true)
    await settled()
    send({ ...wanted, isTrajectory: true })
    await settled()
    expect(see(isSaving)).toBe(false)
    expect(saved.map(file => (file.kind === 'molecule' ? file.frames.map(([x]) => x) : []))).toEqual([[2], [0, 1, 2]])
  })

  it('that could not be made is told of until the next try', async () => {
    const { send, look, see } = startViewer(() => Promise.reject(new Error('full')))
    look(1)
    send({ ...wanted, isTrajectory: false })
    await settled()
    expect(see(hasSavingFailed)).toBe(true)
    send({ type: 'viewer.savePicture', name: 'a.png', picture: new Blob() })
    expect([see(hasSavingFailed), see(isSaving)]).toEqual([false, true])
  })

  it('is not made of nothing', () => {
    const { send, saved } = startViewer()
    send({ ...wanted, isTrajectory: false })
    expect(saved).toEqual([])
  })
})

describe('the paths of the viewer', () => {
  const done = { type: 'xstate.done.actor.0.viewer.file.saving', actorId: '0.viewer.file.saving', output: undefined }
  const failed = { type: 'xstate.error.actor.0.viewer.file.saving', actorId: '0.viewer.file.saving', error: new Error('full') }

  it('lead through all its states, and nothing moves or is shown while nobody looks', () => {
    const { ends, unreached } = walkShortestPaths(viewerMachine, {
      events: [
        { type: 'viewer.open', ...unit }, { type: 'viewer.close' },
        { type: 'molecule.restored', ...unit }, { type: 'molecule.restored', client: 'other', unit: 'u1' },
        { type: 'molecule.changed', ...unit, structure: structureOf(2) },
        { type: 'viewer.toggleRotation' }, { type: 'viewer.toggleWiggle' }, { type: 'viewer.togglePlayback' },
        { type: 'viewer.grab' }, { type: 'viewer.release', isCoasting: true }, { type: 'viewer.release', isCoasting: false }, { type: 'viewer.rest' },
        { type: 'viewer.toggleFullScreen' }, { type: 'viewer.leaveFullScreen' },
        { type: 'viewer.saveMolecule', name: 'a', format: 'pdb', isTrajectory: true }, done, failed,
      ],
      context: ({ frames: shown }) => shown.length,
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) {
      const isOpen = !snapshot.matches({ stream: 'closed' })
      if (!isOpen) expect([isTicking(snapshot), hasMolecule(snapshot), isWiggling(snapshot), isPlaying(snapshot), isFullScreen(snapshot)].some(Boolean), path).toBe(false)
      if (isTicking(snapshot)) expect(hasMolecule(snapshot), path).toBe(true)
      expect(isTicking(snapshot), path).toBe(
        hasMolecule(snapshot) && (isWiggling(snapshot) || isPlaying(snapshot) || isCoasting(snapshot) || (isRotating(snapshot) && !isDragging(snapshot))),
      )
      if (isWiggling(snapshot) || isPlaying(snapshot)) expect(selectFrameCount(snapshot), path).toBeGreaterThan(1)
    }
  })
})
