import type { PortGift } from './messages.ts'
import { openSocketOver } from './port-network.ts'

/* In place of src/app/edges.ts in the worker of all connections, which gets the port of the network from the page. */

const network = new Promise<MessagePort>(resolve => {
  const take = (event: MessageEvent<PortGift | { readonly type: undefined }>): void => {
    if (event.data.type !== 'demo.network') return
    // It is no command of the page.
    event.stopImmediatePropagation()
    removeEventListener('message', take)
    resolve(event.data.port)
  }
  addEventListener('message', take)
})

export const openSocket = openSocketOver(network)
