import { expect } from 'vitest'
import { viewingModel } from '../../../models/viewing.model.ts'
import { moleculeCondition } from '../../../src/folding/molecule/molecule-condition.ts'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { selectUnits } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  hasMolecule,
  isMoving,
  isRotating,
  isWiggling,
  selectDrawStyle,
  selectFrame,
  selectFrameCount,
  selectPace,
  selectStructure,
} from '../../../src/machines/screens/viewer/viewer.selectors.ts'
import { dialogOf } from './dialog-of.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('viewing [2.43, 2.44]', viewingModel, async (app, network) => {
  await dialogOf(app).logIn(network.account)
  const simulated = network.clients()[0]
  if (simulated === undefined) throw new Error('The network has no machine.')
  await app.until(app.system().app, isPartThere('viewer'))
  const { fleet, viewer } = app.system()
  await app.until(fleet, snapshot => selectClientRef(simulated.id)(snapshot) !== undefined)
  const client = selectClientRef(simulated.id)(fleet.getSnapshot())
  if (client === undefined) throw new Error('The account has no machine.')
  await app.until(client, snapshot => selectUnits(snapshot).some(({ frames = 0 }) => frames > 2))
  const unit = selectUnits(client.getSnapshot()).find(({ frames = 0 }) => frames > 2)?.id ?? ''
  const see = <T>(select: (snapshot: ReturnType<typeof viewer.getSnapshot>) => T): T => select(viewer.getSnapshot())
  const allFrames = (): number => selectUnits(client.getSnapshot()).find(({ id }) => id === unit)?.frames ?? 0
  const untilAllFrames = () => app.until(viewer, snapshot => selectFrameCount(snapshot) >= allFrames())
  const open = (id: string): void => viewer.send({ type: 'viewer.open', client: simulated.id, unit: id })
  const condition = (id: string) =>
    moleculeCondition({
      structure: see(selectStructure),
      unit: selectUnits(client.getSnapshot()).find(known => known.id === id),
      isConnected: client.getSnapshot().hasTag('connected'),
      isAwaited: false,
      isRestoring: see(snapshot => snapshot.hasTag('loading')),
    })
  return {
    does: {
      'open the view': async () => {
        open(unit)
        await untilAllFrames()
        // It has begun to play.
        viewer.send({ type: 'viewer.goTo', frame: 0 })
      },
      'step back': () => viewer.send({ type: 'viewer.step', by: -1 }),
      'step forward': () => viewer.send({ type: 'viewer.step', by: 1 }),
      'choose the third style': () => viewer.send({ type: 'viewer.setStyle', style: 3 }),
      'pause the rotation': () => viewer.send({ type: 'viewer.toggleRotation' }),
      wiggle: () => viewer.send({ type: 'viewer.toggleWiggle' }),
      'stop wiggling': () => viewer.send({ type: 'viewer.toggleWiggle' }),
      'lose the machine': async () => {
        simulated.kill()
        await app.until(client, snapshot => !snapshot.hasTag('connected'))
      },
      'get the machine back': async () => {
        simulated.revive()
        await app.until(client, snapshot => snapshot.hasTag('connected'))
      },
      'open a unit that is not there': async () => {
        open('no such unit')
        await app.until(viewer, snapshot => !snapshot.hasTag('loading'))
      },
      close: () => viewer.send({ type: 'viewer.close' }),
    },
    sees: {
      machines: () => expect(client.getSnapshot().hasTag('connected')).toBe(true),
      first: () =>
        expect([see(selectFrame), see(selectFrameCount), see(selectDrawStyle), see(isRotating), see(isMoving)]).toEqual(
          [0, allFrames(), 4, true, true],
        ),
      last: () => expect(see(selectFrame)).toBe(see(selectFrameCount) - 1),
      around: () => expect(see(selectFrame)).toBe(0),
      sticks: () => expect(see(selectDrawStyle)).toBe(3),
      paused: () => expect([see(isRotating), see(isMoving)]).toEqual([false, false]),
      wiggling: () => app.until(viewer, snapshot => isWiggling(snapshot) && selectFrame(snapshot) > 1),
      still: () => expect([see(isWiggling), see(selectPace)]).toEqual([false, undefined]),
      lost: () =>
        expect([condition(unit), see(hasMolecule), client.getSnapshot().hasTag('connected')]).toEqual([
          'shown',
          true,
          false,
        ]),
      back: async () => {
        expect(condition(unit)).toBe('shown')
        await untilAllFrames()
      },
      unknown: () => expect(condition('no such unit')).toBe('unknownUnit'),
      closed: () =>
        expect([see(hasMolecule), see(isMoving), client.getSnapshot().context.viewed]).toEqual([
          false,
          false,
          undefined,
        ]),
    },
  }
})
