import type { Kysely, Migration } from 'kysely'
import { alertMigration } from './alert-migration.ts'
import { pushMigration } from './push-store.ts'
import { standingMigration } from './standing-store.ts'
import { unitSpeedMigration } from './unit-import.ts'

/** Never edit a released migration: add another one. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-history': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('machines')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('address', 'text', column => column.notNull())
        .addColumn('os', 'text', column => column.notNull())
        .addColumn('version', 'text', column => column.notNull())
        .addColumn('first_seen', 'integer', column => column.notNull())
        .addColumn('last_seen', 'integer', column => column.notNull())
        .execute()
      await db.schema
        .createTable('units')
        .addColumn('key', 'text', column => column.primaryKey())
        .addColumn('machine', 'text', column => column.notNull())
        .addColumn('unit', 'text', column => column.notNull())
        .addColumn('number', 'integer')
        .addColumn('group_name', 'text', column => column.notNull())
        .addColumn('resource', 'text', column => column.notNull())
        .addColumn('project', 'integer')
        .addColumn('run', 'integer')
        .addColumn('clone', 'integer')
        .addColumn('gen', 'integer')
        .addColumn('core', 'text')
        .addColumn('result', 'text', column => column.notNull())
        .addColumn('credit', 'real')
        .addColumn('ppd', 'real')
        .addColumn('run_time', 'real')
        .addColumn('assigned', 'integer')
        .addColumn('ended', 'integer', column => column.notNull())
        .execute()
      await db.schema.createIndex('units_ended').on('units').columns(['ended', 'key']).execute()
      await db.schema.createIndex('units_project').on('units').columns(['project', 'ended']).execute()
      await db.schema
        .createTable('samples')
        .addColumn('at', 'integer', column => column.notNull())
        .addColumn('span', 'integer', column => column.notNull())
        .addColumn('machine', 'text', column => column.notNull())
        .addColumn('group_name', 'text', column => column.notNull())
        .addColumn('project', 'integer', column => column.notNull())
        .addColumn('resource', 'text', column => column.notNull())
        .addColumn('ppd', 'real', column => column.notNull())
        .addPrimaryKeyConstraint('samples_key', ['span', 'at', 'machine', 'group_name', 'project', 'resource'])
        .execute()
      await db.schema
        .createTable('actions')
        .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
        .addColumn('at', 'integer', column => column.notNull())
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
        .addColumn('expires', 'integer', column => column.notNull())
        .execute()
    },
  },
  '002-schedules': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('schedules')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('position', 'integer', column => column.notNull())
        .addColumn('content', 'text', column => column.notNull())
        .execute()
      await db.schema
        .createTable('inputs')
        .addColumn('name', 'text', column => column.primaryKey())
        .addColumn('value', 'real', column => column.notNull())
        .addColumn('at', 'integer', column => column.notNull())
        .execute()
      await db.schema
        .createTable('schedule_states')
        .addColumn('key', 'text', column => column.primaryKey())
        .addColumn('content', 'text', column => column.notNull())
        .execute()
    },
  },
  '003-alerts': alertMigration,
  '004-push': pushMigration,
  '005-unit-speeds': unitSpeedMigration,
  '006-standings': standingMigration,
}
