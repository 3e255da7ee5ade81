import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { structureOf, unit, startViewer } from '../../../../test/machines/viewer.ts'
import { viewerMachine } from './viewer.machine.ts'
import {
  hasMolecule,
  isCoasting,
  isDragging,
  isMoving,
  isPlaying,
  isRotating,
  isWiggling,
  selectColoring,
  selectDrawStyle,
  selectStyleText,
} from './viewer.selectors.ts'

describe('looking at a unit', () => {
  it('begins with what the browser kept, and asks the client for the rest', () => {
    const { send, received, said, see, storeCommands } = startViewer()
    send({ type: 'viewer.open', ...unit })
    expect(see(snapshot => snapshot.hasTag('loading'))).toBe(true)
    expect(storeCommands).toEqual([{ type: 'store.restore', ...unit }])
    expect(received).toEqual([])
    send({ type: 'molecule.restored', ...unit, structure: structureOf(2) })
    expect(see(snapshot => snapshot.hasTag('loading'))).toBe(false)
    expect(see(({ context }) => context.frames.length)).toBe(2)
    expect(said).toEqual([{ type: 'client.subscribeMolecule', unit: 'u1', kept: structureOf(2) }])
  })

  it('asks the client when the browser does not answer within 3 s', () => {
    const { send, received, clock } = startViewer()
    send({ type: 'viewer.open', ...unit })
    clock.increment(2999)
    expect(received).toEqual([])
    clock.increment(1)
    expect(received).toEqual(['client.subscribeMolecule u1'])
  })

  it('keeps what comes, and stays at its frame while others come', () => {
    const { send, look, see, storeCommands } = startViewer()
    look(3)
    send({ type: 'viewer.step', by: -1 }, { type: 'molecule.changed', ...unit, structure: structureOf(5) })
    expect({
      frame: see(({ context }) => context.frame),
      frameCount: see(({ context }) => context.frames.length),
    }).toEqual({ frame: 2, frameCount: 5 })
    expect(storeCommands.slice(1)).toEqual([
      { type: 'store.save', ...unit, structure: structureOf(3) },
      { type: 'store.save', ...unit, structure: structureOf(5) },
    ])
  })

  it('takes nothing of another unit', () => {
    const { send, look, see } = startViewer()
    look(3)
    send(
      { type: 'molecule.changed', client: 'abc', unit: 'u2', structure: structureOf(5) },
      { type: 'molecule.changed', client: 'other', unit: 'u1', structure: structureOf(5) },
    )
    expect(see(({ context }) => context.frames.length)).toBe(3)
  })

  it('ends the old stream when another is begun, and the last when the view closes', () => {
    const { send, look, received, see } = startViewer()
    look()
    send(
      { type: 'viewer.open', client: 'other', unit: 'u2' },
      { type: 'molecule.restored', ...unit },
      { type: 'molecule.restored', client: 'other', unit: 'u2' },
      { type: 'viewer.close' },
    )
    expect(received).toEqual([
      'client.subscribeMolecule u1',
      'client.unsubscribeMolecule u1',
      'client.subscribeMolecule u2',
      'client.unsubscribeMolecule u2',
    ])
    expect(see(hasMolecule)).toBe(false)
    expect(see(({ context }) => context.frames.length)).toBe(0)
  })

  it('goes on from the frames that a client sent again from the beginning', () => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.goTo', frame: 3 }, { type: 'molecule.changed', ...unit, structure: structureOf(2) })
    expect(see(({ context }) => context.frame)).toBe(1)
  })
})

