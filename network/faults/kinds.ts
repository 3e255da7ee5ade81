/** Sockets at the relay of pages and of machines, sockets at the local client, and calls of the API. */
export const SOCKET_WAYS = ['page', 'machine', 'direct'] as const
export type SocketChannel = (typeof SOCKET_WAYS)[number]
export type Channel = SocketChannel | 'api'

/** What can happen to one frame. */
export const FRAME_FAULTS = ['drop', 'delay', 'duplicate', 'reorder', 'truncate', 'garble', 'forge', 'replay'] as const
export type FrameFault = (typeof FRAME_FAULTS)[number]

/** `flap`: every 200 ms the connection is lost. */
export const SOCKET_FAULTS = [...FRAME_FAULTS, 'flap'] as const
export type SocketFault = (typeof SOCKET_FAULTS)[number]

/** What can happen to one call. `drop`: the connection is cut; `error`: status 500; `html`: a page instead of an answer. */
export const CALL_FAULTS = ['drop', 'delay', 'truncate', 'garble', 'error', 'html'] as const
export type CallFault = (typeof CALL_FAULTS)[number]

/** Which kinds are on, each with its share of frames or calls, 0 to 1. */
export type Shares<Kind extends string> = ReadonlyMap<Kind, number>
