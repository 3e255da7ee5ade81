import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { planHoldings } from '../cluster/plan-holdings.ts'
import type { Holdings } from '../machines/lease/lease.events.ts'
import { partsOf } from './rows.ts'
import { connectionOptions, postgresDialect } from './postgres.ts'
import type { Tables } from './schema.ts'

/** A server that takes part. */
export type LeaseOptions = {
  /** Where other servers reach it; empty when it lets none in. */
  readonly url: string
  /** A hash of the clients of its settings. */
  readonly settings: string
  /** Clients of the settings, by their addresses. */
  readonly machines: readonly string[]
  /** How long a lease lasts that is not renewed, in milliseconds of the database's clock. */
  readonly duration: number
}

/**
 * Leases in a database of PostgreSQL. A server has one lease, and holds clients by it; when it is over, another server
 * deletes it and takes over. Every write of what a server holds locks the row of its lease (`openPostgres`), so that it is
 * complete before that, or refused after it. All times are of the database's clock.
 */
export type LeaseStore = {
  /**
   * A new lease of this id, with its share of what is free. `former`: an earlier lease of this process, which ends. Rejects
   * with `OtherServer` if it cannot take part.
   */
  readonly join: (id: string, former: string | undefined) => Promise<Holdings>
  /** Renews the lease, ends those of other servers that are over, and claims. Undefined: the lease is over. */
  readonly renew: (id: string) => Promise<Holdings | undefined>
  readonly release: (id: string, resources: readonly string[]) => Promise<void>
  /** Ends the lease, so that others take over at once. */
  readonly leave: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Another server uses the database, and one of both lets no others in. */
export class OtherServer extends Error {
  constructor() {
    super(
      'Another server uses this database. To run several, give all of them the same cluster.secret and a cluster.url.',
    )
  }
}

/** The channel of `NOTIFY`. Its messages carry ids only, and are hints: everything is asked for from time to time too. */
const CHANNEL = 'foldboard'
/** Of the lock that makes decisions of servers come one after another. */
const LOCK = 8_104_532

export function openLeaseStore(url: string, options: LeaseOptions): LeaseStore {
  // A connection of its own: renewals wait for no other statement of this server.
  const db = new Kysely<Tables>({ dialect: postgresDialect(url, 1) })
  const decide = <Result>(work: (change: Kysely<Tables>, now: number) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async change => {
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(change)
      const { rows } = await sql<{
        now: number
      }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`.execute(change)
      return work(change, rows[0]?.now ?? 0)
    })
  return {
    join: (id, former) =>
      decide(async (change, now) => {
        if (former !== undefined) await change.deleteFrom('servers').where('id', '=', former).execute()
        await endOthers(change, now)
        const others = await change.selectFrom('servers').select('url').execute()
        if (others.some(({ url: theirs }) => theirs === '' || options.url === '')) throw new OtherServer()
        await change
          .insertInto('servers')
          .values({ id, url: options.url, settings: options.settings, expires: now + options.duration })
          .execute()
        return hold(change, id, options)
      }),
    renew: id =>
      decide(async (change, now) => {
        await endOthers(change, now)
        const { numUpdatedRows } = await change
          .updateTable('servers')
          .set({ expires: now + options.duration })
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return numUpdatedRows === 0n ? undefined : hold(change, id, options)
      }),
    release: (id, resources) =>
      decide(async change => {
        for (const part of partsOf(resources))
          await change.deleteFrom('holdings').where('server', '=', id).where('resource', 'in', part).execute()
        await notify(change)
      }),
    leave: id =>
      decide(async change => {
        await change.deleteFrom('holdings').where('server', '=', id).execute()
        await change.deleteFrom('servers').where('id', '=', id).execute()
        await notify(change)
      }),
    close: () => db.destroy(),
  }
}

/** What other servers are told to look at again. */
export const TOPICS = ['holdings', 'schedules', 'incidents', 'units', 'account', 'shared', 'sessions'] as const
export type Topic = (typeof TOPICS)[number]

async function notify(db: Kysely<Tables>, topic: Topic = 'holdings'): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${topic})`.execute(db)
}

/** Hints for the other servers, and from them. */
export type Hints = { readonly notify: (topic: Topic) => void; readonly stop: () => Promise<void> }

/** Milliseconds until a lost connection is opened again. */
const REOPEN_MS = 2000

/** Listens on a connection of its own. When that is opened again, every topic is reported: hints may have been lost. */
export function openHints(url: string, onTopic: (topic: Topic) => void): Hints {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const open = (): void => {
    const opened = new pg.Client(connectionOptions(url))
    client = opened
    const fail = (): void => {
      if (client !== opened) return
      client = undefined
      opened.end().catch(() => undefined)
      if (!isStopped) timer = setTimeout(open, REOPEN_MS)
    }
    opened.on('error', fail)
    opened.on('end', fail)
    opened.on('notification', ({ payload }) => {
      const topic = TOPICS.find(name => name === payload)
      if (topic !== undefined) onTopic(topic)
    })
    opened
      .connect()
      .then(() => opened.query(`LISTEN ${CHANNEL}`))
      .then(() => TOPICS.forEach(onTopic))
      .catch(fail)
  }
  open()
  return {
    notify: topic => {
      client?.query('SELECT pg_notify($1, $2)', [CHANNEL, topic]).catch(() => undefined)
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}

async function endOthers(db: Kysely<Tables>, now: number): Promise<void> {
  await db.deleteFrom('servers').where('expires', '<=', now).execute()
  await db.deleteFrom('holdings').where('server', 'not in', db.selectFrom('servers').select('id')).execute()
}

async function hold(db: Kysely<Tables>, server: string, { machines: clients }: LeaseOptions): Promise<Holdings> {
  const servers = await db.selectFrom('servers').select(['id', 'url', 'settings']).orderBy('id').execute()
  const rows = await db.selectFrom('holdings').selectAll().orderBy('resource').execute()
  const holders = new Map(rows.map(({ resource, server: holder }) => [resource, holder]))
  const { claims, releases } = planHoldings({
    server,
    servers: servers.map(({ id }) => id),
    holders,
    machines: clients,
  })
  for (const part of partsOf(claims))
    await db
      .insertInto('holdings')
      .values(part.map(resource => ({ resource, server })))
      .execute()
  for (const resource of claims) holders.set(resource, server)
  if (claims.length > 0) await notify(db)
  return { server, servers, holders, releases }
}
