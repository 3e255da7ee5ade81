import { sql, type Kysely, type Selectable } from 'kysely'
import { idOfKey } from '../../../src/folding/client/client-key.ts'
import type { CreditAnswer } from '../../../src/folding/unit/credits.ts'
import type { SessionStore } from '../access/session-store.ts'
import { alertStoreOf, type AlertStore } from './alert-store.ts'
import type { Database } from './database.ts'
import { incidentStoreOf, type IncidentStore } from './incident-store.ts'
import { createPauses, pauseForMessages } from '../event-loop.ts'
import { partsOf, replaceReports, replaceRows, writeRows, type OnSetAside } from './rows.ts'
import { pointsStoreOf, type PointsStore } from './points-store.ts'
import { SAMPLE_KEY } from './samples.ts'
import { powerStoreOf, type PowerStore } from './power-store.ts'
import { pushStoreOf, type PushStore } from './push-store.ts'
import { scheduleStoreOf, type ScheduleStore } from './schedule-store.ts'
import { sharedStoreOf, type SharedStore } from './shared-store.ts'
import { standingStoreOf, type StandingStore } from './standing-store.ts'
import { unitImportOf, type UnitImport } from './unit-import.ts'
import type { ActionTable, MachineTable, SampleTable, Tables, UnitTable } from './schema.ts'

export type EndedUnit = UnitTable
export type Sample = SampleTable
export type SeenClient = Omit<MachineTable, 'first_seen' | 'last_seen'>
export type Action = Omit<ActionTable, 'id' | 'outcome'>

export type AccountClientEntry = { readonly id: string; readonly name: string }
export type AccountClient = AccountClientEntry & { readonly isListed: boolean }

