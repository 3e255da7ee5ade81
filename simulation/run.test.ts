import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

// Nothing is done when it is built already, as by `npm test`.
beforeAll(() => {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/set-up.mjs'), '--simulation'], {
    stdio: 'ignore',
  })
  expect(status).toBe(0)
}, 120_000)

const simulate = async (...words: readonly string[]): Promise<string> => {
  const child = spawn(process.execPath, [join(root, 'scripts/simulate.mjs'), ...words, '--brief'])
  return text(child.stdout)
}

test('two runs of one seed are the same, byte for byte', async () => {
  const words = ['--seed', '5', '--days', '1', '--people', 'phone,watcher']
  const [one, other] = await Promise.all([simulate(...words), simulate(...words)])
  expect(one).toContain('digest')
  expect(other).toBe(one)
}, 120_000)

test.each([1, 2, 3, 4])('everything holds in the world of seed %i', async seed => {
  expect(await simulate('--seed', String(seed), '--days', '4')).not.toContain('invariant')
})
