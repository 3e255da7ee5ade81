import { createEdge, noTrap, type Trap } from './database/edge.ts'
import { createPg } from './database/postgres-client.ts'
import { createPostgres, type Postgres } from './database/postgres.ts'
import { createLibsql, moveDatabase, type Databases } from './database/sqlite.ts'
import { createServerBooks, type ServerBooks } from './invariants/server-books.ts'
import { PORTS, serverSecrets, settingsOf } from './server-settings.ts'
import type { Answer, Internet } from './internet/internet.ts'
import { createFileSystem } from './realms/file-system.ts'
import { startProcess } from './realms/node-process.ts'
import type { Program } from './realms/programs.ts'
import { createRealm, type Realm, type RealmOptions } from './realms/realm.ts'
import type { ServerProgram } from './programs/server.ts'
import { SECOND } from './time/durations.ts'
import type { Scheduler } from './time/scheduler.ts'

/** One computer with a server, which is started again when it has ended. */
export type ServerProcess = {
  /** From 1. */
  readonly number: number
  readonly trap: Trap
  /** Milliseconds by which the clock of its computer is ahead. */
  ahead: number
  /** Whether it is started again. */
  isKept: boolean
  /** Since when the process has been listening; undefined while there is none. */
  readonly readySince: () => number | undefined
  readonly kill: (why: string) => void
  /** Starts it, if it does not run. */
  readonly start: () => void
  /** Asks it to stop, as a signal does. */
  readonly stop: () => void
}

/** A line of a server's log that is no information. */
export type Complaint = { readonly at: number; readonly server: number; readonly text: string }

/** What somebody was told of an incident, by one message. */
export type Told = {
  readonly at: number
  readonly id: string
  readonly state: string
  readonly machine: string
  readonly kind: string
  readonly since: string
  readonly cause: string
}

export type ApiAnswer = { readonly status: number; readonly json: unknown }

export type Servers = {
  readonly processes: readonly ServerProcess[]
  readonly books: ServerBooks
  /** The database of several servers. */
  readonly postgres: Postgres | undefined
  /** Ends the process of the database, and starts it again after a while. */
  readonly restartDatabase: (ms: number) => void
  /** Reads what is stored, without the servers. */
  readonly rows: (sql: string) => readonly Readonly<Record<string, unknown>>[]
  readonly complaints: readonly Complaint[]
  readonly sentAlerts: readonly Told[]
  /** Where a secret of a server was written. */
  readonly leakedSecrets: readonly string[]
  /** Calls the API of a server from its own computer. Rejects when it does not answer. */
  readonly call: (
    server: number,
    method: 'GET' | 'POST',
    path: string,
    /** A text is that of a form. */
    body?: object | string,
    token?: string,
  ) => Promise<ApiAnswer>
}

type ServersParts = {
  readonly count: number
  /** The ids of the machines that the servers have in their settings, by their ports. */
  readonly machines: readonly number[]
  readonly scheduler: Scheduler
  readonly internet: Internet
  readonly newRealm: (name: string, ahead: () => number) => RealmOptions
  readonly program: Program
  readonly crypto: Crypto
  readonly modules: Readonly<Record<string, unknown>>
  readonly note: (who: string, what: string) => void
}

type Running = { readonly realm: Realm; stop?: () => Promise<void>; since?: number }

/** Milliseconds until systemd starts a process again. */
const RESTART = 30 * SECOND

function notThere(what: string) {
  return () => {
    throw new Error(`${what} is not simulated.`)
  }
}

/** Modules by which servers reach what the world has no twin of, or which ask the computer. */
const absent = {
  mqtt: { connect: notThere('mqtt') },
  nodemailer: { createTransport: notThere('nodemailer') },
  'web-push': {},
  '@node-rs/argon2': {},
  cluster: { isPrimary: true, isWorker: false, on: () => undefined },
  perf_hooks: {
    constants: {},
    PerformanceObserver: class {
      observe = (): void => undefined
    },
    monitorEventLoopDelay: () => ({ enable: () => true, reset: () => undefined, percentile: () => 0 }),
  },
  v8: { getHeapSpaceStatistics: () => [] },
  'node:tls': {
    TLSSocket: class {
      readonly encrypted = true
    },
  },
}

/** Receives alerts by a webhook, and keeps what it was told. */
function listenToAlerts(realm: Realm, internet: Internet, sentAlerts: Told[]): void {
  return void internet.listen(PORTS.alerts, {
    realm,
    answer: ({ body }): Promise<Answer> => {
      const { id, incidents } = JSON.parse(body?.toString() ?? '') as {
        id: string
        incidents: Omit<Told, 'id' | 'at'>[]
      }
      for (const { machine, kind, state, since, cause } of incidents)
        sentAlerts.push({ at: realm.now(), id, machine, kind, state, since, cause })
      return Promise.resolve({ status: 204, headers: [], body: Buffer.alloc(0) })
    },
    upgrade: (_, end) => end.destroy(),
  })
}

