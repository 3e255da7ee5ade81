import type { Kysely, Migration } from 'kysely'

export const slots: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('simulated_clients').renameColumn('seat', 'slot').execute()
  },
}
