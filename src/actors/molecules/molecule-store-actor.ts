import type { Structure } from '../../folding/molecule/structure.ts'
import type { Subject } from '../../machines/screens/molecules/molecules.events.ts'
import type { MoleculeRestored, MoleculeStoreCommand } from '../../machines/screens/viewer/viewer.events.ts'
import { factActor } from '../fact-actor.ts'
import type { MoleculeStore, StructurePart } from './molecule-store.ts'

export type MoleculeStoreActorDeps = {
  /** Called when a molecule is first shown; undefined where IndexedDB does not work. */
  readonly openStore: () => Promise<MoleculeStore | undefined>
  readonly now: () => number
}

/**
 * Stores the shown molecule as it arrives, and restores stored ones. Failures of the storage are ignored.
 */
export function moleculeStoreActor({ openStore, now }: MoleculeStoreActorDeps) {
  return factActor<MoleculeStoreCommand, undefined, MoleculeRestored>(({ report, receive }) => {
    let opening: Promise<MoleculeStore | undefined> | undefined
    let last: Promise<unknown> = Promise.resolve()
    /** What the store has of the shown molecule. */
    let written: { readonly subject: Subject; hasTopology: boolean; readonly frames: Set<number> } | undefined
    /** The newest structure to write; a newer one replaces it. */
    let waiting: { readonly subject: Subject; readonly structure: Structure } | undefined

    /** Opens again after a failure, such as code that could not be loaded. */
    const open = (): Promise<MoleculeStore | undefined> =>
      (opening ??= openStore().catch((error: unknown) => {
        opening = undefined
        throw error
      }))
    const inTurn = (act: (store: MoleculeStore) => Promise<void>): void => {
      last = last
        .then(async () => {
          const store = await open()
          if (store !== undefined) await act(store)
        })
        .catch(() => undefined)
    }
    const restore = (subject: Subject, frames?: number): void => {
      let structure: Structure | undefined
      inTurn(async store => {
        structure = await store.restore(subject, now(), frames)
        written = { subject, hasTopology: structure?.topology !== undefined, frames: indexesOf(structure) }
      })
      last = last.then(() =>
        report({ type: 'molecule.restored', ...subject, ...(structure === undefined ? {} : { structure }) }),
      )
    }
    const write = async (store: MoleculeStore): Promise<void> => {
      if (waiting === undefined) return
      const { subject, structure } = waiting
      waiting = undefined
      if (written === undefined || !isSame(written.subject, subject))
        written = { subject, hasTopology: false, frames: new Set() }
      const part = newIn(structure, written)
      // Set before writing: what a full disk has refused is not written again.
      written.hasTopology ||= part.topology !== undefined
      for (const [index] of part.frames) written.frames.add(index)
      if (part.topology !== undefined || part.frames.length > 0) await store.save(subject, part, now())
    }
    receive(command => {
      switch (command.type) {
        case 'store.restore':
          restore({ client: command.client, unit: command.unit }, command.frames)
          return
        case 'store.save': {
          const isQueued = waiting !== undefined
          waiting = { subject: { client: command.client, unit: command.unit }, structure: command.structure }
          if (!isQueued) inTurn(write)
          return
        }
        case 'store.deleteAll':
          inTurn(async store => {
            waiting = undefined
            written = undefined
            await store.clear()
          })
      }
    })
    return () => undefined
  })
}

function isSame(a: Subject, b: Subject): boolean {
  return a.client === b.client && a.unit === b.unit
}

function indexesOf(structure: Structure | undefined): Set<number> {
  return new Set(structure?.trajectory.frames.flatMap((frame, index) => (frame === undefined ? [] : [index])))
}

function newIn(
  { topology, trajectory }: Structure,
  written: { readonly hasTopology: boolean; readonly frames: ReadonlySet<number> },
): StructurePart {
  return {
    topology: written.hasTopology ? undefined : topology,
    frames: trajectory.frames.flatMap((positions, index) =>
      positions === undefined || written.frames.has(index) ? [] : [[index, positions] as const],
    ),
  }
}
