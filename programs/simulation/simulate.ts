import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Before the tests of a file. Nothing is done when it is built already, as by `npm test`. */
export function buildOnce(): void {
  return beforeAll(() => {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/set-up.mjs'), '--simulation'], {
      stdio: 'ignore',
    })
    expect(status).toBe(0)
  }, 120_000)
}

async function outputOf(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [...words, '--brief'], { env })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const page = await text(child.stdout)
  return `${await ended} ${page}`
}

/** What a run prints, after its exit code. */
export function simulate(...words: readonly string[]): Promise<string> {
  return outputOf([join(root, 'scripts/simulate.mjs'), ...words], process.env)
}

/** The same on a computer in Japan that speaks Persian, and whose Node.js orders its hashes otherwise. */
export function simulateElsewhere(...words: readonly string[]): Promise<string> {
  return outputOf(['--hash-seed=9', join(root, 'build/simulation/simulate.js'), ...words], {
    TZ: 'Asia/Tokyo',
    LC_ALL: 'fa_IR.UTF-8',
  })
}
