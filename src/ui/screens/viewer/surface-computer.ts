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

export type SurfaceComputer = { readonly compute: ComputeSurface; readonly stop: () => void }

/** Computes surfaces in a worker that the first one starts. A viewer asks for one at a time. */
export function createSurfaceComputer(openWorker: () => WorkerThread = openSurfaceWorker): SurfaceComputer {
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

function openSurfaceWorker(): Worker {
  return new Worker(new URL('./surface.worker.ts', import.meta.url), { type: 'module', name: 'surfaces' })
}
