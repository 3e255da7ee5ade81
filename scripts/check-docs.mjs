/**
 * Checks what the documentation states about the repository: cited sections, relative links, and the files, functions, types,
 * events and scripts that texts name. Needs nothing but Node. `node scripts/check-docs.mjs [folder]`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'

const GENERATED = ['node_modules', 'dist', 'build', 'test-results', 'bench-results', 'playwright-report']
const TEXTS = /\.(?:md|ts|tsx|js|cjs|mjs|css|html|json|yml)$/
const SOURCES = /\.(?:ts|tsx|js|cjs|mjs|css)$/
const FILE = /^[\w@*-][\w@*.-]*(?:\/[\w@*.-]+)*\/?$/
const EXTENSION = /\.(?:md|ts|tsx|js|cjs|mjs|css|html|json|yml|svg|png)$/

/** These describe what is said on the wire, or what once was: their names need not be of the code. */
const NOT_OF_THE_CODE = ['CHANGELOG.md', 'docs/protocol.md', 'docs/product.md']

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !GENERATED.includes(name) && (!name.startsWith('.') || name === '.github'))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })
}

/** @param {string} path */
function isGenerated(path) {
  return GENERATED.includes(path.split('/')[0] ?? '')
}

/** @param {string} text the line breaks stay, so that numbers of lines hold */
function withoutFences(text) {
  return text.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, block => block.replaceAll(/[^\n]/g, ' '))
}

/** @param {string} text */
function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/^\s*\/\/.*$/gm, ' ')
}

