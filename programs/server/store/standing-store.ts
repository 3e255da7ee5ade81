import type { Kysely } from 'kysely'
import type { Write } from './write.ts'
import type { StandingTable, Tables } from './schema.ts'

/** Points and work units of a donor or a team at a time. `at`: epoch milliseconds. */
export type Standing = Readonly<StandingTable>

export type StandingFilter = {
  readonly kind?: 'donor' | 'team' | undefined
  readonly name?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Points of donors and teams over time. Every call is one transaction. */
export type StandingStore = {
  readonly add: (standings: readonly Standing[]) => Promise<void>
  /** In order of time; the newest `limit`. */
  readonly list: (filter: StandingFilter, limit: number) => Promise<readonly Standing[]>
}

export function standingStoreOf(db: Kysely<Tables>, write: Write): StandingStore {
  return {
    add: async standings => {
      if (standings.length === 0) return
      await write(change =>
        change
          .insertInto('standings')
          .values([...standings])
          .onConflict(conflict => conflict.columns(['kind', 'name', 'at']).doNothing())
          .execute(),
      )
    },
    list: async ({ kind, name, from, to }, limit) => {
      let query = db
        .selectFrom('standings')
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('kind')
        .orderBy('name')
        .limit(limit)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (name !== undefined) query = query.where('name', '=', name)
      if (from !== undefined) query = query.where('at', '>=', from)
      if (to !== undefined) query = query.where('at', '<', to)
      return (await query.execute()).reverse()
    },
  }
}
