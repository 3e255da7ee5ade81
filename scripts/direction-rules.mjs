/**
 * Finds sides that do not follow the direction of the language: `left` and `right` in style sheets and in styles of
 * components, and shorthands of four sides in which these two differ. Logical properties (`inline-start`, `inline-end`) turn
 * around in languages that are written from right to left.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Geometry that is the same in every language, with the reason. A line of the file contains the text. */
const EXCEPTIONS = [
  { file: 'src/ui/screens/viewer/legend.tsx', text: 'linear-gradient(to right', reason: 'a scale of values' },
  { file: 'src/ui/screens/log/log-line.module.css', text: 'inset 3px 0', reason: 'logs are from left to right' },
]

const SIDE_PROPERTY =
  /^(?:left|right|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b.*|border-(?:top|bottom)-(?:left|right)-radius)$/
const SIDE_VALUE = /\b(?:left|right)\b/
const FOUR_SIDES = /^(?:inset|margin|padding|border-(?:width|style|color|radius)|scroll-(?:margin|padding))$/
const SIDE_STYLE =
  /^(?:left|right|(?:margin|padding|border|scrollMargin|scrollPadding)(?:Left|Right).*|border(?:Top|Bottom)(?:Left|Right)Radius)$/

/** The values of a shorthand, each with its parentheses. @param {string} value */
function parts(value) {
  return value.match(/(?:[^\s(]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s(])+/g) ?? []
}

/** What is wrong with a declaration; undefined when nothing is. @param {string} property @param {string} value */
function faultOf(property, value) {
  if (SIDE_PROPERTY.test(property)) return `${property}: use the logical property`
  if (/^(?:text-align|float|clear|justify-\w+|background|transform-origin)/.test(property) && SIDE_VALUE.test(value))
    return `${property}: ${value}: use start or end`
  if (/gradient\([^)]*to (?:left|right)/.test(value)) return `${property}: a gradient to a side`
  if (property === 'box-shadow' && /inset -?[1-9]/.test(value)) return `box-shadow: ${value}: at one side`
  if (!FOUR_SIDES.test(property)) return undefined
  const [first, second, third, fourth] = parts(value.replace(/\s*!important$/, ''))
  if (fourth === undefined) return undefined
  const isSame = property === 'border-radius' ? first === second && third === fourth : second === fourth
  return isSame ? undefined : `${property}: ${value}: its sides differ; use the logical properties`
}

/** @param {string} text @param {number} at */
function lineOf(text, at) {
  return text.slice(0, at).split('\n').length
}

/** @param {string} text @returns {{ line: number, fault: string }[]} */
function faultsOfSheet(text) {
  return [
    ...text
      .replaceAll(/\/\*.*?\*\//gs, comment => comment.replaceAll(/[^\n]/g, ' '))
      .matchAll(/([\w-]+):\s*([^;{}]+);/g),
  ].flatMap(({ 1: property = '', 2: value = '', index }) => {
    const fault = faultOf(property, value.replaceAll(/\s+/g, ' '))
    return fault === undefined ? [] : [{ line: lineOf(text, index), fault }]
  })
}

/** @param {string} text @returns {{ line: number, fault: string }[]} */
function faultsOfComponent(text) {
  return [...text.matchAll(/\bstyle=\{\{(.*?)\}\}/gs)].flatMap(({ 1: style = '', index }) =>
    [...style.matchAll(/(?:^|[{,\s])(\w+):\s*([^,}]*)/g)].flatMap(({ 1: name = '', 2: value = '', index: at }) => {
      const property = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      const fault = SIDE_STYLE.test(name)
        ? `${name}: use the logical property`
        : faultOf(property, value.replaceAll(/['"`]/g, ''))
      return fault === undefined ? [] : [{ line: lineOf(text, index + at), fault }]
    }),
  )
}

const files = readdirSync(resolve(root, 'src'), { encoding: 'utf8', recursive: true })
  .map(file => `src/${file.replaceAll('\\', '/')}`)
  .filter(file => /\.(?:css|tsx)$/.test(file))
const used = new Set()
let faults = 0
for (const file of files) {
  const text = readFileSync(resolve(root, file), 'utf8')
  const lines = text.split('\n')
  for (const { line, fault } of file.endsWith('.css') ? faultsOfSheet(text) : faultsOfComponent(text)) {
    const exception = EXCEPTIONS.find(
      each =>
        each.file === file &&
        lines
          .slice(line - 1, line + 3)
          .join('\n')
          .includes(each.text),
    )
    if (exception !== undefined) used.add(exception)
    else {
      faults += 1
      console.error(`${file}:${line}: ${fault}`)
    }
  }
}
for (const exception of EXCEPTIONS.filter(each => !used.has(each))) {
  faults += 1
  console.error(`${exception.file}: the exception “${exception.text}” is not needed any more`)
}
console.log(`${files.length} files, ${faults} sides that do not follow the direction of the language`)
process.exit(faults > 0 || files.length === 0 ? 1 : 0)