/** The anchor that GitHub and others give a heading. @param {string} heading */
function anchorOf(heading) {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** @param {string} text @returns {{ anchors: Set<string>, sections: Set<string> }} */
function headingsOf(text) {
  /** @type {Set<string>} */
  const anchors = new Set()
  /** @type {Set<string>} */
  const sections = new Set()
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = anchorOf(heading)
    let free = anchor
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`
    anchors.add(free)
    const section = /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1]
    if (section !== undefined) sections.add(section)
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id)
  return { anchors, sections }
}

/** @param {string} text @param {number} index */
function lineAt(text, index) {
  return text.slice(0, index).split('\n').length
}

/** Whether this place of a file is read by people alone: text or a comment. @param {string} path @param {string} text @param {number} index */
function isProse(path, text, index) {
  if (path.endsWith('.md')) return true
  const line = text.slice(text.lastIndexOf('\n', index - 1) + 1, index)
  return /^\s*(?:\/?\*|\/\/)/.test(line)
}

/** @typedef {{ path: string, text: string }} Source `path` is relative to the root, with slashes */

/** @param {Source} source @param {(path: string) => Source | undefined} find @returns {string[]} */
function citationProblems({ path, text }, find) {
  // A citation may be broken over lines of a comment, and may name several sections: '§1, §2 and §4 to §6'.
  const cited = /(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.md)\b((?:(?:[\s,]|\n\s*(?:\*|\/\/)|and|to)*§\d+(?:\.\d+)*)*)/g
  return [...text.matchAll(cited)].flatMap(({ 1: name = '', 2: list = '', index }) => {
    if (isGenerated(name) || (list === '' && !isProse(path, text, index))) return []
    const place = `${path}:${lineAt(text, index)}`
    const target = find(name) ?? find(posix.join(dirname(path), name))
    if (target === undefined) return [`${place}: ${name} does not exist`]
    const { sections } = headingsOf(target.text)
    return [...list.matchAll(/§(\d+(?:\.\d+)*)/g)]
      .filter(([, section = '']) => !sections.has(section))
      .map(([section]) => `${place}: ${name} has no section ${section.slice(1)}`)
  })
}

/** @param {Source} source @param {string} root @returns {string[]} */
function linkProblems({ path, text }, root) {
  const shown = withoutFences(text).replaceAll(/`[^`\n]*`/g, code => ' '.repeat(code.length))
  const links = [
    ...shown.matchAll(/\]\(<?([^)\s>]+)>?(?: +"[^"]*")?\)/g),
    ...shown.matchAll(/^ *\[[^\]]+\]: +<?(\S+?)>?(?: |$)/gm),
    ...shown.matchAll(/<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"/g),
  ]
  return links.flatMap(({ 1: link = '', index }) => {
    if (/^[a-z][a-z+.-]*:/i.test(link) || link.startsWith('//')) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? join(root, path) : resolve(root, dirname(path), decodeURIComponent(file))
    const place = `${path}:${lineAt(text, index)}`
    if (!existsSync(target)) return [`${place}: the link ${link} leads to no file`]
    if (anchor === undefined || !target.endsWith('.md')) return []
    return headingsOf(readFileSync(target, 'utf8')).anchors.has(decodeURIComponent(anchor))
      ? []
      : [`${place}: the link ${link} leads to no heading`]
  })
}

/** Links of the page to the guide. @param {Source} source @param {string} root @returns {string[]} */
function guideLinkProblems({ path, text }, root) {
  return [...text.matchAll(/(?:['"`]\/|BASE_URL\})help\/([\w-]+)(?:#([\w-]+))?/g)].flatMap(
    ({ 1: page, 2: anchor, index }) => {
      const file = join(root, page === 'what-is-new' ? 'CHANGELOG.md' : `docs/guide/${page}.md`)
      const isThere =
        existsSync(file) && (anchor === undefined || headingsOf(readFileSync(file, 'utf8')).anchors.has(anchor))
      return isThere
        ? []
        : [`${path}:${lineAt(text, index)}: the guide has no ${page}${anchor === undefined ? '' : `#${anchor}`}`]
    },
  )
}

/** @typedef {{ paths: readonly string[], words: ReadonlySet<string>, code: string, scripts: ReadonlySet<string> }} Code */

/** Whether files of the repository have this path, in full or at its end; `*` stands for a part of a name. @param {string} name @param {Code} code */
function isFile(name, { paths }) {
  const pattern = name.replace(/\/$/, '').split('*').map(escapePattern).join('[^/]*')
  const whole = new RegExp(`(?:^|/)${pattern}(?:\\.\\w+|/|$)`)
  return paths.some(path => whole.test(path))
}

/** @param {string} text */
function escapePattern(text) {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
}

/** What is wrong with the text between two backticks. @param {string} span @param {Code} code @returns {string | undefined} */
function spanProblem(span, code) {
  const script = /^npm run ([\w:-]+)/.exec(span)?.[1]
  if (script !== undefined) return code.scripts.has(script) ? undefined : 'is no script of package.json'
  const isPath = FILE.test(span) && (EXTENSION.test(span) || (span.includes('/') && !span.startsWith('@')))
  if (isPath) {
    return isGenerated(span) || isFile(span, code) ? undefined : 'is no file'
  }
  // A setting of a build: the code makes these names from those of the settings.
  const setting = /^VITE_([A-Z_]+)$/.exec(span)?.[1]?.toLowerCase().replaceAll('_', '-')
  if (setting !== undefined) return code.code.includes(`'${setting}'`) ? undefined : 'is no setting'
  // `relay.opened`: an event, or what is exported by it.
  if (/^[a-z]\w*(?:\.[a-zA-Z]\w*)+$/.test(span)) return code.code.includes(span) ? undefined : 'is not in the code'
  const called = /^([A-Za-z_$][\w$]*)\(.*\)$/.exec(span)?.[1]
  const named = /^(?:[a-z]+[A-Z]\w*|[A-Z]+[a-z]\w*[A-Z]\w*|[A-Z]+_[A-Z_]+)$/.exec(span)?.[0]
  const name = called ?? named
  return name === undefined || code.words.has(name) ? undefined : 'is not in the code'
}

/** @param {Source} source @param {Code} code @returns {string[]} */
function nameProblems({ path, text }, code) {
  return [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: span = '', index }) => {
    const problem = spanProblem(span.trim(), code)
    return problem === undefined ? [] : [`${path}:${lineAt(text, index)}: \`${span}\` ${problem}`]
  })
}

/** Every mistake in the documentation of a folder, one line each. @param {string} root */
export function checkDocs(root) {
  const paths = filesUnder(root).map(path => relative(root, path).replaceAll('\\', '/'))
  const sources = paths
    .filter(path => TEXTS.test(path) && basename(path) !== 'package-lock.json')
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const byPath = new Map(sources.map(source => [source.path, source]))
  const documents = sources.filter(({ path }) => path.endsWith('.md'))
  const code = sources
    .filter(({ path }) => SOURCES.test(path))
    .map(({ text }) => withoutComments(text))
    .join('\n')
  const description = byPath.get('package.json')
  /** @type {Code} */
  const existing = {
    paths,
    code,
    words: new Set(code.match(/[\w$]+/g)),
    scripts: new Set(Object.keys(description === undefined ? {} : (JSON.parse(description.text).scripts ?? {}))),
  }
  const problems = [
    ...(documents.length === 0 ? ['No document was found: nothing has been checked.'] : []),
    ...sources.flatMap(source => citationProblems(source, path => byPath.get(path))),
    ...documents.flatMap(source => linkProblems(source, root)),
    ...sources
      .filter(({ path }) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .flatMap(source => guideLinkProblems(source, root)),
    ...documents
      .filter(({ path }) => !NOT_OF_THE_CODE.includes(path) && !path.startsWith('.github/'))
      .flatMap(source => nameProblems(source, existing)),
  ]
  return { problems, documents: documents.length, sources: sources.length }
}

if (process.argv[1] === import.meta.filename) {
  const { problems, documents, sources } = checkDocs(resolve(process.argv[2] ?? join(import.meta.dirname, '..')))
  for (const problem of problems) console.error(problem)
  console.log(`${documents} documents and ${sources} files with citations, ${problems.length} problems`)
  process.exit(problems.length > 0 ? 1 : 0)
}
