import { test } from 'vitest'
import { leanOnFullDisk, refusingSqlite } from '../../test/full-disk.ts'
import { useService } from '../../test/server-service.ts'

const service = useService()

test('a database that takes no writes: nothing is done that is not stored, and nothing is lost', async () => {
  await leanOnFullDisk(service, await refusingSqlite())
})
