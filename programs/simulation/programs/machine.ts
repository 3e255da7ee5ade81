import {
  createSchedule,
  createSimulatedClient,
  demoProfiles,
  systemClock,
  type NamedProfile,
  type SimulatedClient,
} from '../../network/clients/index.ts'
import { isGeneration, ofGeneration } from '../../network/clients/profiles/generations.ts'
import { createClientApi } from '../../network/fleet/client-api.ts'
import { createDirectServer } from '../../network/fleet/direct-server.ts'
import { DEFAULT_TIMES } from '../../network/fleet/direct-socket.ts'
import { createUplink, type Uplink } from '../../network/fleet/uplink.ts'
import type { RsaKey } from '../../network/keys.ts'
import { createConcurrencyLimit } from '../../../src/protocol/concurrency-limit.ts'
import type { Json } from '../../../src/protocol/json.ts'

/** How it reaches its account. */
export type MachineAccount = {
  readonly apiUrl: string
  readonly key: RsaKey
  /** With which it has not linked itself yet, or ''. */
  readonly token: string
  readonly saveToken: (token: string) => void
}

export type MachineOptions = {
  readonly id: string
  readonly name: string
  readonly seed: number
  /** Which of the demo profiles. */
  readonly profile: number
  /** The generation or another version of the client; undefined for that of the profile. */
  readonly version: string | undefined
  readonly port: number
  /** Whether it refuses pages of other origins. */
  readonly refuses: () => boolean
  /** Undefined for one that belongs to no account. */
  readonly account: MachineAccount | undefined
  /** What its disk has of it; undefined for one that was just installed. */
  readonly restored: Json | undefined
  readonly save: (state: Json) => void
}

export type StartedMachine = {
  readonly client: SimulatedClient
  /** Its connection to the node of its account; undefined for one that belongs to no account. */
  readonly uplink: Uplink | undefined
}

/** Milliseconds between two moments at which a client stores its state. */
const SAVE = 60_000
/** Milliseconds after a lost connection, and after a failed attempt (docs/protocol.md §11). */
const RECONNECT = 800
const RETRY = 15_000
/** Where clients send browsers that open their address. */
const WEBSITE = 'https://v8-5.foldingathome.org/'

function withVersion(profile: NamedProfile['profile'], version: string | undefined): NamedProfile['profile'] {
  if (version === undefined) return profile
  return isGeneration(version) ? ofGeneration(profile, version) : { ...profile, version }
}

/** A folding client in a process of its own, which pages reach directly, or by its account. */
export async function start(options: MachineOptions): Promise<StartedMachine> {
  const { id, name, seed, profile, version, port, refuses, account, restored, save } = options
  const chosen = demoProfiles[profile % demoProfiles.length]?.profile
  if (chosen === undefined) throw new Error('There are no profiles.')
  const schedule = createSchedule(systemClock, error => {
    throw error
  })
  const client: SimulatedClient = createSimulatedClient({
    ...{ id, name, seed, schedule },
    profile: withVersion(chosen, version),
    ...(restored === undefined ? {} : { restored }),
    hooks: { onLink: request => uplink?.link(request), onRestart: () => uplink?.reconnect() },
  })
  const uplink =
    account &&
    createUplink({
      client,
      ...{ key: account.key, token: account.token, onTokenChange: account.saveToken },
      api: createClientApi(() => account.apiUrl, createConcurrencyLimit(1)),
      ...{ scheme: 'ws', ca: undefined, now: Date.now },
      ...{ commandDelayMs: DEFAULT_TIMES.commandDelayMs, reconnectMs: RECONNECT, retryMs: RETRY },
    })
  setInterval(() => save(client.snapshotForStore()), SAVE)
  const direct = createDirectServer({
    ...{ client, port, times: DEFAULT_TIMES, redirect: WEBSITE },
    allows: origin => origin === undefined || !refuses(),
  })
  await direct.start()
  uplink?.start()
  return { client, uplink }
}

export type MachineProgram = { readonly start: typeof start }
