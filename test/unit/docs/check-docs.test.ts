import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkDocs } from '../../../scripts/check-docs.mjs'

// Apart, so that the check does not read the citations of this file as its own.
const SECTION = '\u00a7'
const PROTOCOL = 'docs/rules.md'

let root = ''

function write(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function problems(): readonly string[] {
  return checkDocs(root).problems
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foldboard-docs-'))
  write(PROTOCOL, '# Rules\n\n## 1. First & last\n\n### 1.2 Its part\n\n```\n## 3. An example\n```\n')
  write('package.json', '{ "scripts": { "check": "node check.mjs" } }')
  write('src/a/thing.ts', "// only in a comment: goneThing\nexport const makeThing = () => 'thing.opened'\n")
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

it('fails when it finds nothing to check', () => {
  rmSync(join(root, 'docs'), { recursive: true })
  expect(problems()).toEqual(['No document was found: nothing has been checked.'])
})

describe('a citation', () => {
  it('may name sections that exist, several of them, and over two lines of a comment', () => {
    write(
      'src/b.ts',
      `/** See ${PROTOCOL} ${SECTION}1, ${SECTION}1.2. */\n/*\n * And ${PROTOCOL}\n * ${SECTION}1.2 to ${SECTION}1.\n */\n`,
    )
    expect(problems()).toEqual([])
  })

  it.each([
    ['a section that is not there', `${PROTOCOL} ${SECTION}2`, `${PROTOCOL} has no section 2`],
    ['a section of an example', `${PROTOCOL} ${SECTION}3`, `${PROTOCOL} has no section 3`],
    ['one of several', `${PROTOCOL} ${SECTION}1 and ${SECTION}1.3`, `${PROTOCOL} has no section 1.3`],
    ['one on the next line', `${PROTOCOL}\n// ${SECTION}9`, `${PROTOCOL} has no section 9`],
    ['a file that is not there', 'notes.md', 'notes.md does not exist'],
  ])('is a problem that names %s', (_, citation, problem) => {
    write('src/b.ts', `// ${citation}\n`)
    expect(problems()).toEqual([`src/b.ts:1: ${problem}`])
  })
})

describe('a link', () => {
  it('may lead to a file, a folder, a heading, or elsewhere', () => {
    write(
      'README.md',
      '[a](docs/rules.md) [b](src/a) [c](docs/rules.md#1-first--last) [d](#here) [e](https://x.example/y)\n\n# Here\n\n```\n[f](nowhere.md)\n```\n',
    )
    // What stands in a code block is an example, but a document that it names must exist all the same.
    expect(problems().filter(problem => problem.includes('link'))).toEqual([])
  })

  it.each([
    ['no file', '[a](docs/nothing.png)', 'the link docs/nothing.png leads to no file'],
    ['no heading', '[a](docs/rules.md#2-last)', 'the link docs/rules.md#2-last leads to no heading'],
    ['no heading of its own', '[a](#there)', 'the link #there leads to no heading'],
  ])('is a problem when it leads to %s', (_, link, problem) => {
    write('README.md', `# Here\n\n${link}\n`)
    expect(problems()).toEqual([`README.md:3: ${problem}`])
  })
})

it('a link of the page to the guide leads to a page and a heading of it', () => {
  write('docs/guide/words.md', '# Words\n\n## PPD\n')
  write('CHANGELOG.md', '# Changelog\n')
  write('src/b.tsx', "['/help/words#ppd', '/help/words', '/help/what-is-new', `/help/${page}`]\n")
  expect(problems()).toEqual([])
  write('src/b.tsx', "['/help/words#tpf',\n '/help/nothing']\n")
  expect(problems()).toEqual(['src/b.tsx:1: the guide has no words#tpf', 'src/b.tsx:2: the guide has no nothing'])
})

describe('a name in backticks', () => {
  it('may be of a file, a part of its path, a function, an event, a script, or no name at all', () => {
    write(
      'src/README.md',
      '`a/thing.ts` `thing.ts` `*.ts` `a/` `makeThing` `makeThing(x, y)` `thing.opened` `npm run check` `{a: b}` `dist/x.js`\n',
    )
    expect(problems()).toEqual([])
  })

  it.each([
    ['other.ts', 'is no file'],
    ['b/thing.ts', 'is no file'],
    ['goneThing', 'is not in the code'],
    ['makeOther(x)', 'is not in the code'],
    ['OTHER_THING', 'is not in the code'],
    ['OtherThing', 'is not in the code'],
    ['thing.closed', 'is not in the code'],
    ['npm run other', 'is no script of package.json'],
  ])('is a problem when `%s` %s', (name, problem) => {
    write('src/README.md', `\`${name}\`\n`)
    expect(problems()).toEqual([`src/README.md:1: \`${name}\` ${problem}`])
  })
})