describe('how it is drawn', () => {
  it('is one of five styles [2.45, 5.20]', () => {
    const { send, see } = startViewer()
    send({ type: 'viewer.setStyle', style: 3 })
    expect(see(selectDrawStyle)).toBe(3)
    expect(see(selectStyleText)).toBe('Sticks')
  })

  it('is ball and stick where a molecule has no backbone, also when a cartoon is wanted [2.45]', () => {
    const { send, look, see } = startViewer()
    look(4)
    expect(see(selectDrawStyle)).toBe(2)
    send({ type: 'viewer.setStyle', style: 4 })
    expect(see(selectDrawStyle)).toBe(2)
  })

  it('is without water and ions until they are wanted, also of the next molecule [2.46]', () => {
    const { send, look, see } = startViewer()
    expect(see(({ context }) => context.showsSolvent)).toBe(false)
    send({ type: 'viewer.toggle', option: 'showsSolvent' })
    look(4)
    expect(see(({ context }) => context.showsSolvent)).toBe(true)
  })

  it('is colored as selected, with outlines or without', () => {
    const { send, see } = startViewer()
    send({ type: 'viewer.setColoring', coloring: 'chain' }, { type: 'viewer.toggle', option: 'hasOutlines' })
    expect(see(selectColoring)).toBe('chain')
    expect(see(({ context }) => context.hasOutlines)).toBe(false)
    send({ type: 'viewer.toggle', option: 'hasOutlines' })
    expect(see(({ context }) => context.hasOutlines)).toBe(true)
  })

  it('is with the first frame as a ghost while that is wanted of this molecule', () => {
    const { send, look, see } = startViewer()
    look()
    expect(see(({ context }) => context.hasGhost)).toBe(false)
    send({ type: 'viewer.toggle', option: 'hasGhost' })
    expect(see(({ context }) => context.hasGhost)).toBe(true)
    look()
    expect(see(({ context }) => context.hasGhost)).toBe(false)
  })

  it('is explained by a legend when that is wanted [2.46]', () => {
    const { send, look, see } = startViewer()
    expect(see(({ context }) => context.showsLegend)).toBe(false)
    send({ type: 'viewer.toggle', option: 'showsLegend' })
    look()
    expect(see(({ context }) => context.showsLegend)).toBe(true)
  })

  it('is a surface of any molecule, solid until one that shows what is inside is wanted', () => {
    const { send, look, see } = startViewer()
    look()
    send({ type: 'viewer.setStyle', style: 5 })
    expect(see(selectDrawStyle)).toBe(5)
    expect(see(selectStyleText)).toBe('Surface')
    expect(see(({ context }) => context.isSeeThrough)).toBe(false)
    send({ type: 'viewer.toggle', option: 'isSeeThrough' })
    look()
    expect(see(selectDrawStyle)).toBe(5)
    expect(see(({ context }) => context.isSeeThrough)).toBe(true)
  })

  it('stays for the next molecule; frame, chosen atoms and the full screen do not', () => {
    const { send, look, see } = startViewer()
    look(4)
    send(
      { type: 'viewer.setStyle', style: 1 },
      { type: 'viewer.step', by: 1 },
      { type: 'viewer.pick', atom: 1 },
      { type: 'viewer.toggleFullScreen' },
      { type: 'viewer.toggleWiggle' },
    )
    expect(see(snapshot => snapshot.hasTag('fullScreen'))).toBe(true)
    look(4)
    expect(see(selectDrawStyle)).toBe(1)
    expect(see(({ context }) => context.frame)).toBe(0)
    expect(see(({ context }) => context.picked)).toEqual([])
    expect(see(snapshot => snapshot.hasTag('fullScreen'))).toBe(false)
    expect(see(isWiggling)).toBe(false)
  })

  it('cannot be without graphics, and reports it in the product’s words', () => {
    const { send, said } = startViewer()
    send({ type: 'viewer.webglMissing' })
    expect(said).toMatchObject([
      { type: 'dialogs.showMessage', message: { level: 'error', title: 'WebGL not supported' } },
    ])
  })
})

