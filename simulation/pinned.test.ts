import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildMistaken } from './build.ts'
import { mistakes } from './mistakes/mistakes.ts'
import { failureOf } from './shrink.ts'
import { buildOnce, simulate } from './simulate.ts'

type Pinned = {
  readonly name: string
  readonly file: string
  readonly invariant: string
  /** The name of a mistake with which it fails. */
  readonly mistake?: string
}

const folder = join(import.meta.dirname, 'pinned')
const pinned = readdirSync(folder).map((name): Pinned => {
  const file = join(folder, name)
  const { invariant, mistake } = JSON.parse(readFileSync(file, 'utf8')) as Pinned
  return { name, file, invariant, ...(mistake === undefined ? {} : { mistake }) }
})

buildOnce()

test.each(pinned)('the story $name, in which “$invariant” failed, holds', async ({ file }) => {
  expect(await simulate('--story', file)).toMatch(/^0 /)
})

test.each(pinned.filter(({ mistake }) => mistake !== undefined))(
  'the story $name fails when $mistake',
  async ({ file, invariant, mistake }) => {
    const found = mistakes.find(({ name }) => name === mistake)
    if (found === undefined) return expect.fail('There is no such mistake.')
    const programs = mkdtempSync(join(tmpdir(), 'foldboard-mistake-'))
    onTestFinished(() => rmSync(programs, { recursive: true }))
    expect(await buildMistaken(programs, found)).toBe(true)
    const page = await simulate('--story', file, '--programs', programs)
    expect(failureOf(page.slice(page.indexOf('{')))?.invariant).toBe(invariant)
  },
)
