import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
}

test('what docs/protocol.md §19 says that real peers confirm is what test/peers asks them', () => {
  const [, section = ''] = read('docs/protocol.md').split('\n## 19. ')
  const rows = section
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .flatMap(cells => (cells[5] === 'test:peers' ? [cells[1]] : []))
  const asked = Array.from(read('test/peers/assumptions.spec.ts').matchAll(/^test\('([^']+)'/gm), ([, title]) => title)
  expect(asked.length).toBeGreaterThan(0)
  expect(rows).toEqual(asked)
})
