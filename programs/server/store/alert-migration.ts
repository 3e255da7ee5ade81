import type { SharedMigration } from './columns.ts'

/** Incidents, what rules keep about clients, and the outbox of alerts. */
export const alertMigration: SharedMigration = async (db, { whole }) => {
  await db.schema
    .createTable('incidents')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('machine', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('gravity', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('since', whole, column => column.notNull())
    .addColumn('ended', whole)
    .addColumn('occurrence', 'text', column => column.notNull())
    .addColumn('value', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('incidents_key').on('incidents').columns(['key', 'ended']).execute()
  await db.schema.createIndex('incidents_since').on('incidents').columns(['since', 'id']).execute()
  await db.schema.createIndex('incidents_ended').on('incidents').column('ended').execute()
  await db.schema
    .createTable('memories')
    .addColumn('machine', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('rule', 'text', column => column.notNull())
    .addColumn('channel', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('due', whole, column => column.notNull())
    .addColumn('failures', whole, column => column.notNull())
    .addColumn('error', 'text')
    .addColumn('created', whole, column => column.notNull())
    .addColumn('settled', whole)
    .execute()
  await db.schema.createIndex('deliveries_lane').on('deliveries').columns(['rule', 'channel', 'due']).execute()
  await db.schema.createIndex('deliveries_created').on('deliveries').columns(['created', 'id']).execute()
  await db.schema
    .createTable('alerts')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('occurrence', 'text', column => column.notNull())
    .addColumn('incident', 'text', column => column.notNull())
    .addColumn('rule', 'text', column => column.notNull())
    .addColumn('channel', 'text', column => column.notNull())
    .addColumn('phase', 'text', column => column.notNull())
    .addColumn('at', whole, column => column.notNull())
    .addColumn('due', whole, column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('delivery', 'text')
    .addColumn('value', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('alerts_due').on('alerts').columns(['rule', 'channel', 'state', 'due']).execute()
  await db.schema.createIndex('alerts_occurrence').on('alerts').column('occurrence').execute()
  await db.schema.createIndex('alerts_delivery').on('alerts').column('delivery').execute()
}

/** When a delivery was last attempted. */
export const attemptMigration: SharedMigration = async (db, { whole }) => {
  await db.schema.alterTable('deliveries').addColumn('attempted', whole).execute()
}