describe('atoms', () => {
  it('are selected up to four at a time: a second click deselects one, a fifth atom replaces the first, and a click beside all deselects them', () => {
    const { send, look, see } = startViewer()
    look()
    const seen = [0, 2, 1, 3, 4, 4, undefined].map(atom => {
      send({ type: 'viewer.pick', atom })
      return see(({ context }) => context.picked)
    })
    expect(seen).toEqual([[0], [0, 2], [0, 2, 1], [0, 2, 1, 3], [2, 1, 3, 4], [2, 1, 3], []])
  })

  it.each([-1, 5, 0.5])('are neither hovered nor selected at the invalid index %d', atom => {
    const { send, look, see } = startViewer()
    look()
    send({ type: 'viewer.hover', atom: 1 }, { type: 'viewer.hover', atom }, { type: 'viewer.pick', atom })
    expect({ hovered: see(({ context }) => context.hovered), picked: see(({ context }) => context.picked) }).toEqual({
      hovered: undefined,
      picked: [],
    })
  })
})

it('a residue is looked at closely until another molecule is', () => {
  const { send, look, see } = startViewer()
  look()
  send({ type: 'viewer.focus', residue: 7 })
  expect(see(({ context }) => context.focus)).toBe(7)
  look()
  expect(see(({ context }) => context.focus)).toBeUndefined()
})

describe('a file', () => {
  const wanted = { type: 'viewer.saveMolecule', name: 'a.pdb', format: 'pdb' } as const

  it('holds the shown frame or all of them', async () => {
    const { send, look, saved, see } = startViewer()
    look(3)
    send({ type: 'viewer.step', by: -1 }, { ...wanted, isTrajectory: false })
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(true)
    await settled()
    send({ ...wanted, isTrajectory: true })
    await settled()
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(false)
    expect(saved.map(file => (file.kind === 'molecule' ? file.frames.map(([x]) => x) : []))).toEqual([[2], [0, 1, 2]])
  })

  it('that could not be made is reported until the next attempt', async () => {
    const { send, look, see } = startViewer(() => Promise.reject(new Error('full')))
    look(1)
    send({ ...wanted, isTrajectory: false })
    await settled()
    expect(see(snapshot => snapshot.hasTag('saveFailed'))).toBe(true)
    send({ type: 'viewer.savePicture', name: 'a.png', picture: new Blob() })
    expect(see(snapshot => snapshot.hasTag('saveFailed'))).toBe(false)
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(true)
  })

  it('that could not be drawn is said to be that', () => {
    const { send, see } = startViewer()
    send({ type: 'viewer.pictureFailed' })
    expect(see(snapshot => snapshot.hasTag('saveFailed'))).toBe(true)
  })

  it('of what is seen needs no molecule', () => {
    const { send, saved } = startViewer()
    const picture = new Blob()
    send({ type: 'viewer.savePicture', name: 'a.png', picture })
    expect(saved).toEqual([{ kind: 'picture', name: 'a.png', picture }])
  })

  it('is not saved when there is no molecule', () => {
    const { send, saved } = startViewer()
    send({ ...wanted, isTrajectory: false })
    expect(saved).toEqual([])
  })
})

