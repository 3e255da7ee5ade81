import { createHash } from 'node:crypto'
import type { SimulatedClient } from '../../network/clients/index.ts'
import type { RsaKey } from '../../network/keys.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { MachineProgram, StartedMachine } from '../programs/machine.ts'
import type { Realm, RealmOptions } from '../realms/realm.ts'
import { saidBy } from './said.ts'

/** What its disk has. `key` and `token`: of one that belongs to an account, whose token is '' once it is linked. */
export type Disk = {
  readonly id: string
  readonly key?: RsaKey
  readonly token?: string | undefined
  readonly state: Json | undefined
}

/** A computer whose client is a process of its own, which can be killed at any moment, and starts with what it has stored. */
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
  /** Whether the node of its account has its connection. */
  readonly isOnline: () => boolean
  /** Somebody at the computer links it to an account. */
  readonly link: (token: string) => void
  /** For its next start: whether it refuses pages of other origins. */
  readonly setRefusing: (refuses: boolean) => void
  readonly isRefusing: () => boolean
  /** For its next start: another version of the client. */
  readonly setVersion: (version: string | undefined) => void
  /** Forgets all that it has stored, with the id, which follows from the key. */
  readonly reinstall: () => void
  /** Its disk is copied from another one. */
  readonly copyDisk: (from: Home) => void
  readonly disk: () => Disk
}

/** Of computers that belong to an account. */
export type HomeAccount = {
  readonly apiUrl: string
  readonly newKey: (name: string, installation: number) => RsaKey
  /** The token with which machines are linked now. */
  readonly token: () => Promise<string>
}

export type HomeParts = {
  readonly newRealm: (name: string) => RealmOptions
  readonly startMachine: (options: RealmOptions) => { readonly realm: Realm; readonly exports: unknown }
  readonly seed: number
}

type HomeOptions = HomeParts & {
  readonly name: string
  readonly port: number
  /** Which of the demo profiles it has. */
  readonly profile: number
  readonly account?: HomeAccount
  readonly whenStarted?: (home: Home, client: SimulatedClient) => void
}

const FIRST_PORT = 18_201
const COUNT = 3

type Running = { readonly realm: Realm; started?: StartedMachine }

export function createHome(options: HomeOptions): Home {
  const { newRealm, startMachine, seed, name, port, profile, account, whenStarted } = options
  let installations = 0
  let version: string | undefined
  let running: Running | undefined
  let isAsleep = false
  let isRefusing = false
  const install = (): Disk => {
    const number = installations++
    if (account !== undefined) {
      const key = account.newKey(name, number)
      return { id: key.id, key, state: undefined }
    }
    return { id: createHash('sha256').update(`${seed} ${name} ${number}`).digest('base64url'), state: undefined }
  }
  let disk = install()

  const accountOf = async ({ key, token }: Disk) =>
    account === undefined || key === undefined
      ? undefined
      : {
          apiUrl: account.apiUrl,
          key,
          token: token ?? (await account.token()),
          saveToken: (saved: string): void => {
            disk = { ...disk, token: saved }
          },
        }

  const run = async (starting: Running, exports: unknown): Promise<void> => {
    const { id, state } = disk
    const linked = await accountOf(disk)
    if (running !== starting) return
    starting.started = await (exports as MachineProgram).start({
      ...{ id, name, version, port, profile, refuses: () => isRefusing },
      ...{ seed: seed + profile, account: linked, restored: state },
      save: stored => {
        disk = { ...disk, state: structuredClone(stored) }
      },
    })
    whenStarted?.(home, starting.started.client)
  }

  const home: Home = {
    name,
    address: `127.0.0.1:${port}`,
    client: () => running?.started?.client,
    said: () => running?.started && saidBy(running.started.client),
    kill: () => {
      running?.realm.end()
      running = undefined
      isAsleep = false
    },
    start: () => {
      if (running !== undefined) return
      const { realm, exports } = startMachine(newRealm(name))
      running = { realm }
      run(running, exports).catch((error: unknown) => realm.fail(error))
    },
    setAsleep: asleep => {
      if (running === undefined) return
      isAsleep = asleep
      running.realm.setFrozen(asleep)
    },
    isAwake: () => running?.started !== undefined && !isAsleep,
    isOnline: () => running?.started?.uplink?.isOnline() === true,
    link: token => running?.started?.uplink?.link({ token, name }),
    setRefusing: refuses => {
      isRefusing = refuses
    },
    isRefusing: () => isRefusing,
    setVersion: next => {
      version = next
    },
    reinstall: () => {
      disk = install()
    },
    copyDisk: from => {
      disk = from.disk()
    },
    disk: () => disk,
  }
  return home
}

/** The computers of somebody's home. They are switched on when somebody looks for them first. */
export function createHomes(parts: HomeParts): { readonly all: () => readonly Home[]; readonly wake: () => void } {
  let homes: readonly Home[] = []
  return {
    all: () => homes,
    wake: () => {
      if (homes.length > 0) return
      homes = Array.from({ length: COUNT }, (_, profile) =>
        createHome({ ...parts, name: `home-${profile + 1}`, port: FIRST_PORT + profile, profile }),
      )
      for (const home of homes) home.start()
    },
  }
}
