import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(path => /(?<!\.test)\.tsx?$|\.module\.css$/.test(path))
  .map(path => ({ path: join(root, path), text: readFileSync(join(root, path), 'utf8') }))
const sheet = readFileSync(new URL('./primitives.css', import.meta.url), 'utf8')
const primitives = new Set([...sheet.matchAll(/^ {2}\.([\w-]+)[^{]* \{/gm)].map(([, name]) => name ?? ''))

function namesIn(pattern: RegExp): readonly string[] {
  return files.flatMap(({ text }) => [...text.matchAll(pattern)].flatMap(([, names = '']) => names.split(/\s+/)))
}

it('shared classes are used, and class names that are no part of a CSS module are among them', () => {
  const used = [...namesIn(/composes: ([^;]+) from global;/g), ...namesIn(/className="([^"]+)"/g)]
  expect(used.filter(name => !primitives.has(name) && name !== 'visually-hidden')).toEqual([])
  const mentioned = new Set([...used, ...namesIn(/'([a-z\d -]+)'/g)])
  expect([...primitives].filter(name => !mentioned.has(name))).toEqual([])
})

it('CSS modules have the classes that are used of them', () => {
  const missing = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm)].flatMap(([, name = '', from = '']) => {
      const rules = files.find(file => file.path === join(dirname(path), from))?.text ?? ''
      return [...text.matchAll(new RegExp(`\\b${name}\\['([\\w-]+)'\\]`, 'g'))].flatMap(([, used = '']) =>
        new RegExp(`\\.${used}(?![\\w-])`).test(rules) ? [] : [`${path}: ${used}`],
      )
    }),
  )
  expect(missing).toEqual([])
})
