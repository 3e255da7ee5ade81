import { PostgresDialect, type Kysely } from 'kysely'
import pg from 'pg'
import { databaseOf, LeaseLost, migrate, type Database } from './database.ts'
import type { Tables } from './schema.ts'

/** Connections of one server. */
const MOST_CONNECTIONS = 5
const CONNECT_MS = 5000
const STATEMENT_MS = 60_000
/**
 * A server that stands still in the middle of a transaction keeps its locks until the database ends it. Others wait for
 * them when they take over.
 */
const IDLE_TRANSACTION_MS = 5000

/** Types that the driver would give as text: whole numbers of 64 bits, and sums of them. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown => (NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format)),
}

/** PostgreSQL stores no NUL characters, which clients may report. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}

class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // One that breaks while it is used fails its statements. Without a listener it would end the process.
    this.on('error', () => undefined)
  }

  override query = ((text: string, values?: unknown, ...rest: readonly unknown[]): unknown => {
    const clean: unknown = Array.isArray(values) ? values.map(withoutNul) : values
    return Reflect.apply(Reflect.get(pg.Client.prototype, 'query') as CallableFunction, this, [text, clean, ...rest])
  }) as pg.Client['query']
}

/** Options of each connection to a database. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    application_name: 'foldboard',
  }
}

/** The dialect of Kysely, on a pool of its own. */
export function postgresDialect(url: string, connections: number): PostgresDialect {
  const pool = new pg.Pool({ ...connectionOptions(url), max: connections, Client: Connection })
  // Connections that break while they are idle: the next statement opens another one.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}

/** The address of a database without its password. */
export function shownUrl(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

/**
 * Opens and migrates a database of PostgreSQL. `lease`: the current lease of this server (`LeaseStore`), which every write
 * needs; undefined while there is none. Without the function, writes need no lease. Throws a StartError.
 */
export async function openPostgres(url: string, lease?: () => string | undefined): Promise<Database> {
  const mayWrite = async (change: Kysely<Tables>): Promise<void> => {
    if (lease === undefined) return
    const id = lease()
    // The lock waits only for a server that takes over, and makes that one wait for the end of this write.
    const held =
      id === undefined
        ? undefined
        : await change.selectFrom('servers').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
    if (held === undefined) throw new LeaseLost()
  }
  const database = databaseOf('postgres', postgresDialect(url, MOST_CONNECTIONS), mayWrite)
  await migrate(database.db, 'postgres', shownUrl(url))
  return database
}
