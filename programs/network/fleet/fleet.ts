import { createConcurrencyLimit } from '../../../src/protocol/concurrency-limit.ts'
import { createSimulatedClient, type Schedule, type SimulatedClient } from '../clients/index.ts'
import type { Donor, CreditRecorder } from '../statistics/credit-recorder.ts'
import type { SavedState } from '../store/clients.ts'
import type { Store } from '../store/store.ts'
import type { ProfileFor } from './client-profiles.ts'
import { createClientApi } from './client-api.ts'
import { createSaver } from './saver.ts'
import { fillSlots, LOCAL_SLOT, type Slot } from './slots.ts'
import { createUplink, type Uplink } from './uplink.ts'

export type FleetOptions = {
  store: Store
  count: number
  bits: number
  seed: number
  speed: number
  changesEvery?: number | undefined
  /** Account token with which new clients link themselves. */
  token: string
  apiUrl: () => string
  scheme: 'ws' | 'wss'
  ca: string | undefined
  commandDelayMs: number
  reconnectMs: number
  retryMs: number
  saveMs: number
  profileFor: ProfileFor
  schedule: Schedule
  credits: CreditRecorder
  /** Donor of the seed history of the account's clients. */
  donor: Donor
  report: (line: string) => void
}

export type FleetClient = {
  readonly slot: number
  readonly id: string
  readonly client: SimulatedClient
  isOnline(): boolean
  /** Drops its relay connection without a close frame, as if its computer had lost power. */
  kill(): void
  revive(): void
  /** For tests: sends a text on its relay connection. */
  sendRaw(text: string): void
}

export type Fleet = {
  /** Clients created so far, including the local one. */
  clients(): readonly FleetClient[]
  /** Resolves when all clients are created, whether or not they are logged in. */
  readonly filled: Promise<void>
  /** The local client, which is created first. */
  readonly local: Promise<FleetClient>
  stop(): Promise<void>
}

/** Concurrent HTTP calls of the whole fleet, few enough not to overload the API. */
const MAX_CONCURRENT_CALLS = 16

const SEED_STEP = 7_919

type Member = FleetClient & { uplink: Uplink; state: () => SavedState }

export function createFleet(options: FleetOptions): Fleet {
  const { store, profileFor, schedule, credits, report } = options
  const api = createClientApi(options.apiUrl, createConcurrencyLimit(MAX_CONCURRENT_CALLS))
  const members = new Map<number, Member>()
  let stopped = false
  const saver = createSaver(store, slot => members.get(slot)?.state(), report, options.saveMs)

  const createMember = ({ slot, key, name, token, state }: Slot): Member => {
    const { profile } = profileFor(slot)
    let pendingToken = token
    const client = createSimulatedClient({
      id: key.id,
      name,
      seed: options.seed + slot * SEED_STEP,
      profile,
      schedule,
      speed: options.speed,
      saveMs: options.saveMs,
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
          credits.record(key.id, row, donor)
        },
        onChange: () => {
          saver.markChanged(slot)
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
        saver.markChanged(slot)
      },
    })
    return {
      slot,
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
        slot,
        name: client.name(),
        token: pendingToken,
        state: JSON.stringify(client.snapshotForStore()),
      }),
    }
  }

  let resolveLocal: (client: FleetClient) => void
  let rejectLocal: (error: unknown) => void
  const local = new Promise<FleetClient>((resolve, reject) => {
    resolveLocal = resolve
    rejectLocal = reject
  })

  const recordSeedHistory = ({ id, slot, client }: Member): void => {
    const donor = slot === LOCAL_SLOT ? client.profile.config : options.donor
    for (const row of client.seedHistory()) credits.record(id, row, donor)
  }

  const addMember = (slot: Slot): void => {
    if (stopped) return
    const member = createMember(slot)
    members.set(member.slot, member)
    if (!credits.hasCredits(member.id)) recordSeedHistory(member)
    if (slot.slot === LOCAL_SLOT) resolveLocal(member)
    if (member.client.profile.offline)
      member.uplink.linkOnly().catch((error: unknown) => {
        report(`A machine could not be linked: ${error instanceof Error ? error.message : 'unknown reason'}`)
      })
    else member.uplink.start()
  }

  const filled = fillSlots(
    {
      store,
      count: options.count,
      bits: options.bits,
      token: options.token,
      nameOf: slot => profileFor(slot).name,
    },
    addMember,
    () => stopped,
  )

  filled.catch((error: unknown) => {
    rejectLocal(error)
  })

  return {
    clients: () => [...members.values()],
    filled,
    local,
    stop: async () => {
      stopped = true
      for (const { uplink } of members.values()) uplink.stop()
      for (const slot of members.keys()) saver.markChanged(slot)
      await filled.catch(() => undefined)
      await saver.stop()
      for (const { client } of members.values()) client.stop()
    },
  }
}
