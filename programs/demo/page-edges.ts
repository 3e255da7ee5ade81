import type * as edges from '../../src/app/edges.ts'
import { connectWire, portOf } from './connect-wire.ts'
import { tour, begun } from './arrival.ts'
import { loadPicturesWith } from './pictures.ts'
import { fetchOver, openSocketOver } from './port-network.ts'

/* In place of src/app/edges.ts: the network of the demo runs in a worker of the page, which start.js began. */

const worker =
  begun ??
  new Worker(new URL('network.worker.ts', import.meta.url), { type: 'module', name: `network ${tour.machines}` })
const network = Promise.resolve(portOf(worker))

export const openSocket: typeof edges.openSocket = openSocketOver(network)

export const fetchFrom: typeof edges.fetchFrom = fetchOver(network)

loadPicturesWith(fetchFrom, HTMLImageElement.prototype)

export const withNetwork: typeof edges.withNetwork = connectWire(worker)