export function createServers(parts: ServersParts): Servers {
  const { count, scheduler, internet, newRealm, note } = parts
  const complaints: Complaint[] = []
  const sentAlerts: Told[] = []
  const leakedSecrets: string[] = []
  const search = (where: string, text: string): void => {
    const secret = serverSecrets.find(each => text.includes(each))
    if (secret !== undefined) leakedSecrets.push(`${where}: ${text.slice(0, 200)}`)
  }
  const outside = createRealm(newRealm('surroundings', () => 0))
  listenToAlerts(outside, internet, sentAlerts)

  const postgres = count > 1 ? createPostgres(scheduler.now) : undefined
  let databaseRealm: Realm | undefined
  const startDatabase = (): void => {
    databaseRealm = createRealm(newRealm('database', () => 0))
    postgres?.listen(databaseRealm, internet, PORTS.database)
  }
  startDatabase()
  const databases: Databases = new Map()

  const startServer = (number: number): ServerProcess => {
    const name = `server ${number}`
    const disk = createFileSystem((from, to) => moveDatabase(databases, from, to))
    const settings = settingsOf(number, count, parts.machines)
    const trap = noTrap()
    let current: Running | undefined

    const ended = (why: string): void => {
      if (current === undefined) return
      const { realm } = current
      current = undefined
      realm.end()
      note(name, `ended: ${why}`)
      if (self.isKept) outside.after(RESTART, `${name} is started again`, begin)
    }
    const begin = (): void => {
      if (current !== undefined || !self.isKept) return
      const edge = createEdge(trap, ended, (sql, parameters) => {
        if (!/^\s*select/i.test(sql)) search(`the database of ${name}`, JSON.stringify(parameters))
      })
      const { realm, exports } = startProcess({
        realm: newRealm(name, () => self.ahead),
        internet,
        program: parts.program,
        crypto: parts.crypto,
        modules: parts.modules,
        print: line => note(name, line),
        simulated: serverRealm => ({
          ...absent,
          process: { env: {}, platform: 'linux', uptime: () => 0 },
          'node:fs': disk.moduleOf(serverRealm, edge.killIfDue),
          libsql: createLibsql(serverRealm, databases, edge, path => disk.grow(path)),
          pg: createPg(serverRealm, internet),
        }),
      })
      const started: Running = { realm }
      current = started
      const { start } = exports as ServerProgram
      start({
        settings,
        log: (level, text) => {
          if (!realm.isAlive()) return
          note(name, `${level} ${text}`)
          search(`the log of ${name}`, text)
          if (level !== 'info') complaints.push({ at: scheduler.now(), server: number, text: `${level} ${text}` })
        },
      }).then(
        ({ stop }) => {
          started.stop = stop
          started.since = scheduler.now()
        },
        (error: unknown) => {
          if (!realm.isAlive()) return
          const text = error instanceof Error ? error.message : String(error)
          complaints.push({ at: scheduler.now(), server: number, text: `could not start: ${text}` })
          ended(`could not start: ${text}`)
        },
      )
    }
    const self: ServerProcess = {
      number,
      trap,
      ahead: 0,
      isKept: true,
      readySince: () => current?.since,
      kill: ended,
      start: begin,
      stop: () => {
        const stopping = current
        stopping?.stop?.().then(
          () => stopping.realm.isAlive() && ended('stopped'),
          (error: unknown) => stopping.realm.isAlive() && ended(`did not stop cleanly: ${String(error)}`),
        )
      },
    }
    outside.after(number * SECOND, `${name} is started`, begin)
    return self
  }

  const processes = Array.from({ length: count }, (_, index) => startServer(index + 1))
  return {
    processes,
    books: createServerBooks(scheduler.now),
    postgres,
    restartDatabase: ms => {
      databaseRealm?.end()
      outside.after(ms, 'database is started again', startDatabase)
    },
    rows: sql => {
      const database = postgres?.database ?? [...databases.values()][0]
      // Before the first server has made its tables.
      const isMade = database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'actions'").get() !== undefined
      return database === undefined || !isMade ? [] : (database.prepare(sql).all() as Record<string, unknown>[])
    },
    complaints,
    sentAlerts,
    leakedSecrets,
    call: async (server, method, path, body, token) => {
      const address = new URL(`http://127.0.0.1:${PORTS.server + server}${path}`)
      const { status, body: text } = await internet.call(outside, address, {
        method,
        path: address.pathname + address.search,
        headers: {
          host: address.host,
          origin: address.origin,
          'content-type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      })
      const read = text.toString()
      search(`an answer of server ${server}`, read)
      try {
        return { status, json: JSON.parse(read) as unknown }
      } catch {
        return { status, json: undefined }
      }
    },
  }
}
