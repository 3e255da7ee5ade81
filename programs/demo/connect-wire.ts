import type { Asked, PortGift } from './messages.ts'

/** A port over which another one may ask the network. */
export function portOf(network: Worker): MessagePort {
  const { port1, port2 } = new MessageChannel()
  network.postMessage({ type: 'peer' } satisfies Asked, [port2])
  return port1
}

/** Gives the worker of all connections a port of the network. */
export function connectWire(network: Worker) {
  return (wire: Worker): Worker => {
    const port = portOf(network)
    wire.postMessage({ type: 'demo.network', port } satisfies PortGift, [port])
    return wire
  }
}
