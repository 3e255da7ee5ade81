import type { Surface } from '../../../folding/molecule/surface.ts'
import { findPageFault } from '../../../loading/load-code.ts'
import { superviseWorker, type SupervisedWorker, type WorkerThread } from '../../../loading/supervise-worker.ts'
import type { ComputeSurface } from '../../../viewer/viewer.types.ts'

export type SurfaceRequest = {
  readonly frame: Float32Array
  readonly radii: Float32Array
  readonly atoms: Uint32Array
}

export type SurfaceAnswer = { readonly share: number } | { readonly surface: Surface | undefined }

type SurfaceComputer = { readonly compute: ComputeSurface; readonly stop: () => void }

/** Computes each surface in a worker of its own; another one ends what is under way. */
export function createSurfaceComputer(openWorker: () => WorkerThread): SurfaceComputer {
  let worker: SupervisedWorker<SurfaceRequest> | undefined
  return {
    compute: (frame, radii, atoms, report) =>
      new Promise(resolve => {
        worker?.stop()
        const made = superviseWorker<SurfaceRequest, SurfaceAnswer>(openWorker, {
          listen: answer => {
            if ('share' in answer) return report(answer.share)
            made.stop()
            resolve(answer.surface)
          },
          follow: ({ type }) => {
            if (type === 'started') made.post({ frame, radii, atoms })
          },
          findFault: findPageFault,
          locks: navigator.locks,
        })
        worker = made
      }),
    stop: () => worker?.stop(),
  }
}
