import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { libsqlDriver, openAlone } from './libsql.ts'

const MB = 1_048_576

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-libsql-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'test.db')
  const driver = libsqlDriver(path, openAlone)
  const run = (sql: string, ...parameters: unknown[]) => void driver.prepare(sql).run(parameters)
  run('CREATE TABLE rows (content BLOB)')
  const write = () => {
    run('begin')
    run('INSERT INTO rows VALUES (?)', Buffer.alloc(MB))
    run('commit')
  }
  return { path, driver, write, log: () => statSync(`${path}-wal`).size }
}

function countIn(path: string): unknown {
  const again = libsqlDriver(path, openAlone)
  const [row] = again.prepare('SELECT count(*) AS count FROM rows').all([])
  again.close()
  return row
}

test('a database takes over what is in its log beside its work, so that the log stays small', async () => {
  const { path, driver, write, log } = open()
  const sizes: number[] = []
  for (let count = 0; count < 20; count++) {
    write()
    sizes.push(log() / MB)
    await wait(50)
  }
  expect(Math.max(...sizes)).toBeGreaterThan(3)
  expect(Math.max(...sizes)).toBeLessThan(10)
  expect(statSync(path).size).toBeGreaterThan(10 * MB)
  driver.close()
  expect(countIn(path)).toEqual({ count: 20 })
})

test('a database that is closed while it takes over what is in its log loses nothing', async () => {
  const { path, driver, write } = open()
  for (let count = 0; count < 8; count++) write()
  driver.close()
  await wait(100)
  expect(countIn(path)).toEqual({ count: 8 })
})
