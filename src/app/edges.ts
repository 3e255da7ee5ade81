import { openSocketWith } from '../actors/wire/socket.ts'

/*
 * By which page and worker reach the world. A build may replace this module (programs/demo): then the network is in the page
 * itself.
 */

export const openSocket = /* #__PURE__ */ openSocketWith(url => new WebSocket(url))

export const fetchFrom: typeof fetch = (input, init) => fetch(input, init)

/** Connects the worker of all connections with the network. */
export function withNetwork(worker: Worker): Worker {
  return worker
}
