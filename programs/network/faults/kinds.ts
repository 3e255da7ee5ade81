/**
 * Where faults are applied: sockets of pages and of clients at the relay, sockets at the local client (`direct`), and
 * calls of the API.
 */
export const SOCKET_CHANNELS = ['page', 'machine', 'direct'] as const
export type SocketChannel = (typeof SOCKET_CHANNELS)[number]
export type Channel = SocketChannel | 'api'

export const FRAME_FAULTS = ['drop', 'delay', 'duplicate', 'reorder', 'truncate', 'garble', 'forge', 'replay'] as const
export type FrameFault = (typeof FRAME_FAULTS)[number]

/** `flap`: the connection is terminated every 200 ms. */
export const SOCKET_FAULTS = [...FRAME_FAULTS, 'flap'] as const
export type SocketFault = (typeof SOCKET_FAULTS)[number]

/** Faults of one call. `drop`: the connection is closed; `error`: status 500; `html`: an HTML page as the answer. */
export const CALL_FAULTS = ['drop', 'delay', 'truncate', 'garble', 'error', 'html'] as const
export type CallFault = (typeof CALL_FAULTS)[number]

/** Active faults, each with its share of frames or calls, 0 to 1. */
export type Shares<Kind extends string> = ReadonlyMap<Kind, number>
