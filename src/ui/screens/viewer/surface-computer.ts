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

/** Computes surfaces in a worker that the first one starts, one at a time: another one ends what is under way, and its worker. */
export function createSurfaceComputer(openWorker: () => WorkerThread): SurfaceComputer {
  let worker: SupervisedWorker<SurfaceRequest> | undefined
  let underWay: { readonly request: SurfaceRequest; readonly listen: (answer: SurfaceAnswer) => void } | undefined

  const post = (): void => {
    if (underWay !== undefined && worker?.isRunning() === true) worker.post(underWay.request)
  }
  return {
    compute: (frame, radii, atoms, report) =>
      new Promise(resolve => {
        const listen = (answer: SurfaceAnswer): void => {
          if ('share' in answer) return report(answer.share)
          underWay = undefined
          resolve(answer.surface)
        }
        if (underWay !== undefined) {
          worker?.stop()
          worker = undefined
        }
        underWay = { request: { frame, radii, atoms }, listen }
        if (worker !== undefined) return post()
        worker = superviseWorker<SurfaceRequest, SurfaceAnswer>(openWorker, {
          listen: answer => underWay?.listen(answer),
          follow: ({ type }) => {
            if (type === 'started') post()
          },
          findFault: findPageFault,
          locks: navigator.locks,
        })
      }),
    stop: () => worker?.stop(),
  }
}
