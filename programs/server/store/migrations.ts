import type { Migration } from 'kysely'
import { alertMigration, attemptMigration } from './alert-migration.ts'
import { COLUMN_TYPES, type DatabaseKind, type SharedMigration } from './columns.ts'
import { counterMigration, powerMigration } from './power-store.ts'
import { pushMigration } from './push-store.ts'
import { sharedMigration } from './shared-store.ts'
import { standingMigration } from './standing-store.ts'
import { boundedUnitsMigration, unitSpeedMigration } from './unit-import.ts'

/** Never edit a released migration: add another one. */
export const migrations: Readonly<Record<string, SharedMigration>> = {
  '001-history': async (db, { whole, real, counted }) => {
    await db.schema
      .createTable('machines')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('address', 'text', column => column.notNull())
      .addColumn('os', 'text', column => column.notNull())
      .addColumn('version', 'text', column => column.notNull())
      .addColumn('first_seen', whole, column => column.notNull())
      .addColumn('last_seen', whole, column => column.notNull())
      .execute()
    await db.schema
      .createTable('units')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('machine', 'text', column => column.notNull())
      .addColumn('unit', 'text', column => column.notNull())
      .addColumn('number', whole)
      .addColumn('group_name', 'text', column => column.notNull())
      .addColumn('resource', 'text', column => column.notNull())
      .addColumn('project', whole)
      .addColumn('run', whole)
      .addColumn('clone', whole)
      .addColumn('gen', whole)
      .addColumn('core', 'text')
      .addColumn('result', 'text', column => column.notNull())
      .addColumn('credit', real)
      .addColumn('ppd', real)
      .addColumn('run_time', real)
      .addColumn('assigned', whole)
      .addColumn('ended', whole, column => column.notNull())
      .execute()
    await db.schema.createIndex('units_ended').on('units').columns(['ended', 'key']).execute()
    await db.schema.createIndex('units_project').on('units').columns(['project', 'ended']).execute()
    await db.schema
      .createTable('samples')
      .addColumn('at', whole, column => column.notNull())
      .addColumn('span', whole, column => column.notNull())
      .addColumn('machine', 'text', column => column.notNull())
      .addColumn('group_name', 'text', column => column.notNull())
      .addColumn('project', whole, column => column.notNull())
      .addColumn('resource', 'text', column => column.notNull())
      .addColumn('ppd', real, column => column.notNull())
      .addPrimaryKeyConstraint('samples_key', ['span', 'at', 'machine', 'group_name', 'project', 'resource'])
      .execute()
    await db.schema
      .createTable('actions')
      .addColumn('id', whole, counted)
      .addColumn('at', whole, column => column.notNull())
      .addColumn('who', 'text', column => column.notNull())
      .addColumn('machine', 'text', column => column.notNull())
      .addColumn('command', 'text', column => column.notNull())
      .addColumn('reason', 'text', column => column.notNull())
      .addColumn('outcome', 'text')
      .execute()
    await db.schema
      .createTable('sessions')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('user', 'text', column => column.notNull())
      .addColumn('expires', whole, column => column.notNull())
      .execute()
  },
  '002-schedules': async (db, { whole, real }) => {
    await db.schema
      .createTable('schedules')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('position', whole, column => column.notNull())
      .addColumn('content', 'text', column => column.notNull())
      .execute()
    await db.schema
      .createTable('inputs')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('value', real, column => column.notNull())
      .addColumn('at', whole, column => column.notNull())
      .execute()
    await db.schema
      .createTable('schedule_states')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('content', 'text', column => column.notNull())
      .execute()
  },
  '003-alerts': alertMigration,
  '004-push': pushMigration,
  '005-unit-speeds': unitSpeedMigration,
  '006-standings': standingMigration,
  '007-leases-and-totals': async (db, { whole, real }) => {
    await db.schema
      .createTable('servers')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('url', 'text', column => column.notNull())
      .addColumn('settings', 'text', column => column.notNull())
      .addColumn('expires', whole, column => column.notNull())
      .execute()
    await db.schema
      .createTable('holdings')
      .addColumn('resource', 'text', column => column.primaryKey())
      .addColumn('server', 'text', column => column.notNull())
      .execute()
    await db.schema
      .createTable('account_machines')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('position', whole, column => column.notNull())
      .addColumn('listed', whole, column => column.notNull())
      .execute()
    await db.schema
      .createTable('totals')
      .addColumn('span', whole, column => column.notNull())
      .addColumn('dimension', 'text', column => column.notNull())
      .addColumn('at', whole, column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('ppd', real, column => column.notNull())
      .addPrimaryKeyConstraint('totals_key', ['span', 'dimension', 'at', 'name'])
      .execute()
    await db.schema
      .createTable('progress')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('at', whole, column => column.notNull())
      .execute()
    await db.schema.createIndex('samples_machine').on('samples').columns(['machine', 'span', 'at']).execute()
  },
  '008-shared': sharedMigration,
  '009-bounded-units': boundedUnitsMigration,
  '010-power': powerMigration,
  '011-counters': counterMigration,
  '012-attempts': attemptMigration,
  // Earlier sessions were made with nobody knows what: they end.
  '013-bound-sessions': async db => {
    await db.schema
      .alterTable('sessions')
      .addColumn('made_with', 'text', column => column.notNull().defaultTo(''))
      .execute()
  },
  '014-set-aside': async db => {
    await db.schema
      .createTable('set_aside')
      .addColumn('from_table', 'text', column => column.notNull())
      .addColumn('content', 'text', column => column.notNull())
      .execute()
  },
}

/** The migrations as Kysely runs them on a database. */
export function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migrate]) => [name, { up: db => migrate(db, COLUMN_TYPES[kind]) }]),
  )
}
