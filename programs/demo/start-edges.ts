import { connectWire } from './connect-wire.ts'
import { holder } from './holder.ts'
import { tourOf } from './tours.ts'

/* In place of src/app/edges.ts in start.js: the network begins with the page, before the page's code is there. */

/** What the build wrote at the script. */
const { network: address = '' } = document.currentScript?.dataset ?? {}
const tour = tourOf(location, sessionStorage)
const network = new Worker(address, { type: 'module', name: `network ${tour.machines}` })
holder.foldboardDemo = { tour, network }

export const withNetwork = connectWire(network)
