import { sql } from 'kysely'
import { boundedId, boundedKey, LONGEST_KEY, LONGEST_NAME } from '../../../src/folding/text/vocabulary.ts'
import type { SharedMigration } from './columns.ts'
import type { Write } from './write.ts'
import { createPauses } from '../event-loop.ts'
import { partsOf, writeRows } from './rows.ts'
import type { UnitTable } from './schema.ts'

const BOUNDED = ['unit', 'group_name', 'resource', 'core', 'result'] as const

/** Earlier versions stored units under keys of any length. */
export const boundedUnitsMigration: SharedMigration = async db => {
  const texts = sql.join(
    [...BOUNDED, 'machine'].map(name => sql`length(${sql.ref(name)}) > ${sql.lit(LONGEST_NAME + MARK_LENGTH)}`),
    sql` OR `,
  )
  const { rows } = await sql<Record<'key' | 'machine' | (typeof BOUNDED)[number], string | null>>`
    SELECT key, machine, ${sql.join(BOUNDED.map(name => sql.ref(name)))} FROM units
    WHERE length(key) > ${sql.lit(LONGEST_KEY)} OR ${texts}`.execute(db)
  for (const { key, machine: client, ...row } of rows) {
    const id = key?.slice((client ?? '').length + 1) ?? ''
    const owner = (client ?? '').length > LONGEST_NAME + MARK_LENGTH ? boundedId(client ?? '') : client
    const values = BOUNDED.map(name => sql`${sql.ref(name)} = ${row[name] === null ? null : boundedKey(row[name])}`)
    const bounded = `${owner} ${boundedId(id)}`
    await sql`DELETE FROM units WHERE key = ${bounded} AND key <> ${key}`.execute(db)
    await sql`UPDATE units SET key = ${bounded}, machine = ${owner}, ${sql.join(values)} WHERE key = ${key}`.execute(db)
  }
}

/** What tells clones apart follows the id of a client. */
const MARK_LENGTH = 10

export type UnitImport = {
  /** Stores units that are not known; those that are stay as they are. Resolves with the new ones. */
  readonly addMissing: (units: readonly UnitTable[]) => Promise<readonly UnitTable[]>
}

export function unitImportOf(write: Write): UnitImport {
  return {
    addMissing: units =>
      write(async change => {
        const fresh = new Set<string>()
        const pause = createPauses()
        for (const part of partsOf(units)) {
          await pause()
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
  }
}
