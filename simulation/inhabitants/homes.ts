import { createHash } from 'node:crypto'
import type { SimulatedClient } from '../../network/clients/index.ts'
import { decodeClientContent } from '../../src/protocol/client-message.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { MachineProgram } from '../programs/machine.ts'
import type { Realm, RealmOptions } from '../realms/realm.ts'

/** A computer at home: its client is a process of its own, which can be killed at any moment, and starts with what it has stored. */
export type Home = {
  readonly name: string
  readonly address: string
  /** Undefined while it does not run, or has just been started. */
  readonly client: () => SimulatedClient | undefined
  readonly said: () => ClientData | undefined
  readonly kill: () => void
  /** Starts it, unless it runs. */
  readonly start: () => void
  /** The computer sleeps: nothing of it runs, and nobody is told. */
  readonly setAsleep: (isAsleep: boolean) => void
  readonly isAwake: () => boolean
  /** For its next start: another version of the client. */
  readonly setVersion: (version: string | undefined) => void
  /** Forgets all that it has stored, with the id, which follows from the key. */
  readonly reinstall: () => void
  /** Its disk is copied from another one. */
  readonly copyDisk: (from: Home) => void
  readonly disk: () => { readonly id: string; readonly state: Json | undefined }
}

type HomeParts = {
  readonly newRealm: (name: string) => RealmOptions
  readonly startMachine: (options: RealmOptions) => { readonly realm: Realm; readonly exports: unknown }
  readonly seed: number
}

const FIRST_PORT = 18_201
const COUNT = 3

const stateOf = (client: SimulatedClient | undefined): ClientData | undefined => {
  if (client === undefined) return undefined
  const told: Json[] = []
  client.attach(content => void told.push(content)).detach()
  const fact = decodeClientContent(told[0] ?? null).find(({ type }) => type === 'snapshot.received')
  return fact?.type === 'snapshot.received' ? fact.data : undefined
}

type Running = { readonly realm: Realm; client?: SimulatedClient }

const createHome = ({ newRealm, startMachine, seed }: HomeParts, number: number): Home => {
  const name = `home-${number + 1}`
  const port = FIRST_PORT + number
  let installations = 0
  let version: string | undefined
  let state: Json | undefined
  let running: Running | undefined
  let isAsleep = false
  const newId = (): string => createHash('sha256').update(`${seed} ${name} ${installations++}`).digest('base64url')
  let id = newId()

  const start = (): void => {
    if (running !== undefined) return
    const { realm, exports } = startMachine(newRealm(name))
    const own: Running = { realm }
    running = own
    const options = { id, name, seed: seed + number, profile: number, version, port, restored: state }
    const saved = (stored: Json): void => {
      state = structuredClone(stored)
    }
    ;(exports as MachineProgram).start({ ...options, save: saved }).then(
      client => {
        own.client = client
      },
      (error: unknown) => realm.fail(error),
    )
  }
  return {
    name,
    address: `127.0.0.1:${port}`,
    client: () => running?.client,
    said: () => stateOf(running?.client),
    kill: () => {
      running?.realm.end()
      running = undefined
      isAsleep = false
    },
    start,
    setAsleep: asleep => {
      if (running === undefined) return
      isAsleep = asleep
      running.realm.setFrozen(asleep)
    },
    isAwake: () => running?.client !== undefined && !isAsleep,
    setVersion: next => {
      version = next
    },
    reinstall: () => {
      id = newId()
      state = undefined
    },
    copyDisk: from => {
      ;({ id, state } = from.disk())
    },
    disk: () => ({ id, state }),
  }
}

/** The computers of somebody's home. They are switched on when somebody looks for them first. */
export const createHomes = (parts: HomeParts): { readonly all: () => readonly Home[]; readonly wake: () => void } => {
  let homes: readonly Home[] = []
  return {
    all: () => homes,
    wake: () => {
      if (homes.length > 0) return
      homes = Array.from({ length: COUNT }, (_, number) => createHome(parts, number))
      for (const home of homes) home.start()
    },
  }
}
