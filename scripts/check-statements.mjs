/**
 * Checks that each statement of docs/product.md is held by a test, which names its number at the end of its title ('… [4.6]'), or
 * is in the table of differences. In a section whose headings have numbers, all below a heading is one statement. Needs nothing but Node. `node scripts/check-statements.mjs [folder]`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDERS = ['src', 'programs', 'test', 'models']
const TESTS = /\.(?:test|spec)\.tsx?$/
const TABLE = '### Differences'

/** @param {string} folder @returns {string[]} */
function testsUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? testsUnder(path) : TESTS.test(path) ? [path] : []
  })
}

/** Numbers such as 4.6 in a text. @param {string} text @returns {string[]} */
function numbersIn(text) {
  return text.match(/\d+\.\d+/g) ?? []
}

/** What the titles of tests name. @param {string} text @returns {string[]} */
function citedIn(text) {
  const titles = text.matchAll(/ \[(\d+\.\d+(?:, \d+\.\d+)*)\]['"`],/g)
  return [...titles].flatMap(([, list = '']) => numbersIn(list))
}

/** The lines of a document that begin a statement without a number. @param {string[]} lines @returns {number[]} */
function unnumbered(lines) {
  /** @type {string | undefined} */
  let section
  return lines.flatMap((line, index) => {
    section = /^## (\d+)\./.exec(line)?.[1] ?? section
    if (section === undefined || lines.some(other => other.startsWith(`### ${section}.`))) return []
    const isItem = /^ *- (?!\[\d)/.test(line)
    const isRow = line.startsWith('|') && lines[index - 1]?.startsWith('|') === true && !/^\| (?:\[\d|-)/.test(line)
    const isText = lines[index - 1] === '' && /^[A-Z'*]/.test(line)
    const end = lines.indexOf('', index)
    const isSentence = isText && lines[(end === -1 ? lines.length : end) - 1]?.endsWith('.') === true
    return isItem || isRow || isSentence ? [index + 1] : []
  })
}

/** @param {string} root */
export function checkStatements(root) {
  const path = 'docs/product.md'
  const text = readFileSync(join(root, path), 'utf8')
  const lines = text.split('\n')
  const start = lines.indexOf(TABLE)
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '))
  const differing = new Set(
    lines.slice(start, end).flatMap(line => (line.startsWith('| ') ? numbersIn(line.split('|')[1] ?? '') : [])),
  )
  const stated = lines.flatMap((line, index) => {
    const number = (/^(?:\| | *- )?\[(\d+\.\d+)\] /.exec(line) ?? /^### (\d+\.\d+) /.exec(line))?.[1]
    return number === undefined ? [] : [{ number, line: index + 1 }]
  })
  const statedNumbers = new Set(stated.map(({ number }) => number))
  const cited = new Map(
    FOLDERS.flatMap(folder => testsUnder(join(root, folder))).flatMap(file =>
      citedIn(readFileSync(file, 'utf8')).map(number => /** @type {const} */ ([number, file])),
    ),
  )
  const isHeld = (/** @type {string} */ number) => cited.has(number) || differing.has(number)
  const problems = [
    ...(start === -1 ? [`${path}: there is no table of differences`] : []),
    ...unnumbered(lines).map(line => `${path}:${line}: this statement has no number`),
    ...stated
      .filter(({ number }, index) => stated.findIndex(other => other.number === number) !== index)
      .map(({ number, line }) => `${path}:${line}: another statement has the number ${number}`),
    ...stated
      .filter(({ number }) => !isHeld(number))
      .map(({ number, line }) => `${path}:${line}: no test names ${number}, and the table of differences does not`),
    ...[...cited]
      .filter(([number]) => !statedNumbers.has(number))
      .map(([number, file]) => `${file}: there is no statement ${number}`),
    ...[...differing]
      .filter(number => !statedNumbers.has(number))
      .map(number => `${path}: there is no statement ${number}`),
  ]
  return { problems, statements: stated.length }
}

if (process.argv[1] === import.meta.filename) {
  const { problems, statements } = checkStatements(resolve(process.argv[2] ?? join(import.meta.dirname, '..')))
  for (const problem of problems) console.error(problem)
  console.log(`${statements} statements, ${problems.length} problems`)
  process.exit(problems.length > 0 ? 1 : 0)
}
