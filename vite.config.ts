import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { messages } from './vite.messages.ts'

/**
 * Whichever sheet comes first sets the order of the cascade layers, and a bundler puts the sheets of screens that load
 * later in front. So every sheet begins with the order.
 */
const layerOrder = (): Plugin => ({
  name: 'layer-order',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const order = readFileSync('src/ui/styles/layers.css', 'utf8').trim()
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${String(file.source)}`
    },
  },
})

const sheets = new Map<string, string>()

/** `header` in `shell.module.css` is `shell-header`: readable, and packed better than any hash. So no two sheets share a name. */
const className = (name: string, file: string): string => {
  const [path = ''] = file.split('?')
  const sheet = basename(path, '.module.css')
  const before = sheets.get(sheet) ?? path
  if (before !== path) throw new Error(`${path} has the name of ${before}: give it another.`)
  sheets.set(sheet, path)
  return `${sheet}-${name}`
}

/** Foldboard speaks English, and a label of React Aria in another language amid the others would be read out wrongly. */
const onlyEnglish = (): Plugin => ({
  name: 'only-english',
  enforce: 'pre',
  load: id =>
    /node_modules\/react-(?:aria|stately).*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
      ? 'export default {}'
      : undefined,
})

const PRODUCTION = join(import.meta.dirname, 'node_modules/react-router/dist/production')
const productionFiles = new Map([
  ['react-router', 'index.mjs'],
  ['react-router/dom', 'dom-export.mjs'],
])

/**
 * The router's package has a build for production, but its exports lead to the one for development only. Names for
 * developers' tools, set from outside of components, would keep alive those that nobody uses.
 */
const productionRouter = (): Plugin => ({
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  resolveId: id => {
    const file = productionFiles.get(id)
    return file === undefined ? undefined : join(PRODUCTION, file)
  },
  transform: (code, id) =>
    id.startsWith(PRODUCTION)
      ? {
          code: code
            .replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '')
            .replaceAll(/ = (React\w*\.forwardRef\()/g, ' = /*#__PURE__*/ $1'),
          map: null,
        }
      : undefined,
})

export default defineConfig({
  plugins: [react(), messages(), layerOrder(), onlyEnglish(), productionRouter()],
  worker: { format: 'es', plugins: () => [messages()] },
  css: { modules: { generateScopedName: className } },
  build: {
    target: 'es2022',
    sourcemap: true,
    // Whose work is in it, and on which terms. A client serves no .md as text (docs/protocol.md §10).
    license: { fileName: 'licenses.json' },
    modulePreload: { polyfill: false },
    // Of kB, unpacked: what lays out charts, loaded with the inspector only. What loads first is measured by `npm run bench`.
    chunkSizeWarningLimit: 1600,
    // What every page needs is one file: it packs better than thirty, and is asked for once.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
