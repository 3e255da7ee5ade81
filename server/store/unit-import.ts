import type { SharedMigration } from './columns.ts'
import type { Write } from './database.ts'
import { partsOf, writeRows } from './rows.ts'
import type { UnitTable } from './schema.ts'

/** What speeds are computed from, besides what units had from the beginning. */
export const unitSpeedMigration: SharedMigration = async (db, { real }) => {
  await db.schema.alterTable('units').addColumn('tpf', real).execute()
  await db.schema.alterTable('units').addColumn('progress', real).execute()
}

export type UnitImport = {
  /** Stores units that are not known; those that are stay as they are. Resolves with the new ones. */
  readonly addMissing: (units: readonly UnitTable[]) => Promise<readonly UnitTable[]>
}

export const unitImportOf = (write: Write): UnitImport => ({
  addMissing: units =>
    write(async change => {
      const fresh = new Set<string>()
      for (const part of partsOf(units)) {
        const added = await writeRows(change, 'units', part, rows =>
          change
            .insertInto('units')
            .values([...rows])
            .onConflict(conflict => conflict.column('key').doNothing())
            .returning('key')
            .execute(),
        )
        for (const { key } of added) fresh.add(key)
      }
      return units.filter(({ key }) => fresh.has(key))
    }),
})
