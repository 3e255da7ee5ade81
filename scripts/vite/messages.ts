import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { transformAsync, type PluginObj, type TransformOptions, type types as Types } from '@babel/core'
import linguiMacro from '@lingui/babel-plugin-lingui-macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { readCatalog } from './catalogs.ts'

/**
 * The English text of a message stays in the code that shows it, so that each chunk brings its own. It is parsed when the
 * page is built: the parser of ICU messages is larger than the rest of the message library.
 */
function compiledTexts({ types }: { types: typeof Types }, { ids }: { readonly ids: Set<string> }): PluginObj {
  return {
    name: 'compiled-texts',
    visitor: {
      Program: {
        exit: program =>
          program.traverse({
            ObjectProperty: ({ node, parent }) => {
              const id =
                parent.type === 'ObjectExpression'
                  ? parent.properties.find(
                      other => other.type === 'ObjectProperty' && types.isIdentifier(other.key, { name: 'id' }),
                    )
                  : undefined
              if (id?.type !== 'ObjectProperty' || !types.isIdentifier(node.key, { name: 'message' })) return
              if (node.value.type !== 'StringLiteral') return
              if (id.value.type === 'StringLiteral') ids.add(id.value.value)
              const text = compileMessage(node.value.value)
              node.value = types.valueToNode(text.length === 1 && typeof text[0] === 'string' ? [text[0]] : text)
            },
          }),
      },
    },
  }
}

/** Texts for programs without a screen. */
async function serverTexts(locale: string): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    [...(await readCatalog(locale))].flatMap(([id, { translation }]) =>
      translation === '' ? [] : [[id, compileMessage(translation)]],
    ),
  )
}

/** A module without macros. `ids`: of its messages. */
type Expanded = {
  readonly code: string
  readonly map: NonNullable<TransformOptions['inputSourceMap']> | null
  readonly ids: readonly string[]
}

const ROOT = resolve(import.meta.dirname, '../..')
const KEPT = join(ROOT, 'node_modules/.foldboard/messages')
const VERSION = readFileSync(join(ROOT, 'scripts/vite/messages.ts'))

/** Whether a module has messages. */
const MACRO = /@lingui\/(?:core|react)\/macro/

/** Compiles a module with plugins of Babel alone. */
export async function transformed(code: string, filename: string, plugins: TransformOptions['plugins']) {
  const result = await transformAsync(code, {
    filename,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    plugins,
  })
  return { code: result?.code ?? code, map: result?.map ?? null }
}

/** Kept for the next build, tests and the check of messages: the compiler takes forty milliseconds for a module. */
async function expand(code: string, filename: string): Promise<Expanded> {
  const name = createHash('sha256').update(VERSION).update(filename).update(code).digest('hex')
  const kept = join(KEPT, `${name}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Expanded
  const ids = new Set<string>()
  const plugins: TransformOptions['plugins'] = [
    [linguiMacro, { stripMessageField: false }],
    [compiledTexts, { ids }],
  ]
  const expanded: Expanded = { ...(await transformed(code, filename, plugins)), ids: [...ids] }
  mkdirSync(KEPT, { recursive: true })
  // Builds run beside each other: no one may read half a file.
  const written = `${kept}.${process.pid}`
  writeFileSync(written, JSON.stringify(expanded))
  renameSync(written, kept)
  return expanded
}

/** The ids of the messages of a file. */
export async function messagesOf(filename: string): Promise<readonly string[]> {
  const code = readFileSync(filename, 'utf8')
  return MACRO.test(code) ? (await expand(code, filename)).ids : []
}

/** Turns the macros of `@lingui/core/macro` and `@lingui/react/macro` into calls. Every build and test of `src` needs it. */
export function messages(rename?: (id: string, module: string) => string): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    load: {
      filter: { id: /src\/locales\/[\w-]+\.po$/ },
      handler: async id => `export const texts = ${JSON.stringify(await serverTexts(basename(id, '.po')))}`,
    },
    transform: {
      filter: { code: MACRO },
      handler: async (source, id) => {
        const [filename = id] = id.split('?')
        const { code, map, ids } = await expand(source, filename)
        if (rename === undefined) return { code, map }
        const names = new Map(ids.map(message => [message, rename(message, filename)]))
        // Each id is at the end of its line, so that the map stays true.
        return {
          code: code.replaceAll(
            /\bid: "([^"]+)"/g,
            (_, message: string) => `id: ${JSON.stringify(names.get(message) ?? message)}`,
          ),
          map,
        }
      },
    },
  }
}
