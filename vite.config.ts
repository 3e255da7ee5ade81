import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { META_CONTENT_SECURITY_POLICY } from './host/headers.ts'
import { messages } from './vite.messages.ts'
import { buildInformation, serviceWorker } from './vite.offline.ts'

/**
 * The first sheet on a page sets the order of the cascade layers, and the bundler puts the sheets of lazy screens first.
 * So every sheet begins with the order.
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

/**
 * Chromium compiles the functions of a file that begins so on another thread while the file is fetched, not one by one on
 * the main thread when they are called. Meant for code of which most is needed: the first chunk. It has to come before
 * what Vite itself puts in front.
 */
const compileHint = (): Plugin => ({
  name: 'compile-hint',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !file.isEntry) continue
        file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
        const map = bundle[`${file.fileName}.map`]
        if (map?.type !== 'asset') throw new Error(`${file.fileName} has no source map.`)
        // The mappings of each line end with a semicolon.
        map.source = String(map.source).replace('"mappings":"', '"mappings":";')
      }
    },
  },
})

const sheets = new Map<string, string>()

/** `header` in `shell.module.css` becomes `shell-header`: readable, and smaller when compressed than a hash. So no two sheets may share a name. */
const className = (name: string, file: string): string => {
  const [path = ''] = file.split('?')
  const sheet = basename(path, '.module.css')
  const before = sheets.get(sheet) ?? path
  if (before !== path) throw new Error(`${path} has the same name as ${before}: rename one of them.`)
  sheets.set(sheet, path)
  return `${sheet}-${name}`
}

/** The app is in English. A label of React Aria in another language would be read out with the wrong pronunciation. */
const onlyEnglish = (): Plugin => ({
  name: 'only-english',
  enforce: 'pre',
  load: id =>
    /node_modules\/react-(?:aria|stately).*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
      ? 'export default {}'
      : undefined,
})

/** A static host or a folding client sends no policy of its own. The development server needs inline scripts. */
const contentSecurityPolicy = (): Plugin => ({
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: META_CONTENT_SECURITY_POLICY },
      injectTo: 'head-prepend',
    },
  ],
})

/** Plugins of every document of the build. */
export const plugins = [react(), messages(), layerOrder(), onlyEnglish(), buildInformation(), contentSecurityPolicy()]

const ARIA = String.raw`/node_modules/(?:react-aria|react-stately|react-aria-components)/.*/`

/**
 * Files that are always fetched together are one: a screen of thirty small files takes longer to open than its bytes do.
 * Other shared code is divided by what shares it. Files that several screens share hold no
 * module that is imported dynamically: when it cannot be fetched, `loadCode` imports it again under another address, and
 * what it shares must not be there twice.
 */
const chunkGroups = [
  { name: 'first', tags: ['$initial' as const], priority: 4 },
  {
    name: 'fields',
    test: new RegExp(
      String.raw`${ARIA}(?:form|toggle|textfield|label|switch|visually-hidden|FieldError|Form|TextField|TextArea|Input|Group|Text|Label|Switch)\b|/src/ui/parts/fields/(?:switch|field|(?:text|number|password)-field)`,
    ),
    minShareCount: 2,
    priority: 3,
  },
  {
    name: 'popups',
    test: new RegExp(
      String.raw`${ARIA}(?:collections|selection|focus|overlays|dialog|menu|list|listbox|select|Dialog|Modal|Popover|Menu|ListBox|Select)\b|/src/ui/parts/(?:overlays/(?:dialog|help|menu-button)|fields/select)`,
    ),
    minShareCount: 3,
    priority: 2,
  },
  {
    name: 'shared',
    test: /\/src\/ui\/(?:hooks\/use-(?:copy|client-name|top)|parts\/fields\/checkbox|screens\/(?:when-loaded|section))\b/,
    minShareCount: 2,
    priority: 3,
  },
  {
    name: 'history',
    test: /\/src\/(?:machines\/units\/history|folding\/unit\/(?:server-history|sorting|statistics|unit-rows)|folding\/fleet\/ppd-history|actors\/(?:server-history|server-call)|ui\/hooks\/use-ppd-history)\b/,
    includeDependenciesRecursively: false,
    priority: 1,
  },
  {
    name: 'log',
    test: /\/node_modules\/anser\/|\/src\/(?:(?:ui\/screens|machines\/screens|folding)\/log\/|app\/deferred\/log\.ts|actors\/log-search\/log-search\.ts)/,
    // What it shares with other screens stays outside.
    includeDependenciesRecursively: false,
    priority: 1,
  },
]

export default defineConfig({
  plugins: [...plugins, compileHint(), serviceWorker()],
  worker: { format: 'es', plugins: () => [messages()] },
  css: { modules: { generateScopedName: className } },
  build: {
    target: 'es2022',
    // The first versions with light-dark(), and in Firefox with AbortSignal.any() and color spaces in gradients too. For older
    // ones each color would be written out four times.
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    sourcemap: true,
    // The libraries in the build and their licenses. JSON, since a client does not serve .md as text (docs/protocol.md §10).
    license: { fileName: 'licenses.json' },
    // A failed preload is kept by Chromium as the answer for that file, and later attempts fail with it. So only the page
    // itself preloads what its scripts import.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, scripts, { hostType }) =>
        hostType === 'html' ? scripts : scripts.filter(script => script === file),
    },
    // kB, uncompressed: the chart layout library, loaded only with the inspector. `npm run bench` measures what loads first.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: { checks: { bundlerTimings: false }, output: { codeSplitting: { groups: chunkGroups } } },
  },
})
