import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PluginObj, types as Types } from '@babel/core'
import { build, normalizePath, type CSSModulesOptions, type Plugin, type Rollup, type UserConfig } from 'vite'
import { LOCALES, SOURCE_LOCALE } from '../../src/folding/text/locales.ts'
import type { ShellTexts } from '../../src/app/shell-texts.ts'
import { textsAddress } from '../../src/loading/texts-address.ts'
import { compiled, readCatalog } from './catalogs.ts'
import { messages, transformed } from './messages.ts'
import { renderShell } from './shell.ts'

/*
 * Texts in other languages than English, in files of their own: the page loads those of its language only.
 */

/** Code that the first picture of the machines may need. */
const FIRST = ['machines/first-screen', 'grid/fleet-grid', 'overlays/menu-popover'].map(path => `/${path}.tsx`)
/** Code that is fetched some seconds after it: for a single machine, src/app/main.tsx, and src/ui/prefetch. */
const SOON = [
  '/parts/home.ts',
  '/ui/later.ts',
  '/parts/background.ts',
  '/incidents/digest.ts',
  '/parts/log.ts',
  '/machine/machine-page.tsx',
  '/log/log-screen.tsx',
  '/top/find.tsx',
]

const GROUPS = ['first', 'soon', 'rest'] as const
type Group = (typeof GROUPS)[number]

function groupOf(module: string): Group {
  const is = (path: string): boolean => module.endsWith(path)
  return FIRST.some(is) ? 'first' : SOON.some(is) ? 'soon' : 'rest'
}

const translations = LOCALES.map(({ code }) => code).filter(code => code !== SOURCE_LOCALE)

/** `import('../../part.tsx')` becomes `withTexts(['soon', 'rest'], () => import('../../part.tsx'))`. */
function waitForTexts(
  { types }: { types: typeof Types },
  { folder, runtime }: { folder: string; runtime: string },
): PluginObj {
  const done = new WeakSet()
  return {
    name: 'wait-for-texts',
    visitor: {
      Program: {
        exit: program => {
          let used = 0
          program.traverse({
            CallExpression: path => {
              const { node } = path
              const target = node.arguments.at(0)
              if (node.callee.type !== 'Import' || target?.type !== 'StringLiteral' || done.has(node)) return
              const group = groupOf(posix.join(folder, target.value))
              if (group === 'first') return
              done.add(node)
              used += 1
              const groups = group === 'soon' ? ['soon'] : ['soon', 'rest']
              path.replaceWith(
                types.callExpression(types.identifier('withTexts'), [
                  types.valueToNode(groups),
                  types.arrowFunctionExpression([], node),
                ]),
              )
            },
          })
          if (used === 0) return
          const name = types.identifier('withTexts')
          program.node.body.unshift(
            types.importDeclaration([types.importSpecifier(name, name)], types.stringLiteral(runtime)),
          )
        },
      },
    },
  }
}

/** As Vite writes it on every system. */
const SOURCES = normalizePath(resolve(import.meta.dirname, '../../src'))
const RUNTIME = `${SOURCES}/loading/texts.ts`

