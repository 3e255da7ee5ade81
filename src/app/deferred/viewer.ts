import { fromPromise } from 'xstate'
import { framePacer } from '../../actors/frame-pacer.ts'
import { moleculeStoreActor, type MoleculeStoreActorDeps } from '../../actors/molecules/molecule-store-actor.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { FileToSave } from '../../machines/screens/viewer/viewer.events.ts'
import { viewerMachine } from '../../machines/screens/viewer/viewer.machine.ts'

type ViewerDeps = {
  readonly document: Document
  readonly window: Window
  readonly openMolecules: MoleculeStoreActorDeps['openStore']
  readonly now: () => number
}

/** The machine of the molecule viewer with its effects. */
export const viewerGroup = ({ document, window, openMolecules, now }: ViewerDeps) => ({
  viewer: viewerMachine.provide({
    actors: {
      moleculeStore: moleculeStoreActor({ openStore: openMolecules, now }),
      framePacer: framePacer({ window }),
      saveFile: fromPromise<undefined, FileToSave>(async ({ input, signal }) => {
        const { saveFile } = await loadCode(() => import('../../actors/file-saver.ts'))
        return saveFile({ document, url: URL, pause, now })(input, signal)
      }),
    },
  }),
})

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
