import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openServerStore } from './store.ts'

/** Calls that change files until one throws in place of being made. */
const trap = vi.hoisted(() => ({ left: Infinity }))

vi.mock('node:fs', async original => {
  const real = await original<typeof fs>()
  const names = ['closeSync', 'openSync', 'renameSync', 'rmSync'] as const
  const trapped = names.map(name => [
    name,
    (...parameters: unknown[]): unknown => {
      if (trap.left-- === 0) throw new Error('killed')
      return Reflect.apply(real[name], undefined, parameters)
    },
  ])
  return { ...real, ...Object.fromEntries(trapped) }
})

test('a first start that ends before any of its changes of files leaves a folder in which the next one begins', async () => {
  let ended = 0
  for (let isEnded = true; isEnded; ended++) {
    const folder = fs.mkdtempSync(join(tmpdir(), 'foldboard-first-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true }))
    trap.left = ended
    const first = await openServerStore(folder).catch((error: unknown) => String(error))
    trap.left = Infinity
    isEnded = typeof first === 'string'
    if (typeof first === 'string') expect(first).toContain('killed')
    else await first.close()
    const next = await openServerStore(folder)
    expect(await next.machines()).toEqual([])
    await next.close()
  }
  expect(ended).toBeGreaterThan(2)
})
