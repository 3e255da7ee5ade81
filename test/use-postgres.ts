import { afterAll, beforeAll } from 'vitest'
import { startPostgres, type TestPostgres } from './postgres.ts'

/** PostgreSQL for the tests of a file, which are skipped where there is none. */
export function usePostgres(isNeeded = true): (skip: (reason: string) => void) => TestPostgres {
  let postgres: TestPostgres | string = ''
  beforeAll(async () => {
    if (isNeeded) postgres = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    if (typeof postgres !== 'string') await postgres.stop()
  }, 60_000)
  return skip => {
    if (typeof postgres !== 'string') return postgres
    skip(postgres)
    throw new Error(postgres)
  }
}
