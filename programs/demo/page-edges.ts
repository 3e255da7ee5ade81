import type * as edges from '../../src/app/edges.ts'
import { tour } from './arrival.ts'
import type { Asked, PortGift } from './messages.ts'
import { fetchOver, openSocketOver } from './port-network.ts'

/* In place of src/app/edges.ts: the network of the demo runs in a worker of the page. */

const worker = new Worker(new URL('network.worker.ts', import.meta.url), {
  type: 'module',
  name: `network ${tour.machines}`,
})

function portOfNetwork(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ type: 'peer' } satisfies Asked, [port2])
  return port1
}

const network = Promise.resolve(portOfNetwork())

export const openSocket: typeof edges.openSocket = openSocketOver(network)

export const fetchFrom: typeof edges.fetchFrom = fetchOver(network)

export function withNetwork(wire: Worker): Worker {
  const port = portOfNetwork()
  wire.postMessage({ type: 'demo.network', port } satisfies PortGift, [port])
  return wire
}
