import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** The databases that the server can use. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** What columns of the same meaning are called in each database. */
export type ColumnTypes = {
  /** Whole numbers up to 2^53, such as epoch milliseconds. */
  readonly whole: 'integer' | 'bigint'
  /** IEEE 754 doubles. */
  readonly real: 'real' | 'double precision'
  /** A primary key that the database counts up. */
  readonly counted: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
}

export const COLUMN_TYPES: Readonly<Record<DatabaseKind, ColumnTypes>> = {
  sqlite: { whole: 'integer', real: 'real', counted: column => column.primaryKey().autoIncrement() },
  postgres: {
    whole: 'bigint',
    real: 'double precision',
    counted: column => column.primaryKey().generatedByDefaultAsIdentity(),
  },
}

/** A migration, written once for all databases. */
export type SharedMigration = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>
