import { createConcurrencyLimit } from '../../../src/protocol/concurrency-limit.ts'
import { createSimulatedClient, type Schedule, type SimulatedClient } from '../clients/index.ts'
import type { Donor, CreditRecorder } from '../statistics/credit-recorder.ts'
import type { SavedState } from '../store/clients.ts'
import type { Store } from '../store/store.ts'
import type { ProfileFor } from './client-profiles.ts'
import { createClientApi } from './client-api.ts'
import { createSaver, type Saver } from './saver.ts'
import { fillSlots, localSlot, type Keys, type Slot } from './slots.ts'
import { createUplink, type Uplink, type UplinkOptions } from './uplink.ts'

export type FleetOptions = Pick<UplinkOptions, 'scheme' | 'ca' | 'commandDelayMs' | 'reconnectMs' | 'retryMs'> & {
  /** Undefined when nothing is stored yet. */
  store: Store | undefined
  count: number
  bits: number
  seed: number
  speed: number
  changesEvery?: number | undefined
  apiUrl: () => string
  saveMs: number
  profileFor: ProfileFor
  schedule: Schedule
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
}

type FleetServices = {
  readonly store: Store
  readonly credits: CreditRecorder
  /** The donor of the seed history of its clients, and the token with which new ones link themselves. */
  readonly account: Donor & { readonly token: string }
}

export type Fleet = {
  /** Clients created so far, including the local one. */
  clients(): readonly FleetClient[]
  /** The local client, which is created first. */
  readonly local: FleetClient
  /** Connects the local client, if it is linked, and creates those of the account: once the API answers. */
  fill(services: FleetServices): void
  /** Resolves when they are created, whether or not they are logged in. */
  filled(): Promise<void>
  stop(): Promise<void>
}

/** Concurrent HTTP calls of the whole fleet, few enough not to overload the API. */
const MAX_CONCURRENT_CALLS = 16

const SEED_STEP = 7_919

type Member = FleetClient & { uplink: Uplink; state: () => SavedState }

export async function createFleet(options: FleetOptions): Promise<Fleet> {
  const { profileFor, schedule, report } = options
  const api = createClientApi(options.apiUrl, createConcurrencyLimit(MAX_CONCURRENT_CALLS))
  const members = new Map<number, Member>()
  let stopped = false
  let saver: Saver | undefined
  let credits: CreditRecorder | undefined
  /** What the local client has done before there was a recorder. */
  const ended: Parameters<CreditRecorder['record']>[] = []

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
        onLink: request => uplink.link(request),
        onRestart: () => uplink.reconnect(),
        onUnitEnd: (row, donor) => {
          if (credits === undefined) ended.push([key.id, row, donor])
          else credits.record(key.id, row, donor)
        },
        onChange: () => saver?.markChanged(slot),
      },
    })
    const uplink = createUplink({
      ...options,
      ...{ client, key, token, api },
      now: () => schedule.now(),
      onTokenChange: value => {
        pendingToken = value
        saver?.markChanged(slot)
      },
    })
    return {
      slot,
      id: key.id,
      client,
      uplink,
      isOnline: uplink.isOnline,
      kill: uplink.stop,
      revive: uplink.start,
      state: () => ({
        slot,
        name: client.name(),
        token: pendingToken,
        state: JSON.stringify(client.snapshotForStore()),
      }),
    }
  }

  const addMember = (slot: Slot): Member => {
    const member = createMember(slot)
    members.set(member.slot, member)
    return member
  }

  const begin = ({ id, client, uplink }: Member, donor: Donor): void => {
    if (credits?.hasCredits(id) === false) for (const row of client.seedHistory()) credits.record(id, row, donor)
    if (client.profile.offline)
      uplink.linkOnly().catch((error: unknown) => {
        report(`A machine could not be linked: ${error instanceof Error ? error.message : 'unknown reason'}`)
      })
    else uplink.start()
  }

  const keys: Keys = { bits: options.bits, nameOf: slot => profileFor(slot).name }
  const slotOfLocal = await localSlot(options.store, keys)
  const local = addMember(slotOfLocal)
  let filled: Promise<void> = Promise.resolve()

  return {
    clients: () => [...members.values()],
    local,
    fill: ({ store, account, ...services }) => {
      credits = services.credits
      saver = createSaver(store, slot => members.get(slot)?.state(), report, options.saveMs)
      begin(local, local.client.profile.config)
      for (const unit of ended) credits.record(...unit)
      filled = fillSlots(
        { ...keys, store, local: slotOfLocal, count: options.count, token: account.token },
        slot => {
          if (!stopped) begin(addMember(slot), account)
        },
        () => stopped,
      )
      // `filled` says so.
      filled.catch(() => undefined)
    },
    filled: () => filled,
    stop: async () => {
      stopped = true
      for (const { uplink } of members.values()) uplink.stop()
      for (const slot of members.keys()) saver?.markChanged(slot)
      await filled.catch(() => undefined)
      await saver?.stop()
      for (const { client } of members.values()) client.stop()
    },
  }
}
