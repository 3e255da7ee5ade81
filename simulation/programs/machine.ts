import { createSchedule, createSimulatedClient, demoProfiles, systemClock } from '../../network/clients/index.ts'
import type { SimulatedClient } from '../../network/clients/index.ts'
import { createDirectServer } from '../../network/fleet/direct-server.ts'
import { DEFAULT_TIMES } from '../../network/fleet/direct-socket.ts'
import type { Json } from '../../src/protocol/json.ts'

export type MachineOptions = {
  readonly id: string
  readonly name: string
  readonly seed: number
  /** Which of the demo profiles. */
  readonly profile: number
  readonly version: string | undefined
  readonly port: number
  /** What its disk has of it; undefined for one that was just installed. */
  readonly restored: Json | undefined
  readonly save: (state: Json) => void
}

/** Milliseconds between two moments at which a client stores its state. */
const SAVE = 60_000

/** A folding client in a process of its own, which pages reach directly. */
export const start = async (options: MachineOptions): Promise<SimulatedClient> => {
  const { id, name, seed, profile, version, port, restored, save } = options
  const chosen = demoProfiles[profile % demoProfiles.length]?.profile
  if (chosen === undefined) throw new Error('There are no profiles.')
  const schedule = createSchedule(systemClock, error => {
    throw error
  })
  const client = createSimulatedClient({
    ...{ id, name, seed, schedule },
    profile: { ...chosen, ...(version === undefined ? {} : { version }) },
    ...(restored === undefined ? {} : { restored }),
  })
  setInterval(() => save(client.snapshotForStore()), SAVE)
  const direct = createDirectServer({ client, port, allows: () => true, times: DEFAULT_TIMES, redirect: '' })
  await direct.start()
  return client
}

export type MachineProgram = { readonly start: typeof start }
