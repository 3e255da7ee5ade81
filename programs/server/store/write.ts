import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Runs `work` in one transaction. Writes of one process come one after another. */
export type Write = <Result>(work: (change: Kysely<Tables>) => Promise<Result>) => Promise<Result>
