import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { incidentKinds } from '../../../src/folding/incidents/incident-kinds.ts'

it('the table of thresholds has each of them, with its default', () => {
  const rows = readFileSync('docs/protocol.md', 'utf8')
    .split('## 18.')[1]
    ?.matchAll(/^\| `([\w-]+)` +\| `(\w+)` +\| (\d+) /gm)
  expect([...(rows ?? [])].map(([, kind, name, value]) => [kind, name, Number(value)])).toEqual(
    incidentKinds.flatMap(([kind, { thresholds }]) =>
      Object.entries(thresholds).map(([name, threshold]) => [kind, name, threshold.default]),
    ),
  )
})
