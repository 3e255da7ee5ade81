import ElkApi from 'elkjs/lib/elk-api.js'
import type { AnyStateMachine } from 'xstate'
import { LoadError } from '../../../folding/shared/load-fault.ts'
import { findPageFault } from '../../../loading/load-code.ts'
import { layoutChart, type PlacedChart } from './chart-layout.ts'
import { chartOf } from './chart-model.ts'

type Elk = { readonly api: InstanceType<typeof ElkApi>; readonly failed: Promise<never> }

/** `failed` rejects when the worker does not load or crashes; the library itself would wait forever. */
export function openElk(openWorker: () => Worker): Elk {
  const worker = openWorker()
  const failed = new Promise<never>((_, reject) => {
    const fail = (): void => {
      worker.terminate()
      void findPageFault().then(fault => reject(new LoadError(fault)))
    }
    worker.addEventListener('error', fail)
    worker.addEventListener('messageerror', fail)
  })
  failed.catch(() => (elk = undefined))
  return { api: new ElkApi({ workerFactory: () => worker }), failed }
}

const FAILURE_KEPT_FOR = 1000

let elk: Elk | undefined
/** By config, which is shared by all copies of a machine that `provide` makes. */
const placed = new WeakMap<object, Promise<PlacedChart>>()

/** A machine's chart, laid out in a worker and cached. */
export function placedChartOf(machine: AnyStateMachine): Promise<PlacedChart> {
  const cached = placed.get(machine.config)
  if (cached !== undefined) return cached
  elk ??= openElk(() => new Worker(new URL('./elk.worker.ts', import.meta.url), { type: 'module', name: 'charts' }))
  const placing = Promise.race([layoutChart(chartOf(machine), elk.api), elk.failed])
  placed.set(machine.config, placing)
  // After a rejection React renders again and must get the same promise.
  placing.catch(() => setTimeout(() => placed.delete(machine.config), FAILURE_KEPT_FOR))
  return placing
}
