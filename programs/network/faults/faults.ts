import type { WebSocket } from 'ws'
import { chance } from '../clients/random.ts'
import { withFaults, type Handler } from './calls.ts'
import {
  SOCKET_CHANNELS,
  type CallFault,
  type FrameFault,
  type SocketFault,
  type SocketChannel,
  type Channel,
} from './kinds.ts'
import { injectFaults, type FaultySocket } from './faulty-socket.ts'

/** Faults in the connections between the parts of this network, switched on and off at run time. */
export type Faults = {
  /** Applies a fault to this share of frames or calls, 0 to 1. `flap` affects all connections of the channel. */
  begin(way: SocketChannel, fault: SocketFault, share?: number): void
  begin(way: 'api', fault: CallFault, share?: number): void
  /** Sets the offset of the clocks of API and relay in ms. */
  setClock(ahead: number): void
  /** The offset of the clocks in ms. */
  ahead(): number
  /** Whether a connection has lost, duplicated or reordered frames, which its reader could not notice. */
  isHarmed(way: SocketChannel): boolean
  /**
   * Ends all faults. Frames that were held back are delivered. Connections with lost, duplicated or reordered frames
   * are terminated: messages are not numbered.
   */
  end(): void
  /**
   * Called by the relay, the local client and the API for each socket, and for the request handler, to apply faults.
   */
  onSocket(socket: WebSocket, way: SocketChannel): void
  onCalls(answer: Handler): Handler
}

const DEFAULT_SHARE = 0.2
const FLAP_MS = 200

type Entry = { readonly line: FaultySocket; readonly way: SocketChannel; isHarmed: boolean }

/** Faults depend on the seed, the number of the connection in its channel, and the number of the frame. */
export function createFaults(seed: number): Faults {
  const frames: Record<SocketChannel, Map<FrameFault, number>> = {
    page: new Map(),
    machine: new Map(),
    direct: new Map(),
  }
  const calls = new Map<CallFault, number>()
  const flapping = new Map<SocketChannel, NodeJS.Timeout>()
  const entries = new Set<Entry>()
  const count: Record<SocketChannel, number> = { page: 0, machine: 0, direct: 0 }
  let ahead = 0

  const terminateAll = (way: SocketChannel): void => {
    for (const entry of entries) if (entry.way === way) entry.line.terminate()
  }

  const flap = (way: SocketChannel): void => {
    if (!flapping.has(way))
      flapping.set(
        way,
        setInterval(() => terminateAll(way), FLAP_MS),
      )
  }

  const begin = (way: Channel, fault: SocketFault | CallFault, share = DEFAULT_SHARE): void => {
    if (way === 'api') calls.set(fault as CallFault, share)
    else if (fault === 'flap') flap(way)
    else frames[way].set(fault as FrameFault, share)
  }

  return {
    begin,
    setClock: milliseconds => {
      ahead = milliseconds
    },
    ahead: () => ahead,
    isHarmed: way => [...entries].some(entry => entry.way === way && entry.isHarmed),
    end: () => {
      calls.clear()
      ahead = 0
      for (const timer of flapping.values()) clearInterval(timer)
      flapping.clear()
      for (const way of SOCKET_CHANNELS) frames[way].clear()
      for (const entry of entries) {
        entry.line.release()
        if (entry.isHarmed) entry.line.terminate()
      }
    },
    onSocket: (socket, way) => {
      const entry: Entry = {
        way,
        isHarmed: false,
        line: injectFaults(socket, {
          seed: Math.floor(chance(seed, way, (count[way] += 1)) * 2 ** 31),
          way,
          shares: () => frames[way],
          onUnrecoverable: () => {
            entry.isHarmed = true
          },
        }),
      }
      entries.add(entry)
      socket.on('close', () => {
        entry.line.release()
        entries.delete(entry)
      })
    },
    onCalls: answer => withFaults(answer, { seed, shares: () => calls, ahead: () => ahead }),
  }
}
