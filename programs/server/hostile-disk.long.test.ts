import { test } from 'vitest'
import { leanOnFullDisk, refusingPostgres, refusingSqlite, smallDisk } from '../../test/full-disk.ts'
import { usePostgres } from '../../test/use-postgres.ts'
import { useService } from '../../test/server-service.ts'

const service = useService()
const needPostgres = usePostgres()

test('SQLite that takes no writes: nothing is done that is not stored, and nothing is lost', async () => {
  await leanOnFullDisk(service, await refusingSqlite())
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
  await leanOnFullDisk(service, await refusingPostgres(needPostgres(skip)))
})
