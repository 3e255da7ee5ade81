import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { overview } from '../../docs/charts.ts'
import { machines } from '../../statecharts.ts'

test('docs/README.md lists every machine and model as it is now', () => {
  expect(machines.length).toBeGreaterThan(20)
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/README.md'), 'utf8')
  expect(committed, 'docs/README.md is stale: run `npm run docs` and commit it.').toBe(overview())
})