function waitingImports(): Plugin {
  return {
    name: 'waiting-imports',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { code: /\bimport\(['"]/ },
      handler: async (code, id) => {
        const [filename = id] = id.split('?')
        if (!filename.startsWith(SOURCES)) return undefined
        return transformed(code, filename, [[waitForTexts, { folder: dirname(filename), runtime: RUNTIME }]])
      },
    },
  }
}

const ARIA = /node_modules\/(react-(?:aria|stately|aria-components))\/dist\/private\/intl\/([a-z]+\/)?en-US\.m?js$/

/** Texts for React Aria in a language that it lacks: src/locales/aria-<code>.json. */
async function ownAriaTexts(locale: string): Promise<Readonly<Record<string, string>>> {
  const path = resolve(SOURCES, `locales/aria-${locale}.json`)
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, string>>) : {}
}

/** Code of a text, or of a function from `{values}` to the text. */
function withValues(text: string): string {
  return text.includes('{') ? `values=>\`${text.replaceAll(/\{(\w+)\}/g, '${values.$1}')}\`` : JSON.stringify(text)
}

/** The texts of React Aria in one language, of the packages that the page has: as code, since some are functions. */
async function ariaTexts(locale: string, modules: readonly string[]): Promise<string> {
  const packages = modules.flatMap(module => {
    const [, library = '', part = ''] = ARIA.exec(module) ?? []
    return library === '' ? [] : [{ module, name: part === '' ? library : `@${library}/${part.slice(0, -1)}` }]
  })
  const region = new Intl.Locale(locale).maximize()
  const ours = await ownAriaTexts(locale)
  const parts = packages.map(async ({ module, name }) => {
    const file = join(dirname(module), basename(module).replace('en-US', `${region.language}-${region.region ?? ''}`))
    const { default: texts } = (await import(pathToFileURL(file).href).catch(
      () => import(pathToFileURL(module).href),
    )) as { readonly default: Readonly<Record<string, unknown>> }
    const lines = Object.entries(texts).map(([key, text]) => {
      const replacement = ours[key]
      if (replacement !== undefined) return `${JSON.stringify(key)}:${withValues(replacement)}`
      return `${JSON.stringify(key)}:${typeof text === 'function' ? String(text) : JSON.stringify(text)}`
    })
    return `${JSON.stringify(name)}:{${lines.join(',')}}`
  })
  return `{${(await Promise.all(parts)).join(',')}}`
}

/** The chunks that are loaded with these. */
function withImported(names: Iterable<string>, bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const found = new Set(names)
  for (const name of found) {
    const file = Object.hasOwn(bundle, name) ? bundle[name] : undefined
    if (file?.type === 'chunk') for (const imported of file.imports) found.add(imported)
  }
  return found
}

/** src/app/start.ts as a script that runs before the first paint. `shell`: what it shows until the app is there. */
async function buildStart(
  shell?: ShellTexts,
  define: UserConfig['define'] = {},
  plugins: readonly Plugin[] = [],
): Promise<string> {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [...plugins],
    define: { ...define, 'import.meta.env.FOLDBOARD_SHELL': JSON.stringify(shell ?? null) },
    build: {
      target: 'es2022',
      write: false,
      rolldownOptions: {
        input: resolve(SOURCES, 'app/start.ts'),
        output: { format: 'iife', entryFileNames: 'start.js' },
      },
    },
  })
  const [script] = 'output' in output ? output.output : Array.isArray(output) ? (output[0]?.output ?? []) : []
  if (script?.type !== 'chunk') throw new Error('start.js was not built.')
  return script.code
}

/**
 * In a bundle, the modules of the page run one after another, so those that follow src/app/locale.ts wait for it. As modules of
 * their own only those would that import it.
 */
const ENTRY = '<script type="module" src="/src/app/main.tsx"></script>'
const LATE_ENTRY =
  '<script type="module">await import("/src/app/locale.ts"); await import("/src/app/main.tsx")</script>'

/**
 * Plugins of the page. Texts get numbers as ids, and files of texts say only how many they leave out;
 * `npm run messages` says which there are. `startPlugins`: of start.js.
 */
