import { afterAll, beforeAll, test } from 'vitest'
import { leanOnFullDisk, refusingPostgres, smallDisk } from '../../test/full-disk.ts'
import { startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { useService } from '../../test/server-service.ts'

const service = useService()
let postgres: TestPostgres | string = ''
beforeAll(async () => {
  postgres = await startPostgres()
}, 60_000)
afterAll(async () => {
  if (typeof postgres !== 'string') await postgres.stop()
})

test('a full disk below SQLite: nothing is done that is not stored, and nothing is lost', async ({ skip }) => {
  const disk = await smallDisk()
  if (disk === undefined) {
    skip('No file system can be mounted here.')
    return
  }
  service.stopLater({ stop: disk.remove })
  await leanOnFullDisk(service, disk)
})

test('a full disk below PostgreSQL: nothing is done that is not stored, and nothing is lost', async ({ skip }) => {
  if (typeof postgres === 'string') skip(postgres)
  else await leanOnFullDisk(service, await refusingPostgres(postgres))
})
