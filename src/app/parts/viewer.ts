import { fromPromise } from 'xstate'
import { framePacer, type FramePacerDeps } from '../../actors/browser/frame-pacer.ts'
import { moleculeStoreActor, type MoleculeStoreActorDeps } from '../../actors/molecules/molecule-store-actor.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { FileToSave } from '../../machines/screens/viewer/viewer.events.ts'
import { moleculesMachine } from '../../machines/screens/molecules/molecules.machine.ts'
import { viewerMachine } from '../../machines/screens/viewer/viewer.machine.ts'

export type ViewerDeps = MoleculeStoreActorDeps & FramePacerDeps & { readonly document: Document }

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}

/** The machines of the molecule viewer and of still pictures, with their effects. */
export function viewerMachines({ window, document, openStore, now }: ViewerDeps) {
  return {
    viewer: viewerMachine.provide({
      actors: {
        moleculeStore: moleculeStoreActor({ openStore, now }),
        framePacer: framePacer({ window }),
        saveFile: fromPromise<undefined, FileToSave>(async ({ input, signal }) => {
          const { saveFile } = await loadCode(() => import('../../actors/browser/file-saver.ts'))
          return saveFile({ document, url: URL, pause, now })(input, signal)
        }),
      },
    }),
    molecules: moleculesMachine.provide({ actors: { moleculeStore: moleculeStoreActor({ openStore, now }) } }),
  }
}
