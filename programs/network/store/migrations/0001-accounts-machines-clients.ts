import type { Kysely, Migration } from 'kysely'

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('password_hash', 'text', column => column.notNull())
    .addColumn('pubkey', 'text', column => column.notNull())
    .addColumn('key_id', 'text', column => column.notNull().unique())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('token', 'text', column => column.notNull().unique())
    .addColumn('node', 'text', column => column.notNull())
    .addColumn('user', 'text', column => column.notNull())
    .addColumn('team', 'integer', column => column.notNull())
    .addColumn('passkey', 'text', column => column.notNull())
    .addColumn('cause', 'text', column => column.notNull())
    .addColumn('avatar', 'text', column => column.notNull())
    .addColumn('config', 'text', column => column.notNull())
    .addColumn('created', 'text', column => column.notNull())
    .addColumn('verified', 'text')
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('created', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('machines')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('pubkey', 'text', column => column.notNull())
    .addColumn('linked', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('machines_of_account').on('machines').column('account').execute()
  await db.schema
    .createTable('teams')
    .addColumn('team', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('founder', 'integer', column => column.references('accounts.id').onDelete('set null'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('logo', 'text', column => column.notNull())
    .addColumn('wus', 'integer', column => column.notNull())
    .addColumn('score', 'integer', column => column.notNull())
    .execute()
}

async function createCatalog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('causes')
    .addColumn('position', 'integer', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull().unique())
    .execute()
  await db.schema
    .createTable('projects')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('manager', 'text', column => column.notNull())
    .addColumn('institution', 'text', column => column.notNull())
    .addColumn('cause', 'text', column => column.notNull())
    .addColumn('thumb', 'text', column => column.notNull())
    .addColumn('description', 'text', column => column.notNull())
    .addColumn('mthumb', 'text', column => column.notNull())
    .addColumn('mdescription', 'text', column => column.notNull())
    .execute()
}

async function createPeers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('broadcasts')
    .addColumn('account_key', 'text', column => column.notNull())
    .addColumn('cmd', 'text', column => column.notNull())
    .addColumn('time', 'integer', column => column.notNull())
    .addColumn('message', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('broadcasts_key', ['account_key', 'cmd'])
    .execute()
  await db.schema
    .createTable('simulated_clients')
    .addColumn('seat', 'integer', column => column.primaryKey())
    .addColumn('machine_id', 'text', column => column.notNull().unique())
    .addColumn('private_key', 'text', column => column.notNull())
    .addColumn('public_key', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('token', 'text', column => column.notNull())
    .addColumn('state', 'text')
    .addColumn('saved', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute()
}

export const accountsMachinesClients: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createAccounts(db)
    await createCatalog(db)
    await createPeers(db)
  },
}
