import './buffer.ts'
import { fetchOf } from '../simulation/browser/fetch.ts'
import { nodeTimers } from '../simulation/realms/clock.ts'
import { isOfNetwork } from './messages.ts'
import { internet, process } from './world.ts'

/* What Node has as globals, and browsers have in another way. Imported before the network. */

const { fetch } = globalThis
const call = fetchOf(process, internet)

Object.assign(globalThis, {
  ...nodeTimers(process),
  fetch: ((input, init) =>
    isOfNetwork(new Request(input, init).url)
      ? call(input, init)
      : fetch(input, init)) satisfies typeof globalThis.fetch,
})