export type UnitFilter = {
  /** Epoch milliseconds: ended at or after, and before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly machine?: string | undefined
  readonly project?: number | undefined
}

/** `next` of a page: when its last unit ended, and the unit's key. */
export const UNIT_POSITION = /^(\d{1,16}) (.+)$/s

export type UnitPage = { readonly units: readonly UnitTable[]; readonly next: string | undefined }

/** What the server keeps. Every call is one transaction, and `sumUp` and `rollUp` are several: what has been resolved survives the end of the process. */
export type ServerStore = PointsStore & {
  readonly saw: (clients: readonly SeenClient[], now: number) => Promise<void>
  /** Units that are known already are replaced: the newest report wins. Resolves with those that are new. */
  readonly addUnits: (units: readonly EndedUnit[]) => Promise<readonly EndedUnit[]>
  readonly addSamples: (samples: readonly Sample[]) => Promise<void>
  /** `outcome`: of one that is over already. */
  readonly addAction: (action: Action, outcome?: string) => Promise<number>
  readonly settleAction: (id: number, outcome: string) => Promise<void>
  readonly machines: () => Promise<readonly MachineTable[]>
  /** Newest first, `limit` at a time, from `after` on, which is `next` of the page before. */
  readonly units: (filter: UnitFilter, limit: number, after?: string) => Promise<UnitPage>
  /** Keeps what the API logged for a unit; a later answer without points keeps those that are known. */
  readonly keepCredit: (answer: CreditAnswer) => Promise<void>
  readonly unitTotals: () => Promise<readonly { machine: string; result: string; units: number; credit: number }[]>
  readonly actions: (limit: number) => Promise<readonly Selectable<ActionTable>[]>
  readonly sessions: SessionStore
  readonly incidents: IncidentStore
  readonly alerts: AlertStore
  /** Units that were credited, the newest `limit`, oldest first: to compare speeds with. */
  readonly lastUnits: (limit: number) => Promise<readonly EndedUnit[]>
  readonly schedules: ScheduleStore
  /** All clients that the account ever listed, in the order in which they were first seen. */
  readonly accountClients: () => Promise<readonly AccountClient[]>
  /** Resolves with all of them. */
  readonly listAccountClients: (listed: readonly AccountClientEntry[]) => Promise<readonly AccountClient[]>
  readonly push: PushStore
  readonly power: PowerStore
  readonly imports: UnitImport
  readonly standings: StandingStore
  readonly shared: SharedStore
  /** Has `listener` told of rows that the database refuses for what is in them: the others are written. */
  readonly onSetAside: (listener: OnSetAside) => void
  /** Rejects when the database does not answer, or when the last write failed. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What the server keeps, in an open database of either kind. */
export function storeOf({ db, write, onSetAside, check, close }: Database): ServerStore {
  return {
    saw: async (clients, now) => {
      if (clients.length === 0) return
      await write(async change => {
        // PostgreSQL refuses a statement that writes a row twice.
        const newest = [...new Map(clients.map(client => [client.id, client])).values()]
        const pause = createPauses()
        for (const part of partsOf(newest)) {
          await pause()
          await writeRows(change, 'machines', part, rows =>
            change
              .insertInto('machines')
              .values(rows.map(client => ({ ...client, first_seen: now, last_seen: now })))
              .onConflict(conflict =>
                conflict.column('id').doUpdateSet(eb => ({
                  name: eb.ref('excluded.name'),
                  address: eb.ref('excluded.address'),
                  os: eb.ref('excluded.os'),
                  version: eb.ref('excluded.version'),
                  last_seen: eb.ref('excluded.last_seen'),
                })),
              )
              .execute(),
          )
        }
      })
    },

    addUnits: async units => {
      if (units.length === 0) return []
      return write(async change => {
        const fresh: EndedUnit[] = []
        const pause = createPauses()
        for (const part of partsOf(units)) {
          await pause()
          const existing = await change
            .selectFrom('units')
            .select('key')
            .where(
              'key',
              'in',
              part.map(({ key }) => key),
            )
            .execute()
          const moved = await withoutSharedId(change, part)
          const keys = new Set([...existing.map(({ key }) => key), ...moved])
          const written = await replaceReports(change, 'units', ['key'], part)
          fresh.push(...written.filter(({ key }) => !keys.has(key)))
        }
        return fresh
      })
    },

    addSamples: async samples => {
      if (samples.length === 0) return
      await write(async change => {
        const pause = createPauses()
        for (const part of partsOf(samples)) {
          await pause()
          await replaceReports(change, 'samples', SAMPLE_KEY, part)
        }
      })
    },

    addAction: async (action, outcome) => {
      const { id } = await write(change =>
        change
          .insertInto('actions')
          .values({ ...action, outcome: outcome ?? null })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      return id
    },
    settleAction: async (id, outcome) => {
      await write(change => change.updateTable('actions').set({ outcome }).where('id', '=', id).execute())
    },

    machines: () => db.selectFrom('machines').selectAll().orderBy('name').orderBy('id').execute(),

    units: (filter, limit, after) => unitPage(db, filter, limit, after),

    keepCredit: async ({ key, at, points }) => {
      const credit = points === undefined ? {} : { logged_credit: points }
      await write(change =>
        change
          .updateTable('units')
          .set({ credit_asked: at, ...credit })
          .where('key', '=', key)
          .execute(),
      )
    },

    unitTotals: () =>
      db
        .selectFrom('units')
        .select(({ fn }) => [
          'machine',
          'result',
          fn.countAll<number>().as('units'),
          fn.coalesce(fn.sum<number>('credit'), sql<number>`0`).as('credit'),
        ])
        .groupBy(['machine', 'result'])
        .execute(),

    actions: limit => db.selectFrom('actions').selectAll().orderBy('id', 'desc').limit(limit).execute(),

    incidents: incidentStoreOf(db, write),
    alerts: alertStoreOf(db, write),
    lastUnits: limit => newestUnits(db, limit),

    sessions: {
      find: async (hash, now) =>
        db.selectFrom('sessions').selectAll().where('hash', '=', hash).where('expires', '>', now).executeTakeFirst(),
      add: async (session, now) => {
        await db.deleteFrom('sessions').where('expires', '<=', now).execute()
        await db.insertInto('sessions').values(session).execute()
      },
      remove: async hash => {
        await db.deleteFrom('sessions').where('hash', '=', hash).execute()
      },
    },

    ...pointsStoreOf(db, write),
    schedules: scheduleStoreOf(db, write),
    push: pushStoreOf(db),
    power: powerStoreOf(db, write),
    imports: unitImportOf(write),
    standings: standingStoreOf(db, write),
    shared: sharedStoreOf(db, write),

    accountClients: () => accountClientsOf(db),
    listAccountClients: listed =>
      write(async change => {
        const existing = await accountClientsOf(change)
        const ids = new Set(existing.map(({ id }) => id))
        const fresh = listed.filter(({ id }) => !ids.has(id))
        const names = new Map(listed.map(({ id, name }) => [id, name]))
        const rows = [...existing, ...fresh].map(({ id, name }, position) => ({
          id,
          name: names.get(id) ?? name,
          position,
          listed: names.has(id) ? 1 : 0,
        }))
        for (const part of partsOf(rows)) await replaceRows(change, 'account_machines', ['id'], part)
        return rows.map(({ id, name, listed: isListed }) => ({ id, name, isListed: isListed === 1 }))
      }),

    check,
    onSetAside,
    close,
  }
}

type Position = Pick<UnitTable, 'ended' | 'key'>

/** The newest first, from `after` on. */
function unitRows(
  db: Kysely<Tables>,
  { from, to, machine: client, project }: UnitFilter,
  limit: number,
  after?: Position,
): Promise<UnitTable[]> {
  let query = db.selectFrom('units').selectAll().orderBy('ended', 'desc').orderBy('key', 'desc').limit(limit)
  if (from !== undefined) query = query.where('ended', '>=', from)
  if (to !== undefined) query = query.where('ended', '<', to)
  if (client !== undefined) query = query.where('machine', '=', client)
  if (project !== undefined) query = query.where('project', '=', project)
  if (after !== undefined) query = query.where(sql<boolean>`(ended, key) < (${after.ended}, ${after.key})`)
  return query.execute()
}

/** `position`: `next` of the page before. */
async function unitPage(
  db: Kysely<Tables>,
  filter: UnitFilter,
  limit: number,
  position: string | undefined,
): Promise<UnitPage> {
  const [, ended, key] = position === undefined ? [] : (UNIT_POSITION.exec(position) ?? [])
  const after = ended === undefined || key === undefined ? undefined : { ended: Number(ended), key }
  // The first page in its place would be read again and again.
  if (position !== undefined && after === undefined) throw new Error('No page of units ends there.')
  const rows = await unitRows(db, filter, limit + 1, after)
  const units = rows.slice(0, limit)
  const last = units.at(-1)
  return { units, next: rows.length > limit && last !== undefined ? `${last.ended} ${last.key}` : undefined }
}

/** Units that are read at once. */
const UNITS_AT_ONCE = 2000

/** The newest, oldest first. Messages are handled meanwhile. */
async function newestUnits(db: Kysely<Tables>, limit: number): Promise<readonly EndedUnit[]> {
  const units: UnitTable[] = []
  for (;;) {
    const most = Math.min(UNITS_AT_ONCE, limit - units.length)
    const rows = await unitRows(db, {}, most, units.at(-1))
    units.push(...rows)
    if (rows.length < most || units.length >= limit) return units.reverse()
    await pauseForMessages()
  }
}

/**
 * Removes units that were stored under the id of several computers before these were told apart. Resolves with the keys
 * under which they are stored now.
 */
async function withoutSharedId(db: Kysely<Tables>, units: readonly EndedUnit[]): Promise<readonly string[]> {
  const keys = new Map(
    units.flatMap(({ key, machine: client }) => {
      const id = idOfKey(client)
      return id === client ? [] : [[`${id}${key.slice(client.length)}`, key] as const]
    }),
  )
  if (keys.size === 0) return []
  const removed = await db
    .deleteFrom('units')
    .where('key', 'in', [...keys.keys()])
    .returning('key')
    .execute()
  return removed.flatMap(({ key }) => keys.get(key) ?? [])
}

async function accountClientsOf(db: Kysely<Tables>): Promise<readonly AccountClient[]> {
  const rows = await db.selectFrom('account_machines').selectAll().orderBy('position').execute()
  return rows.map(({ id, name, listed }) => ({ id, name, isListed: listed === 1 }))
}