export function texts(sheets: CSSModulesOptions, startPlugins: readonly Plugin[] = []): Plugin[] {
  const numbers = new Map<string, number>()
  const idsOf = new Map<string, Set<number>>()
  let version = 'development'
  let define: UserConfig['define'] = {}
  const readNumbers = async (): Promise<void> => {
    const ids = [...(await readCatalog(SOURCE_LOCALE)).keys()]
    ids.sort().forEach((id, at) => numbers.set(id, at))
  }
  const fileOf = async (locale: string, ids: Iterable<number>, aria?: string): Promise<string> => {
    const catalog = new Map(
      [...(await readCatalog(locale))].flatMap(([id, { translation }]) => {
        const number = numbers.get(id)
        return number === undefined || translation === '' ? [] : [[number, compiled(translation)] as const]
      }),
    )
    let next = 0
    const entries = [...new Set(ids)]
      .sort((a, b) => a - b)
      .flatMap(id => {
        const text = catalog.get(id)
        if (text === undefined) return []
        const omitted = id - next
        next = id + 1
        return omitted === 0 ? [text] : [omitted, text]
      })
    return `export default ${JSON.stringify(entries)}${aria === undefined ? '' : `;export const aria=${aria}`}\n`
  }
  return [
    messages((id, module) => {
      const number = numbers.get(id)
      if (number === undefined) return id
      const ids = idsOf.get(module) ?? new Set()
      idsOf.set(module, ids.add(number))
      return number.toString(36)
    }),
    waitingImports(),
    {
      name: 'texts',
      configResolved: config => {
        define = config.define ?? {}
      },
      buildStart: readNumbers,
      generateBundle: {
        order: 'pre',
        async handler(_, bundle) {
          const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
          const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
          const entered = (group: Group) =>
            chunks.flatMap(({ fileName, facadeModuleId, isDynamicEntry, moduleIds }) =>
              (isDynamicEntry && groupOf(facadeModuleId ?? '') === group) || moduleIds.some(id => groupOf(id) === group)
                ? [fileName]
                : [],
            )
          const first = withImported(
            [...chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName), ...entered('first')],
            bundle,
          )
          const soon = withImported(entered('soon'), bundle)
          const missing = [...FIRST, ...SOON].filter(path => !modules.some(module => module.endsWith(path)))
          if (missing.length > 0) throw new Error(`The page has no module ${missing.join(', ')}.`)
          const groupOfChunk = (name: string): Group => (first.has(name) ? 'first' : soon.has(name) ? 'soon' : 'rest')
          const files: { readonly locale: string; readonly group: Group; readonly source: string }[] = []
          for (const locale of translations)
            for (const group of GROUPS) {
              const ids = chunks
                .filter(({ fileName }) => groupOfChunk(fileName) === group)
                .flatMap(({ moduleIds }) => moduleIds.flatMap(module => [...(idsOf.get(module) ?? [])]))
              const aria = group === 'first' ? await ariaTexts(locale, modules) : undefined
              files.push({ locale, group, source: await fileOf(locale, ids, aria) })
            }
          version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8)
          for (const { locale, group, source } of files)
            this.emitFile({ type: 'asset', fileName: textsAddress(locale, group, version), source })
          this.emitFile({
            type: 'asset',
            fileName: 'start.js',
            source: await buildStart(await renderShell(sheets), define, startPlugins),
          })
        },
      },
      transformIndexHtml: {
        order: 'post',
        handler: (html, { server, bundle }) => {
          const wire = Object.keys(bundle ?? {}).find(name => /^assets\/wire\.worker-.+\.js$/.test(name))
          if (server === undefined && wire === undefined) throw new Error('The page has no worker wire.worker.ts.')
          const data = wire === undefined ? `data-texts="${version}"` : `data-texts="${version}" data-wire="/${wire}"`
          const named = html.replace('src="/start.js"', `src="/start.js" ${data}`)
          return server === undefined ? named : named.replace(ENTRY, LATE_ENTRY)
        },
      },
      configureServer: server => {
        const ready = readNumbers()
        server.middlewares.use((request, response, next) => {
          const path = (request.url ?? '').split('?')[0] ?? ''
          const locale = translations.find(code => `/${textsAddress(code, 'first', version)}` === path)
          const answer =
            path === '/start.js'
              ? buildStart()
              : locale === undefined
                ? undefined
                : ready.then(() => fileOf(locale, numbers.values()))
          if (answer === undefined) return next()
          answer.then(
            source => response.setHeader('Content-Type', 'text/javascript').end(source),
            (error: unknown) => next(error),
          )
        })
      },
    },
  ]
}
