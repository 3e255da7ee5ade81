import type { Kysely, Migration } from 'kysely'

async function createLetters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tickets')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('expires', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('mails')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('recipient', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('link', 'text', column => column.notNull())
    .addColumn('sent', 'text', column => column.notNull())
    .execute()
}

async function createProviderLogins(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('provider_logins')
    .addColumn('session', 'text', column => column.primaryKey())
    .addColumn('state', 'text', column => column.notNull().unique())
    .addColumn('provider', 'text', column => column.notNull())
    .addColumn('redirect_uri', 'text', column => column.notNull())
    .addColumn('code', 'text')
    .addColumn('email', 'text')
    .addColumn('name', 'text')
    .addColumn('completed', 'text')
    .addColumn('profile', 'text', column => column.notNull())
    .addColumn('created', 'text', column => column.notNull())
    .execute()
}

async function createCredits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('donors')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', column => column.notNull().unique())
    .execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('donor', 'integer', column => column.notNull().references('donors.id').onDelete('cascade'))
    .addColumn('hash', 'text', column => column.notNull())
    .addUniqueConstraint('passkeys_of_donor', ['donor', 'hash'])
    .execute()
  await db.schema
    .createTable('credits')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('machine', 'text', column => column.notNull())
    .addColumn('unit', 'text', column => column.notNull())
    .addColumn('donor', 'integer', column => column.notNull().references('donors.id').onDelete('cascade'))
    .addColumn('team', 'integer', column => column.notNull())
    .addColumn('project', 'integer', column => column.notNull())
    .addColumn('run', 'integer', column => column.notNull())
    .addColumn('clone', 'integer', column => column.notNull())
    .addColumn('gen', 'integer', column => column.notNull())
    .addColumn('code', 'text', column => column.notNull())
    .addColumn('credit', 'integer', column => column.notNull())
    .addColumn('assign_time', 'text', column => column.notNull())
    .addColumn('credit_time', 'text', column => column.notNull())
    .addUniqueConstraint('credits_once', ['machine', 'unit'])
    .execute()
  await db.schema.createIndex('credits_of_unit').on('credits').columns(['project', 'run', 'clone', 'gen']).execute()
  await db.schema.createIndex('credits_of_donor').on('credits').columns(['donor', 'credit_time']).execute()
  await db.schema.createIndex('credits_of_team').on('credits').columns(['team', 'credit_time']).execute()
}

export const mailCreditsProviders: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createLetters(db)
    await createProviderLogins(db)
    await createCredits(db)
  },
}
