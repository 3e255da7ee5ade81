import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildMutated } from './build.ts'
import { mutations } from './mutations/mutations.ts'
import { failureOf } from './shrink.ts'
import { buildOnce, simulate } from './simulate.ts'

type Pinned = {
  readonly name: string
  readonly file: string
  readonly invariant: string
  /** The name of a mutation with which it fails. */
  readonly mutation?: string
}

const folder = join(import.meta.dirname, 'pinned')
const pinned = readdirSync(folder).map((name): Pinned => {
  const file = join(folder, name)
  const { invariant, mutation } = JSON.parse(readFileSync(file, 'utf8')) as Pinned
  return { name, file, invariant, ...(mutation === undefined ? {} : { mutation }) }
})

buildOnce()

test.each(pinned)('the story $name, in which “$invariant” failed, holds', async ({ file }) => {
  expect(await simulate('--story', file)).toMatch(/^0 /)
})

test.each(pinned.filter(({ mutation }) => mutation !== undefined))(
  'the story $name fails when $mutation',
  async ({ file, invariant, mutation }) => {
    const found = mutations.find(({ name }) => name === mutation)
    if (found === undefined) return expect.fail('There is no such mutation.')
    const programs = mkdtempSync(join(tmpdir(), 'foldboard-mutation-'))
    onTestFinished(() => rmSync(programs, { recursive: true }))
    expect(await buildMutated(programs, found)).toBe(true)
    const page = await simulate('--story', file, '--programs', programs)
    expect(failureOf(page.slice(page.indexOf('{')))?.invariant).toBe(invariant)
  },
)
