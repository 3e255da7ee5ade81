import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minVersion, prerelease, satisfies } from 'semver'
import { expect, test } from 'vitest'

type Package = {
  readonly version?: string
  readonly engines?: { readonly node?: string }
  readonly hasInstallScript?: boolean
}
type Description = {
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'))
}
const description = read('package.json') as Description
const lock = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> }
const installed = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }))

/** The oldest supported version, and the newest of each line with long-term support. */
const supported = [minVersion(description.engines.node)?.version ?? '', '22.99.0', '24.99.0']

test('the README names the oldest Node.js that package.json demands', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, old = '', oldest = ''] = /^\^(\d+\.\d+) \|\| >=(\d+\.\d+)$/.exec(description.engines.node) ?? []
  expect(readme).toContain(`Node.js ${oldest} or newer (of version ${parseInt(old)}, ${old} or newer)`)
})

test.each(supported)('every package can be installed with Node.js %s', version => {
  expect(installed.length).toBeGreaterThan(100)
  const refused = installed.filter(({ engines }) => !satisfies(version, engines?.node ?? '*'))
  expect(refused.map(({ name, engines }) => `${name} needs ${engines?.node}`)).toEqual([])
})

test('package.json names no alpha, beta or release candidate', () => {
  const named = new Set(Object.keys({ ...description.dependencies, ...description.devDependencies }))
  const early = installed.filter(({ name, version = '' }) => named.has(name) && prerelease(version) !== null)
  expect(early).toEqual([])
})

test('npm does not ask about an install script', () => {
  const names = installed.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)
  expect(new Set(names)).toEqual(new Set(Object.keys(description.allowScripts)))
})
