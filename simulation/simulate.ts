import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Before the tests of a file. Nothing is done when it is built already, as by `npm test`. */
export const buildOnce = (): void =>
  beforeAll(() => {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/set-up.mjs'), '--simulation'], {
      stdio: 'ignore',
    })
    expect(status).toBe(0)
  }, 120_000)

/** What a run prints, after its exit code. */
export const simulate = async (...words: readonly string[]): Promise<string> => {
  const child = spawn(process.execPath, [join(root, 'scripts/simulate.mjs'), ...words, '--brief'])
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const page = await text(child.stdout)
  return `${await ended} ${page}`
}
