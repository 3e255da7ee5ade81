import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkStatements } from '../../../scripts/check-statements.mjs'

const INTRODUCTION = `# The product

### Differences

| statements | here | because |
| --- | --- | --- |
| 2.3 | another color | it can be read |

## 2. Screens

| what | value |
| --- | --- |
| [2.1] menu | has five entries |

- [2.2] A list.
`
/** In parts, so that the check does not read the titles in this file as its own. */
const TITLES = ['2.1', '2.2'].map(number => `it('holds [${number}]', () => undefined)\n`).join('')

let root = ''

function write(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function problems(): readonly string[] {
  return checkStatements(root).problems
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foldboard-statements-'))
  write('src/menu.test.ts', TITLES)
})
afterEach(() => rmSync(root, { recursive: true }))

it.each([
  ['passes a statement that a test names, and one in the table of differences', '\n[2.3] A color.\n', ''],
  [
    'fails for one with neither',
    '\n[2.3] A color.\n- [2.4] A font.\n',
    '18: no test names 2.4, and the table of differences does not',
  ],
  [
    'takes all below a heading with a number for one statement',
    '\n[2.3] A color.\n\n## 3. Wishes\n\nFrom threads.\n\n### 3.1 Speed\n\nIt is fast.\n- It stays so.\n',
    '23: no test names 3.1, and the table of differences does not',
  ],
  ['fails for one without a number', '\n[2.3] A color.\n- A font.\n', '18: this statement has no number'],
  [
    'fails for a number that is there twice',
    '\n[2.3] A color.\n- [2.1] A font.\n',
    '18: another statement has the number 2.1',
  ],
  ['fails for a row of the table about no statement', '', ' there is no statement 2.3'],
])('%s', (_, more, problem) => {
  const text = INTRODUCTION + more
  write('docs/product.md', text)
  expect(problems()).toEqual(problem === '' ? [] : [`docs/product.md:${problem}`])
})

it('fails for a test that names no statement', () => {
  write('docs/product.md', `${INTRODUCTION}\n[2.3] A color.\n`)
  write('src/menu.test.ts', TITLES.replace('2.2]', '2.2, 2.9]'))
  expect(problems()).toEqual([`${join(root, 'src/menu.test.ts')}: there is no statement 2.9`])
})
