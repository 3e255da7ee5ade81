import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test.each([
  ['--out', 'argument missing'],
  ['--out=', 'is not empty'],
  ['--out=.', 'is not empty'],
  ['--out .', 'is not empty'],
])('a release refuses %s, and nothing is deleted', (words, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-release-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'of the user')
  writeFileSync(file, '')
  const script = resolve(import.meta.dirname, 'release.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, ...words.split(' ')], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(message)
  expect(existsSync(file)).toBe(true)
})
