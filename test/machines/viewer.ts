import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { emptyStructure, withFrame, withTopology, type Structure } from '../../src/folding/molecule/structure.ts'
import type { Topology } from '../../src/protocol/client/visualization.ts'
import type { FileToSave, MoleculeStoreCommand, ViewerEvent } from '../../src/machines/screens/viewer/viewer.events.ts'
import { viewerMachine, type ViewerRef } from '../../src/machines/screens/viewer/viewer.machine.ts'

export const topology: Topology = {
  names: ['N', 'CA', 'C', 'O', 'CB'],
  elements: new Uint8Array(5),
  charges: new Float32Array(5),
  radii: new Float32Array(5),
  masses: new Float32Array(5),
  bonds: new Uint32Array(),
}
export const frames = Array.from({ length: 8 }, (_, at) => new Float32Array(15).fill(at))
export function structureOf(count: number): Structure {
  return frames
    .slice(0, count)
    .reduce((structure, frame, at) => withFrame(structure, at, frame), withTopology(emptyStructure, topology))
}
export const unit = { client: 'abc', unit: 'u1' }

/** The viewer with a client and dialogs beside it that only listen. */
export function startViewer(save: (file: FileToSave) => Promise<undefined> = () => Promise.resolve(undefined)) {
  const clock = new SimulatedClock()
  const received: string[] = []
  const storeCommands: MoleculeStoreCommand[] = []
  const said: AnyEventObject[] = []
  const saved: FileToSave[] = []
  const paces: number[] = []
  const listener = fromCallback<AnyEventObject>(({ receive }) =>
    receive(event => {
      said.push(event)
      received.push(
        event.type === 'client.subscribeMolecule' || event.type === 'client.unsubscribeMolecule'
          ? `${event.type} ${String(event['unit'])}`
          : event.type,
      )
    }),
  )
  const viewer = viewerMachine.provide({
    actors: {
      moleculeStore: fromCallback<MoleculeStoreCommand, undefined>(({ receive }) =>
        receive(command => storeCommands.push(command)),
      ),
      framePacer: fromCallback<{ type: 'none' }, { readonly every: number }>(({ input: { every } }) => {
        paces.push(every)
        return () => paces.splice(paces.indexOf(every), 1)
      }),
      saveFile: fromPromise<undefined, FileToSave>(({ input }) => {
        saved.push(input)
        return save(input)
      }),
    },
  })
  const system = createActor(
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
  const actor = system.getSnapshot().children['viewer'] as unknown as ViewerRef
  const send = (...events: readonly ViewerEvent[]): void => events.forEach(event => actor.send(event))
  /** Opens a molecule, which plays when it has several frames. */
  const watch = (count = 4): void =>
    send(
      { type: 'viewer.open', ...unit },
      { type: 'molecule.restored', ...unit },
      { type: 'molecule.changed', ...unit, structure: structureOf(count) },
    )
  const look = (count = 4): void => {
    watch(count)
    send({ type: 'viewer.goTo', frame: 0 })
  }
  return {
    send,
    watch,
    look,
    clock,
    received,
    said,
    storeCommands,
    saved,
    paces,
    see: <T>(select: (snapshot: ReturnType<ViewerRef['getSnapshot']>) => T): T => select(actor.getSnapshot()),
  }
}
