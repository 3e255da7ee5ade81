import { createHash } from 'node:crypto'
import type { CreatePages } from '../../host/pages.ts'
import type { PageSettings } from '../../host/settings.ts'
import { createFaults, startNetwork, type Faults, type FleetClient, type Network } from '../../network/index.ts'
import { createSchedule, createSimulatedClient, fleetProfile, systemClock } from '../../network/clients/index.ts'
import { createDirectServer } from '../../network/fleet/direct-server.ts'
import { DEFAULT_TIMES } from '../../network/fleet/direct-socket.ts'
import type { Json } from '../../../src/protocol/json.ts'

/** Milliseconds. The process of the network is not killed, so nothing needs to be written but what others read: 20 days. */
const SAVE = 20 * 86_400_000

/** Milliseconds for each message of a machine: as an idle node of the project (docs/protocol.md §11.6). */
const RELAY_PACE = 300

export type NetworkOptions = {
  readonly port: number
  readonly seed: number
  readonly machines: number
  /** Milliseconds between two changes of each running unit. Default: as real clients have it, which is one second. */
  readonly changesEvery?: number
  readonly report: (line: string) => void
}

export type StartedNetwork = {
  readonly network: Network
  readonly faults: Faults
  /** What its pages find in their meta tags. */
  readonly settings: () => Readonly<Record<string, string>>
}

/** More machines than these belong to no account: only servers reach them, directly. */
const MOST_LINKED = 100

/** The machines of a large fleet: as those of the account, without its keys and its relay. */
function unlinkedFleet({ machines: count, seed, changesEvery, report }: NetworkOptions): readonly FleetClient[] {
  const schedule = createSchedule(systemClock, error => report(`A simulated client failed: ${String(error)}`))
  return Array.from({ length: count }, (_, slot): FleetClient => {
    const { name, profile } = fleetProfile(slot, seed)
    const id = createHash('sha256').update(`${seed} ${slot}`).digest('base64url')
    let isOn = true
    return {
      slot,
      id,
      client: createSimulatedClient({
        id,
        name,
        seed: seed + slot * 7919,
        profile,
        schedule,
        saveMs: SAVE,
        ...(changesEvery === undefined ? {} : { changesEvery }),
      }),
      isOnline: () => isOn,
      kill: () => {
        isOn = false
      },
      revive: () => {
        isOn = true
      },
    }
  })
}

/** The embedded network with keys of 1,024 bits, and otherwise as for `npm start`. */
export async function start(options: NetworkOptions): Promise<StartedNetwork> {
  let settings = (): PageSettings => ({})
  // The dashboard's files are not part of the world: its pages are programs of their own.
  const createPages: CreatePages = pageOptions => {
    ;({ settings } = pageOptions)
    return {
      answer: (_request, response) => void response.writeHead(404).end(),
      upgrade: () => 404,
      stop: () => Promise.resolve(),
    }
  }
  const faults = createFaults(options.seed)
  const network = await startNetwork({
    ...options,
    machines: options.machines > MOST_LINKED ? 0 : options.machines,
    faults,
    listen: '127.0.0.1',
    data: undefined,
    dist: '/',
    createPages,
    keyBits: 1024,
    saveMs: SAVE,
    relayPaceMs: RELAY_PACE,
    accountKeyBits: 1024,
    client: { host: '127.0.0.1', port: 9 },
  })
  if (options.machines > MOST_LINKED) {
    const fleet = unlinkedFleet(options)
    Object.assign(network, { clients: () => fleet })
  }
  return { network, faults, settings: () => ({ ...settings(), 'direct-address': network.directAddress }) }
}

/**
 * Lets a machine be reached directly, besides the relay, while its computer has power. `note`: told of each command that
 * comes this way. Resolves with what says whether it can be reached.
 */
export async function listen(one: FleetClient, port: number, note: (command: Json) => void): Promise<() => boolean> {
  const { client } = one
  const kill = one.kill.bind(one)
  const revive = one.revive.bind(one)
  // Taken now: what comes this way is not for the books of pages.
  const attach = client.attach.bind(client)
  const server = createDirectServer({
    client: {
      ...client,
      attach: send => {
        const connection = attach(send)
        return {
          ...connection,
          receive: command => {
            note(command)
            return connection.receive(command)
          },
        }
      },
    },
    port,
    allows: origin => origin === undefined,
    times: DEFAULT_TIMES,
    redirect: 'http://localhost/',
  })
  if (!client.profile.offline) await server.start()
  Object.assign(one, {
    kill: () => {
      kill()
      void server.stop()
    },
    revive: () => {
      revive()
      void server.start()
    },
  })
  return () => server.isListening()
}

export type NetworkProgram = { readonly start: typeof start; readonly listen: typeof listen }
