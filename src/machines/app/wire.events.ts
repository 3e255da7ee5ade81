import type { LoadFault } from '../../folding/shared/load-fault.ts'

/** Why the worker that holds every connection does not run. */
export type WireFault = LoadFault | 'crashed'

export type WireFact = { readonly type: 'wire.started' } | { readonly type: 'wire.failed'; readonly fault: WireFault }

/** Start it now instead of after the next delay. */
export type WireCommand = { readonly type: 'wire.restart' }
