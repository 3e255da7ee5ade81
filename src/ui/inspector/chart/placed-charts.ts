import ElkApi from 'elkjs/lib/elk-api.js'
import type { AnyStateMachine } from 'xstate'
import { placeChart, type PlacedChart } from './chart-layout.ts'
import { chartOf } from './chart-model.ts'

const createWorker = (): Worker =>
  new Worker(new URL('./elk.worker.ts', import.meta.url), { type: 'module', name: 'charts' })

let elk: InstanceType<typeof ElkApi> | undefined
/** By definition: all copies of a machine with their slots filled in share it. */
const placed = new WeakMap<object, Promise<PlacedChart>>()

/** A machine's chart, laid out beside the page's own thread, once. */
export const placedChartOf = (machine: AnyStateMachine): Promise<PlacedChart> => {
  const known = placed.get(machine.config)
  if (known !== undefined) return known
  elk ??= new ElkApi({ workerFactory: createWorker })
  const placing = placeChart(chartOf(machine), elk)
  placed.set(machine.config, placing)
  placing.catch(() => placed.delete(machine.config))
  return placing
}
