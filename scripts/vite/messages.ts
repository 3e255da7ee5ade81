import { basename } from 'node:path'
import { transformAsync, type PluginObj, type types as Types } from '@babel/core'
import linguiMacro from '@lingui/babel-plugin-lingui-macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { readCatalog } from './catalogs.ts'

/**
 * The English text of a message stays in the code that shows it, so that each chunk brings its own. It is parsed when the
 * page is built: the parser of ICU messages is larger than the rest of the message library.
 */
function compiledTexts({ types }: { types: typeof Types }, { onId }: Options): PluginObj {
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
              if (id.value.type === 'StringLiteral') id.value = types.stringLiteral(onId(id.value.value))
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

/** `onId`: gets the id of each message and returns the one that the code has. */
type Options = { readonly onId: (id: string) => string }

/** Turns the macros of `@lingui/core/macro` and `@lingui/react/macro` into calls. Every build and test of `src` needs it. */
export function messages(rename = (id: string, _module: string): string => id): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    load: {
      filter: { id: /src\/locales\/[\w-]+\.po$/ },
      handler: async id => `export const texts = ${JSON.stringify(await serverTexts(basename(id, '.po')))}`,
    },
    transform: {
      filter: { code: /@lingui\/(?:core|react)\/macro/ },
      handler: async (code, id) => {
        const [filename = id] = id.split('?')
        const result = await transformAsync(code, {
          filename,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
          plugins: [
            [linguiMacro, { stripMessageField: false }],
            [compiledTexts, { onId: (message: string) => rename(message, filename) } satisfies Options],
          ],
        })
        return { code: result?.code ?? code, map: result?.map ?? null }
      },
    },
  }
}