describe('a video', () => {
  const wanted = { type: 'viewer.record', kind: 'turn', name: 'a' } as const

  it('is made by the screen, which reports how far it is, and then saved', async () => {
    const { send, look, saved, see } = startViewer()
    look()
    send(wanted)
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(true)
    expect(see(({ context }) => context.recording)).toEqual({ kind: 'turn', name: 'a', share: 0 })
    send({ type: 'viewer.recordingProgressed', share: 0.5 })
    expect(see(({ context }) => context.recording)?.share).toBe(0.5)
    const file = new Blob()
    send({ type: 'viewer.recorded', name: 'a.webm', file })
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(true)
    expect(see(({ context }) => context.recording)).toBeUndefined()
    await settled()
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(false)
    expect(saved).toEqual([{ kind: 'picture', name: 'a.webm', picture: file }])
  })

  it('is not made without a molecule', () => {
    const { send, see } = startViewer()
    send(wanted)
    expect(see(({ context }) => context.recording)).toBeUndefined()
  })

  it.each([
    { type: 'viewer.cancelFile' },
    { type: 'viewer.close' },
    { type: 'viewer.open', client: 'other', unit: 'u2' },
  ] as const)('ends with %j, and what is reported later is not saved', event => {
    const { send, look, saved, see } = startViewer()
    look()
    send(wanted, event)
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(false)
    expect(see(({ context }) => context.recording)).toBeUndefined()
    send({ type: 'viewer.recorded', name: 'a.webm', file: new Blob() })
    expect(saved).toEqual([])
  })

  it('that could not be made is reported', () => {
    const { send, look, see } = startViewer()
    look()
    send(wanted, { type: 'viewer.recordingFailed' })
    expect(see(snapshot => snapshot.hasTag('saveFailed'))).toBe(true)
    expect(see(snapshot => snapshot.hasTag('saving'))).toBe(false)
    expect(see(({ context }) => context.recording)).toBeUndefined()
  })

  it('and pictures have a background and a caption when these are wanted, also of the next molecule', () => {
    const { send, look, see } = startViewer()
    expect(see(({ context: { isTransparent, hasCaption } }) => ({ isTransparent, hasCaption }))).toEqual({
      isTransparent: true,
      hasCaption: false,
    })
    send({ type: 'viewer.toggle', option: 'isTransparent' }, { type: 'viewer.toggle', option: 'hasCaption' })
    look()
    expect(see(({ context: { isTransparent, hasCaption } }) => ({ isTransparent, hasCaption }))).toEqual({
      isTransparent: false,
      hasCaption: true,
    })
  })
})

describe('the paths of the viewer', () => {
  const done = { type: 'xstate.done.actor.0.viewer.file.saving', actorId: '0.viewer.file.saving', output: undefined }
  const failed = {
    type: 'xstate.error.actor.0.viewer.file.saving',
    actorId: '0.viewer.file.saving',
    error: new Error('full'),
  }

  it('lead through all its states, and nothing moves or is shown while the page is hidden', () => {
    const { ends, unreached } = walkShortestPaths(viewerMachine, {
      events: [
        { type: 'viewer.open', ...unit },
        { type: 'viewer.close' },
        { type: 'molecule.restored', ...unit },
        { type: 'molecule.restored', client: 'other', unit: 'u1' },
        { type: 'molecule.changed', ...unit, structure: structureOf(2) },
        { type: 'viewer.toggleRotation' },
        { type: 'viewer.toggleWiggle' },
        { type: 'viewer.togglePlayback' },
        { type: 'viewer.setSpeed', speed: 2 },
        { type: 'viewer.frameElapsed' },
        { type: 'viewer.grab' },
        { type: 'viewer.release', isCoasting: true },
        { type: 'viewer.release', isCoasting: false },
        { type: 'viewer.endCoasting' },
        { type: 'viewer.toggleFullScreen' },
        { type: 'viewer.leaveFullScreen' },
        { type: 'viewer.saveMolecule', name: 'a', format: 'pdb', isTrajectory: true },
        { type: 'viewer.record', kind: 'turn', name: 'a' },
        { type: 'viewer.recorded', name: 'a', file: new Blob() },
        { type: 'viewer.recordingFailed' },
        { type: 'viewer.cancelFile' },
        done,
        failed,
      ],
      context: ({ frames: shown }) => shown.length,
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) {
      const isOpen = !snapshot.matches({ stream: 'closed' })
      if (!isOpen)
        expect(
          [
            isMoving(snapshot),
            hasMolecule(snapshot),
            isWiggling(snapshot),
            isPlaying(snapshot),
            snapshot.hasTag('fullScreen'),
          ].some(Boolean),
          path,
        ).toBe(false)
      if (isMoving(snapshot)) expect(hasMolecule(snapshot), path).toBe(true)
      expect(isMoving(snapshot), path).toBe(
        hasMolecule(snapshot) &&
          (isWiggling(snapshot) ||
            isPlaying(snapshot) ||
            isCoasting(snapshot) ||
            (isRotating(snapshot) && !isDragging(snapshot))),
      )
      if (isWiggling(snapshot) || isPlaying(snapshot)) expect(snapshot.context.frames.length, path).toBeGreaterThan(1)
    }
  })
})
