import { createGate } from '../../src/protocol/concurrency-limit.ts'
import { createSimulatedClient } from '../clients/index.ts'
import type { Schedule, SimulatedClient } from '../clients/index.ts'
import type { Donor, Ledger } from '../statistics/ledger.ts'
import type { SavedState } from '../store/clients.ts'
import type { Store } from '../store/store.ts'
import type { Cast } from './machine-profiles.ts'
import { createMachineApi } from './machine-api.ts'
import { createSaver } from './saver.ts'
import { fillSeats, LOCAL_SEAT } from './slots.ts'
import type { Seat } from './slots.ts'
import { createUplink } from './uplink.ts'
import type { Uplink } from './uplink.ts'

export type FleetOptions = {
  store: Store
  count: number
  bits: number
  seed: number
  speed: number
  changesEvery?: number | undefined
  /** The token that new machines are told. */
  token: string
  apiUrl: () => string
  scheme: 'ws' | 'wss'
  ca: string | undefined
  commandDelayMs: number
  reconnectMs: number
  retryMs: number
  cast: Cast
  schedule: Schedule
  ledger: Ledger
  /** Who gets the credit for what the account's machines did before their story began. */
  donor: Donor
  report: (line: string) => void
}

export type FleetClient = {
  readonly seat: number
  readonly id: string
  readonly client: SimulatedClient
  isOnline(): boolean
  /** As if its computer had lost power: it leaves the relay without a word. */
  kill(): void
  revive(): void
  /** Fault hook: this text through its node connection. */
  sendRaw(text: string): void
}

export type Fleet = {
  /** Those that are there so far, the local one among them. */
  clients(): readonly FleetClient[]
  /** All seats are taken; whether they are logged in is another matter. */
  readonly filled: Promise<void>
  /** The client on this computer: the first that is there. */
  readonly local: Promise<FleetClient>
  stop(): Promise<void>
}

/** HTTP calls of the whole fleet at a time: enough to be quick, too few to crowd the API out. */
const CALLS_AT_A_TIME = 16

const SEEDS_APART = 7_919

type Member = FleetClient & { uplink: Uplink; state: () => SavedState }

export const createFleet = (options: FleetOptions): Fleet => {
  const { store, cast, schedule, ledger, report } = options
  const api = createMachineApi(options.apiUrl, createGate(CALLS_AT_A_TIME))
  const members = new Map<number, Member>()
  let stopped = false
  const saver = createSaver(store, seat => members.get(seat)?.state(), report)

  const seatMember = ({ seat, key, name, token, state }: Seat): Member => {
    const { profile } = cast(seat)
    let pendingToken = token
    const client = createSimulatedClient({
      id: key.id,
      name,
      seed: options.seed + seat * SEEDS_APART,
      profile,
      schedule,
      speed: options.speed,
      ...(options.changesEvery === undefined ? {} : { changesEvery: options.changesEvery }),
      ...(state === undefined ? {} : { restored: state }),
      hooks: {
        onLink: request => {
          uplink.link(request)
        },
        onRestart: () => {
          uplink.reconnect()
        },
        onUnitEnd: (row, donor) => {
          ledger.note(key.id, row, donor)
        },
        onChange: () => {
          saver.note(seat)
        },
      },
    })
    const uplink = createUplink({
      client,
      key,
      token,
      api,
      scheme: options.scheme,
      ca: options.ca,
      commandDelayMs: options.commandDelayMs,
      reconnectMs: options.reconnectMs,
      retryMs: options.retryMs,
      now: () => schedule.now(),
      onTokenChange: value => {
        pendingToken = value
        saver.note(seat)
      },
    })
    return {
      seat,
      id: key.id,
      client,
      uplink,
      isOnline: () => uplink.isOnline(),
      kill: () => {
        uplink.stop()
      },
      revive: () => {
        uplink.start()
      },
      sendRaw: text => {
        uplink.sendRaw(text)
      },
      state: () => ({
        seat,
        name: client.name(),
        token: pendingToken,
        state: JSON.stringify(client.snapshotForStore()),
      }),
    }
  }

  let tellLocal: (client: FleetClient) => void
  let failLocal: (error: unknown) => void
  const local = new Promise<FleetClient>((resolve, reject) => {
    tellLocal = resolve
    failLocal = reject
  })

  const bookPast = ({ id, seat, client }: Member): void => {
    const donor = seat === LOCAL_SEAT ? client.profile.config : options.donor
    for (const row of client.past()) ledger.note(id, row, donor)
  }

  const take = (seat: Seat): void => {
    if (stopped) return
    const member = seatMember(seat)
    members.set(member.seat, member)
    if (!ledger.knows(member.id)) bookPast(member)
    if (seat.seat === LOCAL_SEAT) tellLocal(member)
    if (member.client.profile.offline)
      member.uplink.introduce().catch((error: unknown) => {
        report(`A machine could not be linked: ${error instanceof Error ? error.message : 'unknown reason'}`)
      })
    else member.uplink.start()
  }

  const filled = fillSeats(
    {
      store,
      count: options.count,
      bits: options.bits,
      token: options.token,
      nameOf: seat => cast(seat).name,
    },
    take,
    () => stopped,
  )

  filled.catch((error: unknown) => {
    failLocal(error)
  })

  return {
    clients: () => [...members.values()],
    filled,
    local,
    stop: async () => {
      stopped = true
      for (const { uplink } of members.values()) uplink.stop()
      for (const seat of members.keys()) saver.note(seat)
      await filled.catch(() => undefined)
      await saver.stop()
      for (const { client } of members.values()) client.stop()
    },
  }
}
